/** The last second of the year 9999. */
const LAST_CALENDAR_SECOND = 253_402_300_799n;

/** Returns a time in seconds since 1970 for readers, such as `2027-01-31 12:00 UTC`. */
export function utcSecondsText(seconds: bigint): string {
  if (seconds > LAST_CALENDAR_SECOND) return `${seconds} seconds after 1970`;
  const time = new Date(Number(seconds) * 1_000).toISOString().replace(/(?::00)?\.000Z$/, "");
  return `${time.replace("T", " ")} UTC`;
}
