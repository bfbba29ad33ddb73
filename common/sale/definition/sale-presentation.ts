import { tokenSymbol } from "../../chains/base/token-symbol.ts";
import { readEmailAddress } from "../../platform/names/email-address.ts";
import {
  fieldValue,
  nameOf,
  pathOf,
  presentationOfValues,
  type SaleField,
  type SaleFieldValue,
  type SalePresentation,
} from "./sale-fields.ts";
import { UINT256_MAX } from "./uint.ts";
import type { ViolationList } from "./violation-list.ts";

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;
/**
 * Control characters but tabs and line feeds, lone surrogates, separators, and characters that reorder the text around them
 * (UAX 9).
 */
const forbidden = /[^\P{Cc}\t\n]|[\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** Characters of mark-up: the text appears in other people's programs, and some of them may not escape it. */
const markup = /[<>]/;
/** The hosts of this computer, at which a founder tries a site out. */
const OWN_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Adds a violation of the field that is checked. */
type Refuse = (rule: string, message: string) => void;

/**
 * Checks what people read about a sale; returns it in canonical form, undefined if there is nothing.
 *
 * @param logo the sale's logo, which stays
 */
export function checkPresentation(
  entered: SalePresentation,
  logo: string | undefined,
  violations: ViolationList,
): SalePresentation | undefined {
  return presentationOfValues((field) => {
    if (field.kind === "logo") return logo;
    const value = fieldValue(entered, field);
    if (value === undefined) return undefined;
    const refuse: Refuse = (rule, message) => violations.add(`definition.${pathOf(field)}`, rule, message);
    const checked = checkValue(field, value, refuse);
    if (field.kind === "time") checkOrder(entered, field, checked, refuse);
    return checked === "" ? undefined : checked;
  });
}

/** Returns the value in canonical form. */
function checkValue(field: SaleField, value: SaleFieldValue, refuse: Refuse): SaleFieldValue {
  if (value === true) return value;
  if (typeof value === "bigint") return checkAmount(value, refuse);
  if (typeof value === "number") return checkTime(value, refuse);
  if (field.kind === "text") return checkText(field, value.replaceAll("\r\n", "\n").trim(), refuse);
  if (field.kind === "link") return checkLink(field, value.trim(), refuse);
  if (field.kind === "contact") return checkContact(field, value.trim(), refuse);
  return checkSymbol(value.trim(), refuse);
}

function checkText(field: SaleField & { readonly kind: "text" }, text: string, refuse: Refuse): string {
  const name = nameOf(field);
  if (forbidden.test(text)) {
    refuse(`${name}.characters`, "must not contain control characters or bidirectional marks");
  }
  if (markup.test(text)) refuse(`${name}.markup`, "must not contain < or >");
  if ([...text].length > field.maxCharacters) {
    refuse(`${name}.length`, `must have at most ${field.maxCharacters} characters`);
  }
  return text;
}

/** @returns the URL as it is sent */
function checkLink(field: SaleField & { readonly kind: "link" }, text: string, refuse: Refuse): string {
  if (text === "") return "";
  const refused = (rule: string, message: string): string => {
    refuse(`${nameOf(field)}.${rule}`, message);
    return "";
  };
  const url = URL.parse(text);
  if (url === null) return refused("url", "must be an address that begins with https://");
  const { protocol, hostname, username, password, href } = url;
  if (protocol !== "https:" && !(protocol === "http:" && OWN_HOSTS.has(hostname))) {
    return refused("scheme", "must begin with https://, or with http:// and this computer's name, such as localhost");
  }
  if (username !== "" || password !== "") return refused("credentials", "must not contain a user name or password");
  if (href.length > field.maxCharacters)
    return refused("length", `must have at most ${field.maxCharacters} characters`);
  return href;
}

/** @returns the e-mail address in its one spelling, or the URL as it is sent */
function checkContact(field: SaleField & { readonly kind: "contact" }, text: string, refuse: Refuse): string {
  if (text === "") return "";
  const name = nameOf(field);
  const contact = (text.includes("//") ? undefined : readEmailAddress(text)) ?? pageAddress(text);
  if (contact === undefined) {
    const message = "must be an e-mail address such as help@sale.example, or begin with https://, without a user name";
    refuse(`${name}.form`, message);
  } else if (contact.length > field.maxCharacters) {
    refuse(`${name}.length`, `must have at most ${field.maxCharacters} characters`);
  }
  return contact ?? "";
}

function pageAddress(text: string): string | undefined {
  const { protocol, username, password, href } = URL.parse(text) ?? {};
  return protocol === "https:" && username === "" && password === "" ? href : undefined;
}

function checkSymbol(symbol: string, refuse: Refuse): string {
  if (symbol !== "" && tokenSymbol(symbol) !== symbol) {
    refuse("symbol", "must be at most 32 visible characters, without < > & and quotation marks");
  }
  return symbol;
}

function checkAmount(units: bigint, refuse: Refuse): bigint {
  if (units < 1n || units > UINT256_MAX) refuse("range", "must be 1 to 2^256-1");
  return units;
}

function checkTime(seconds: number, refuse: Refuse): number {
  const isTime = Number.isSafeInteger(seconds) && seconds >= 0 && seconds <= LAST_SECOND;
  if (!isTime) refuse("range", "must be a time up to the end of the year 9999");
  return seconds;
}

/** Names of times in messages. */
const TIMES: Readonly<Partial<Record<SaleField["key"], string>>> = {
  announcedAtSeconds: "the announcement",
  opensAtSeconds: "the opening",
  closesAtSeconds: "the closing",
  cancelUntilSeconds: "the end of cancelling",
};

function checkOrder(
  entered: SalePresentation,
  { after = [] }: SaleField & { readonly kind: "time" },
  time: SaleFieldValue,
  refuse: Refuse,
): void {
  const earlier = after.findLast((key) => {
    const value = entered[key];
    return typeof value === "number" && value >= Number(time);
  });
  if (earlier !== undefined) refuse("times.order", `must be later than ${TIMES[earlier] ?? earlier}`);
}
