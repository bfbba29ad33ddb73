/** Returns a time of ISO 8601 for people, in UTC and to the minute, such as `31 Jan 2026, 12:00 UTC`. */
export function minuteText(time: string): string {
  return MINUTE.format(new Date(time));
}

const MINUTE = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
  timeZone: "UTC",
});
