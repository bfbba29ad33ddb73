const LONGEST_RETRY_AFTER_MS = 600_000;
const NUMBER = /^\d+(?:\.\d+)?$/;
/** From here on a number is a time since 1970: no node asks for a wait of 30 years. */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MILLIS = 1e12;
/** From here on, almost three hours, a number is taken for milliseconds, which several providers send. */
const FIRST_MILLIS = 10_000;

/**
 * The wait that a `Retry-After` header asks for, in milliseconds from now, at most 10 minutes; undefined if the header is absent or
 * unreadable. Besides seconds and a date (RFC 9110, section 10.2.3) it takes what nodes send: fractions of a second, milliseconds,
 * and seconds or milliseconds since 1970.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  const millis = NUMBER.test(text) ? millisOfNumber(Number(text), nowMs) : millisOfDate(text, nowMs);
  return Number.isNaN(millis) ? undefined : Math.min(Math.max(millis, 0), LONGEST_RETRY_AFTER_MS);
}

function millisOfNumber(number: number, nowMs: number): number {
  if (number >= FIRST_EPOCH_MILLIS) return number - nowMs;
  if (number >= FIRST_EPOCH_SECONDS) return 1_000 * number - nowMs;
  return number >= FIRST_MILLIS ? number : 1_000 * number;
}

/** Returns NaN for what is no date. Every date has letters; without them, `Date.parse` reads years into numbers. */
function millisOfDate(text: string, nowMs: number): number {
  return /[a-z]/i.test(text) ? Date.parse(text) - nowMs : Number.NaN;
}
