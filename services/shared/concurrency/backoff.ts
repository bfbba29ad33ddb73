export interface Backoff {
  /** The wait before the second attempt. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** Growth from one attempt to the next. Default 2. */
  readonly factor?: number;
}

/**
 * Milliseconds to wait after a number of failures in a row: exponential, at most `longestMs`. A random half of it is
 * jitter, so that rivals don't try again at the same moment.
 *
 * @param failures at least 1
 */
export function backoffMs(failures: number, { firstMs, longestMs, factor = 2 }: Backoff): number {
  const longest = Math.min(longestMs, firstMs * factor ** (failures - 1));
  return longest * (0.5 + Math.random() / 2);
}
