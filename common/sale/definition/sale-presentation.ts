import { tokenSymbol } from "../../chains/base/token-symbol.ts";
import type { SalePresentation } from "./sale.ts";
import { UINT256_MAX } from "./uint.ts";
import type { ViolationList } from "./violation-list.ts";

const MAX_DESCRIPTION = 2_000;
const MAX_WEBSITE = 500;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;
const FIELD = "definition.presentation";
export const TOTAL_SUPPLY_FIELD = `${FIELD}.total_supply`;
/**
 * Control characters but tabs and line feeds, lone surrogates, separators, and characters that reorder the text around them
 * (UAX 9).
 */
const forbidden = /[^\P{Cc}\t\n]|[\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** Characters of mark-up: the text appears in other people's programs, and some of them may not escape it. */
const markup = /[<>]/;
/** The hosts of this computer, at which a founder tries a site out. */
const OWN_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Checks what people read about a sale; returns it in canonical form, undefined if there is nothing.
 *
 * @param logo the sale's logo, which stays
 */
export function checkPresentation(
  { description = "", website = "", offeredTokenSymbol = "", ...entered }: SalePresentation,
  logo: string | undefined,
  violations: ViolationList,
): SalePresentation | undefined {
  const text = checkDescription(description.replaceAll("\r\n", "\n").trim(), violations);
  const link = checkWebsite(website.trim(), violations);
  const symbol = checkSymbol(offeredTokenSymbol.trim(), violations);
  const { opensAtSeconds, closesAtSeconds, totalSupply } = entered;
  checkTimes(opensAtSeconds, closesAtSeconds, violations);
  checkTotalSupply(totalSupply, violations);
  const presentation = {
    ...(text !== "" && { description: text }),
    ...(link !== "" && { website: link }),
    ...(symbol !== "" && { offeredTokenSymbol: symbol }),
    ...(opensAtSeconds !== undefined && { opensAtSeconds }),
    ...(closesAtSeconds !== undefined && { closesAtSeconds }),
    ...(totalSupply !== undefined && { totalSupply }),
    ...(logo !== undefined && { logo }),
  };
  return Object.keys(presentation).length === 0 ? undefined : presentation;
}

function checkDescription(text: string, violations: ViolationList): string {
  const field = `${FIELD}.description`;
  if (forbidden.test(text)) {
    violations.add(field, "description.characters", "must not contain control characters or bidirectional marks");
  }
  if (markup.test(text)) violations.add(field, "description.markup", "must not contain < or >");
  if ([...text].length > MAX_DESCRIPTION) {
    violations.add(field, "description.length", `must have at most ${MAX_DESCRIPTION} characters`);
  }
  return text;
}

/** @returns the URL as it is sent */
function checkWebsite(text: string, violations: ViolationList): string {
  if (text === "") return "";
  const refuse = (rule: string, message: string): string => {
    violations.add(`${FIELD}.website`, `website.${rule}`, message);
    return "";
  };
  const url = URL.parse(text);
  if (url === null) return refuse("url", "must be an address that begins with https://");
  const { protocol, hostname, username, password, href } = url;
  if (protocol !== "https:" && !(protocol === "http:" && OWN_HOSTS.has(hostname))) {
    return refuse("scheme", "must begin with https://, or with http:// and this computer's name, such as localhost");
  }
  if (username !== "" || password !== "") return refuse("credentials", "must not contain a user name or password");
  if (href.length > MAX_WEBSITE) return refuse("length", `must have at most ${MAX_WEBSITE} characters`);
  return href;
}

function checkSymbol(symbol: string, violations: ViolationList): string {
  if (symbol !== "" && tokenSymbol(symbol) !== symbol) {
    const message = "must be at most 32 visible characters, without < > & and quotation marks";
    violations.add(`${FIELD}.offered_token_symbol`, "symbol", message);
  }
  return symbol;
}

function checkTotalSupply(supply: bigint | undefined, violations: ViolationList): void {
  if (supply === undefined || (supply >= 1n && supply <= UINT256_MAX)) return;
  violations.add(TOTAL_SUPPLY_FIELD, "range", "must be 1 to 2^256-1");
}

function checkTimes(opens: number | undefined, closes: number | undefined, violations: ViolationList): void {
  for (const [name, seconds] of Object.entries({ opens_at_seconds: opens, closes_at_seconds: closes })) {
    const isTime = seconds === undefined || (Number.isSafeInteger(seconds) && seconds >= 0 && seconds <= LAST_SECOND);
    if (!isTime) violations.add(`${FIELD}.${name}`, "range", "must be a time up to the end of the year 9999");
  }
  if (opens !== undefined && closes !== undefined && closes <= opens) {
    violations.add(`${FIELD}.closes_at_seconds`, "times.order", "must be later than the opening");
  }
}
