/** A count or an amount of a day. */
export interface DayValue {
  /** Milliseconds since 1970: within the day it belongs to, UTC. */
  readonly ms: number;
  readonly value: bigint;
}

export const DAY_MS = 86_400_000;
/** Days that are shown, today included. */
export const DAYS = 30;

/** Returns the beginnings of the days that are shown, the earliest first, in milliseconds since 1970. UTC. */
export function shownDays(nowMs: number): readonly number[] {
  const today = dayOf(nowMs);
  return Array.from({ length: DAYS }, (_, index) => today - (DAYS - 1 - index) * DAY_MS);
}

/** Returns the sum of each day's values; 0 for a day without one. */
export function sumsByDay(values: readonly DayValue[], nowMs: number): readonly bigint[] {
  const sums = new Map<number, bigint>();
  for (const { ms, value } of values) sums.set(dayOf(ms), (sums.get(dayOf(ms)) ?? 0n) + value);
  return shownDays(nowMs).map((day) => sums.get(day) ?? 0n);
}

/**
 * Returns what a value was at the end of each day. A day without one has that of the day before; 0 before the first.
 *
 * @param values by time ascending
 */
export function endsOfDays(values: readonly DayValue[], nowMs: number): readonly bigint[] {
  return shownDays(nowMs).map((day) => lastBefore(values, day + DAY_MS));
}

/** Returns by how much a value was higher at the end of each day than at its beginning; 0 where it was lower. */
export function risesOfDays(values: readonly DayValue[], nowMs: number): readonly bigint[] {
  return shownDays(nowMs).map((day) => {
    const rise = lastBefore(values, day + DAY_MS) - lastBefore(values, day);
    return rise > 0n ? rise : 0n;
  });
}

function lastBefore(values: readonly DayValue[], endMs: number): bigint {
  return values.findLast(({ ms }) => ms < endMs)?.value ?? 0n;
}

function dayOf(ms: number): number {
  return ms - (ms % DAY_MS);
}
