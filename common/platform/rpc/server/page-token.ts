import { invalidArgument, type ServiceError } from "../../errors/service-error.ts";

const DEFAULT_PAGE_SIZE = 100;

/** Returns the size of a page. A list that `readPage` can't read, as its pages are also bounded by bytes, asks for it alone. */
export function pageSize(requested: number): number {
  return requested === 0 ? DEFAULT_PAGE_SIZE : requested;
}

/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/**
 * Reads a page, and one item more, which says whether another page follows: the last one may be just full.
 *
 * @param requested the `page_size` of the request
 * @param read reads at most so many items from the page's start on
 * @param tokenAfter the token of the page that begins after an item
 */
export async function readPage<Item>(
  requested: number,
  read: (limit: number) => Promise<readonly Item[]>,
  tokenAfter: (item: Item) => string,
): Promise<ListPage<Item>> {
  const size = pageSize(requested);
  const found = await read(size + 1);
  const items = found.slice(0, size);
  const last = found.length > size ? items.at(-1) : undefined;
  return { items, nextPageToken: last === undefined ? "" : tokenAfter(last) };
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

/** The token of the page that begins after a key (hex). */
export function tokenOf(key: string): string {
  return Buffer.from(key.replaceAll("-", ""), "hex").toString("base64url");
}
