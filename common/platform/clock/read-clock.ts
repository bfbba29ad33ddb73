import type { ClockReading } from "./clock-difference.ts";

/** Several, as one answer may be slow. */
const READINGS = 5;

/**
 * Reads another clock several times, until it fails to answer.
 *
 * @param readOther returns milliseconds since 1970
 * @param nowMs this process's clock, which isn't set meanwhile: milliseconds since 1970
 */
export async function readClock(
  readOther: () => Promise<number>,
  nowMs: () => number,
): Promise<readonly ClockReading[]> {
  const readings: ClockReading[] = [];
  for (let count = 0; count < READINGS; count += 1) {
    const askedAtMs = nowMs();
    const otherMs = await readOther().catch(() => undefined);
    if (otherMs === undefined) break;
    readings.push({ askedAtMs, answeredAtMs: nowMs(), otherMs });
  }
  return readings;
}
