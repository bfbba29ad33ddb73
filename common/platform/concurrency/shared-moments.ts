/** The part of an interval by which its moments are too near to wait for: timers may end a moment early. */
const NEAR = 0.1;

/**
 * Returns the time until this process's next multiple of an interval, in milliseconds: up to a tenth longer than the interval. Whatever
 * waits for the same interval so goes on at the same moments, for which the process wakes up once, and its calls travel together.
 *
 * @param now monotonic clock in milliseconds
 */
export function untilSharedMoment(intervalMs: number, now = performance.now()): number {
  const rest = intervalMs - (now % intervalMs);
  return rest < NEAR * intervalMs ? rest + intervalMs : rest;
}
