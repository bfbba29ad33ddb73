export interface Backoff {
  /** The wait before the second attempt. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** Growth from one attempt to the next. Default 2. */
  readonly factor?: number;
}

/**
 * Milliseconds to wait after a number of failures in a row: exponential, at most `longestMs`.
 *
 * @param failures at least 1
 */
export function exponentialMs(failures: number, { firstMs, longestMs, factor = 2 }: Backoff): number {
  return Math.min(longestMs, firstMs * factor ** (failures - 1));
}

/** `exponentialMs`, of which a random half is jitter, so that rivals don't try again at the same moment. */
export function backoffMs(failures: number, backoff: Backoff): number {
  return exponentialMs(failures, backoff) * (0.5 + Math.random() / 2);
}
