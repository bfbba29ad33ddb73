import { secondsUntil } from "./rate-limit.ts";

export const HOUR_MS = 3_600_000n;
export const SENDS_AN_HOUR = 5;
export const SENDS_A_DAY = 20;
/** Hours of which the sends of a day are added up, the present one included. */
export const HOURS_OF_DAY = 24n;

/** Codes sent to one address in one hour since 1970. */
export interface HourlySends {
  readonly hour: bigint;
  readonly sends: number;
}

export function hourOf(nowMs: bigint): bigint {
  return nowMs / HOUR_MS;
}

/**
 * Whether the latest send is one too many: more than 5 in this hour of the clock, or 20 in 24 of them.
 *
 * @param counts of the last 24 hours, that send included.
 * @returns whole seconds until the next may go out; undefined where this one may.
 */
export function secondsUntilNextSend(counts: readonly HourlySends[], nowMs: bigint): number | undefined {
  const thisHour = hourOf(nowMs);
  const inThisHour = counts.find(({ hour }) => hour === thisHour)?.sends ?? 0;
  const untilDay = secondsOfFullDay(counts, nowMs);
  if (untilDay !== undefined) return untilDay;
  return inThisHour > SENDS_AN_HOUR ? secondsUntil((thisHour + 1n) * HOUR_MS, nowMs) : undefined;
}

/** Until so many old hours have gone that there is room for one more. */
function secondsOfFullDay(counts: readonly HourlySends[], nowMs: bigint): number | undefined {
  let excess = counts.reduce((sum, { sends }) => sum + sends, 0) - SENDS_A_DAY;
  if (excess <= 0) return undefined;
  for (const { hour, sends } of counts.toSorted((left, right) => Number(left.hour - right.hour))) {
    excess -= sends;
    if (excess <= 0) return secondsUntil((hour + HOURS_OF_DAY) * HOUR_MS, nowMs);
  }
  return undefined;
}
