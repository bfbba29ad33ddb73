import { invalidArgument, type ServiceError } from "../../errors/service-error.ts";

const DEFAULT_PAGE_SIZE = 100;

export function pageSize(requested: number): number {
  return requested === 0 ? DEFAULT_PAGE_SIZE : requested;
}

/**
 * The key (hex) after which a page begins. Empty for the first page.
 *
 * @param digits the number of hex digits of a key
 * @throws ServiceError `invalid_argument`
 */
export function pageStart(token: string, digits: number): string {
  if (token === "") return "";
  const key = Buffer.from(token, "base64url").toString("hex");
  if (key.length === digits && tokenOf(key) === token) return key;
  throw unknownPageToken();
}

/** Returns the refusal of a page token that no page before can have had. */
export function unknownPageToken(): ServiceError {
  return invalidArgument([
    { field: "page_token", rule: "page_token.unknown", message: "must be a next_page_token of the page before" },
  ]);
}

/** The token of the page after `page`. Empty if `page` isn't full. */
export function nextPageToken<Item>(page: readonly Item[], size: number, keyOf: (item: Item) => string): string {
  const last = page.at(-1);
  return last === undefined || page.length < size ? "" : tokenOf(keyOf(last));
}

/** The token of the page that begins after a key (hex). */
export function tokenOf(key: string): string {
  return Buffer.from(key.replaceAll("-", ""), "hex").toString("base64url");
}
