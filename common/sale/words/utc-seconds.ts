import { fill, type Message } from "../../platform/language/message.ts";

/** The last second of the year 9999. */
const LAST_CALENDAR_SECOND = 253_402_300_799n;

/** The text of a time that no calendar has. */
export const FAR_TIME = "{seconds} seconds after 1970";

/** Returns a time in seconds since 1970 for readers, such as `2027-01-31 12:00 UTC`. @param farTime `FAR_TIME` in their language */
export function utcSecondsText(seconds: bigint, farTime: Message<"seconds"> = FAR_TIME): string {
  if (seconds > LAST_CALENDAR_SECOND) return fill(farTime, { seconds: String(seconds) });
  const time = new Date(Number(seconds) * 1_000).toISOString().replace(/(?::00)?\.000Z$/, "");
  return `${time.replace("T", " ")} UTC`;
}
