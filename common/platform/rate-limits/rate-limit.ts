/** The number of times that something may happen in a window of time. */
export interface RateLimit {
  readonly count: number;
  readonly windowMs: bigint;
}

/** The block that a process takes from a limit at once: a tenth. */
export function blockOf({ count }: RateLimit): number {
  return Math.max(1, Math.floor(count / 10));
}

/** The start of the present window, the same in all processes. */
export function windowStart({ windowMs }: RateLimit, nowMs: bigint): bigint {
  return nowMs - (nowMs % windowMs);
}

/** Returns the whole seconds until a moment, at least one. */
export function secondsUntil(atMs: bigint, nowMs: bigint): number {
  return Math.max(1, Math.ceil(Number(atMs - nowMs) / 1_000));
}
