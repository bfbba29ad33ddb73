/** `2026-01-31T12:00:00Z`: a time to the second. */
export function utcTime(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, "Z");
}
