const LONGEST_RETRY_AFTER_MS = 600_000;

/**
 * `Retry-After` (RFC 9110, section 10.2.3), seconds or a date, in milliseconds from now: 0 to 10 minutes; undefined
 * where it is absent or unreadable.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const millis = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(millis) ? undefined : Math.min(Math.max(millis, 0), LONGEST_RETRY_AFTER_MS);
}
