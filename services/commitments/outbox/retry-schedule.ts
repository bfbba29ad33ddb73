import { backoffMs } from "../../../common/platform/concurrency/backoff.ts";

/** The time after which a delivery is given up: a day. In milliseconds. */
export const GIVE_UP_AFTER_MS = 86_400_000n;
/** Waits of 5 s, 15 s, 45 s, 2 min, 7 min, 20 min, an hour, and then three hours, each shortened by up to a half. */
const BACKOFF = { firstMs: 5_000, longestMs: 10_800_000, factor: 3 };

/**
 * Returns the time of the attempt after a failed one, in milliseconds since 1970; undefined if the delivery is given up.
 *
 * @param attempts those that have failed, at least 1
 */
export function nextAttemptMillis(nowMillis: bigint, attempts: number, giveUpAtMillis: bigint): bigint | undefined {
  const next = nowMillis + BigInt(Math.ceil(backoffMs(attempts, BACKOFF)));
  return next < giveUpAtMillis ? next : undefined;
}
