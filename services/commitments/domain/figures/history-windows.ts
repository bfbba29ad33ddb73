/** Resolutions in which figures are kept, in seconds. */
const MINUTE = 60n;
const HOUR = 3600n;

/** Times [from, to), in seconds since 1970, whose figures are shown by periods of `seconds`. */
export interface HistoryWindow {
  /** In which resolution the figures are to be read: 1, 60 or 3600 seconds. */
  readonly resolution: bigint;
  /** A multiple of the resolution. */
  readonly seconds: bigint;
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * The windows, by time ascending, whose periods with figures are `maxPoints` at most: seconds for the latest, minutes
 * before, hours for all that is older. They meet at full minutes and hours, so that no period lies in two of them.
 * Seconds reach 332 s back at most, minutes 332 min and an hour: so long they must be kept.
 *
 * @param now seconds since 1970
 * @param oldest where the oldest figures of an hour begin; they decide how many hours a period takes
 * @param maxPoints at least 12
 */
export function historyWindows(now: bigint, oldest: bigint, maxPoints: number): readonly HistoryWindow[] {
  const periods = BigInt(Math.floor(maxPoints / 3) - 1);
  const minutesTo = roundUp(now - periods, MINUTE);
  const minutesFrom = roundUp(minutesTo - periods * MINUTE, HOUR);
  // With few points the last full hour may be later than the last full minute.
  const secondsFrom = later(minutesTo, minutesFrom);
  const hours = minutesFrom > oldest ? roundUp(minutesFrom - oldest, periods * HOUR) / periods : HOUR;
  return [
    { resolution: HOUR, seconds: hours, from: 0n, to: minutesFrom },
    { resolution: MINUTE, seconds: MINUTE, from: minutesFrom, to: secondsFrom },
    { resolution: 1n, seconds: 1n, from: secondsFrom, to: now + 1n },
  ];
}

/** The later of two times. */
export function later(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

/** The next multiple of `step`, for positive values. */
function roundUp(value: bigint, step: bigint): bigint {
  return ((value + step - 1n) / step) * step;
}
