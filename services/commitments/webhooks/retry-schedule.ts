import { backoffMs } from "../../../common/platform/concurrency/backoff.ts";
import { WEBHOOK_RETRY_BACKOFF } from "../base/domain/lifetimes.ts";

/**
 * Returns the time of the attempt after a failed one, in milliseconds since 1970; undefined if the delivery is given up.
 *
 * @param attempts those that have failed, at least 1
 */
export function nextAttemptMillis(nowMillis: bigint, attempts: number, giveUpAtMillis: bigint): bigint | undefined {
  const next = nowMillis + BigInt(Math.ceil(backoffMs(attempts, WEBHOOK_RETRY_BACKOFF)));
  return next < giveUpAtMillis ? next : undefined;
}
