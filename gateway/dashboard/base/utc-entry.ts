import { texts } from "./texts.ts";

/** The text in a field of the type `datetime-local`; some browsers leave the seconds out. */
const LOCAL = /^(\d{4,6})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?$/;
/** Seconds since 1970, for times that no calendar of a browser has. */
const SECONDS = /^@(\d{1,16})$/;
const MAX_SECONDS = 2n ** 53n - 1n;
/** The last second of the year 9999. */
const MAX_CALENDAR_SECONDS = 253_402_300_799n;

/** Returns a time in seconds since 1970 as an entry in UTC, such as `2027-01-31T12:00`. */
export function utcEntry(seconds: bigint): string {
  if (seconds > MAX_CALENDAR_SECONDS) return `@${seconds}`;
  return new Date(Number(seconds) * 1000).toISOString().replace(/(?::00)?\.000Z$/, "");
}

/** Reads an entry in UTC, in seconds since 1970. */
export function readUtcEntry(text: string): ParsedNumber {
  const [, digits] = SECONDS.exec(text) ?? [];
  const seconds = digits === undefined ? calendarSeconds(text) : BigInt(digits);
  if (seconds === undefined) return { reason: texts().base.timeForm };
  if (seconds < 1n || seconds > MAX_SECONDS) return { reason: texts().base.timeRange };
  return { value: seconds };
}

/** Whether a field with a calendar can show an entry. */
export function isCalendarEntry(text: string): boolean {
  return text === "" || (LOCAL.test(text) && calendarSeconds(text) !== undefined);
}

function calendarSeconds(text: string): bigint | undefined {
  const [, year = "", month = "", day = "", hour = "", minute = "", second = "00"] = LOCAL.exec(text) ?? [];
  if (year.length !== 4) return undefined;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const ms = Date.parse(iso);
  // Some engines turn 30 February into a day of March.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== iso) return undefined;
  return BigInt(ms / 1000);
}

/** The number that a form value means, or the reason why it means none. */
export type ParsedNumber = { readonly value: bigint } | { readonly reason: string };
