const MINUTE = 60n;
const HOUR = 3600n;
const YEAR = 365n * 24n * HOUR;
/** Widths of the time buckets of the stored history, in seconds. */
export const RESOLUTIONS_S = [1n, MINUTE, HOUR] as const;
/** The time for which buckets of each width are read at most, as `historyWindows` divides a history. */
export const REACH_S = [10n * MINUTE, 7n * HOUR, 5n * YEAR] as const;

/** A part of a history: times [from, to), in seconds since 1970, shown in periods of `seconds`. */
export interface HistoryWindow {
  /** The stored resolution to read: 1, 60 or 3600 seconds. */
  readonly resolution: bigint;
  /** A multiple of the resolution. */
  readonly seconds: bigint;
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Divides a history into windows, by time ascending, with at most `maxPoints` periods in all: seconds for the latest time,
 * minutes before, hours for everything older. They meet at full minutes and hours, so that no period lies in two windows.
 * Seconds reach back at most 332 s, minutes 332 min and an hour; they must be kept for that long.
 *
 * @param now seconds since 1970
 * @param oldest the beginning of the oldest stored hour; it decides how many hours a period takes
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

/** Returns the later of two times. */
function later(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

/** Rounds a positive value up to a multiple of `step`. */
function roundUp(value: bigint, step: bigint): bigint {
  return ((value + step - 1n) / step) * step;
}
