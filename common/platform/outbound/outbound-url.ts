import { isLoopbackHost } from "./loopback-host.ts";
import { isPublicHost } from "./public-host.ts";

export interface OutboundUrlOptions {
  /** `OUTBOUND_LOOPBACK`: whether this machine may be asked too, over http or https. False by default. */
  readonly loopback?: boolean;
}

const MAX_CHARACTERS = 2_000;
/** Printable ASCII without a space: what the URL parser would drop or rewrite is a mistake. */
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * Checks a URL that a founder or an operator enters, to which requests will go. What its host resolves to is checked at each
 * request (`OutboundFetcher`).
 *
 * @returns why it can't be used, as a text for people; undefined if it can
 */
export function checkOutboundUrl(text: string, { loopback = false }: OutboundUrlOptions = {}): string | undefined {
  if (text.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  const url = PRINTABLE.test(text) ? URL.parse(text) : null;
  if (url === null) return "must be a complete URL, such as https://your-site.example/tidemark";
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  if (text.includes("#")) return "must not contain a fragment (#)";
  if (isLoopbackHost(url.hostname)) return checkLoopback(url, loopback);
  if (url.protocol !== "https:") return "must begin with https://";
  return isPublicHost(url.hostname) ? undefined : "must name a host of the public internet";
}

function checkLoopback({ protocol }: URL, isAllowed: boolean): string | undefined {
  if (!isAllowed) return "must name a host of the public internet";
  return protocol === "https:" || protocol === "http:" ? undefined : "must begin with https:// or http://";
}
