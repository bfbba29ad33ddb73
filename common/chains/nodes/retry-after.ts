const LONGEST_RETRY_AFTER_MS = 600_000;

/**
 * The wait that a `Retry-After` header asks for (RFC 9110, section 10.2.3: seconds or a date), in milliseconds from now, at
 * most 10 minutes; undefined if the header is absent or unreadable.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const millis = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(millis) ? undefined : Math.min(Math.max(millis, 0), LONGEST_RETRY_AFTER_MS);
}
