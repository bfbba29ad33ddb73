import { secondsUntil } from "../../../common/platform/rate-limits/rate-limit.ts";
import { CODE_MAILS_A_DAY, CODE_MAILS_AN_HOUR } from "../base/lifetimes.ts";

export const HOUR_MS = 3_600_000n;
/** The hours that count as a day, the present one included. */
export const HOURS_OF_DAY = 24n;

/** The codes sent to one address in one hour; hours are counted since 1970. */
export interface HourlySends {
  readonly hour: bigint;
  readonly sends: number;
}

export function hourOf(nowMs: bigint): bigint {
  return nowMs / HOUR_MS;
}

/** One of the allowances of an address: each has the two limits for itself. */
export interface SendAllowance {
  /** Whether this send may be counted there. */
  readonly isAllowed: boolean;
  /** The last 24 hours. */
  readonly sends: readonly HourlySends[];
}

export type SendDecision<Allowance> =
  | { readonly counted: Allowance }
  /** No allowance has room. */
  | { readonly counted?: undefined; readonly retryAfterSeconds: number };

/** Returns the first allowance that has room for one more send. */
export function chooseAllowance<Allowance extends SendAllowance>(
  allowances: readonly Allowance[],
  nowMs: bigint,
): SendDecision<Allowance> {
  const allowed = allowances.filter(({ isAllowed }) => isAllowed);
  const waits = allowed.map(({ sends }) => secondsUntilNextSend(withOneMore(sends, hourOf(nowMs)), nowMs));
  const counted = allowed[waits.indexOf(undefined)];
  if (counted !== undefined) return { counted };
  return { retryAfterSeconds: Math.min(...waits.map((seconds) => seconds ?? 0)) };
}

function withOneMore(sends: readonly HourlySends[], hour: bigint): readonly HourlySends[] {
  const others = sends.filter((count) => count.hour !== hour);
  const inThisHour = sends.find((count) => count.hour === hour)?.sends ?? 0;
  return [...others, { hour, sends: inThisHour + 1 }];
}

/**
 * Checks the latest send against two limits: 5 in this hour of the clock, and 20 in the last 24 of them.
 *
 * @param counts the last 24 hours, with the latest send.
 * @returns whole seconds until the next send is allowed; undefined if the latest one is within the limits.
 */
export function secondsUntilNextSend(counts: readonly HourlySends[], nowMs: bigint): number | undefined {
  const thisHour = hourOf(nowMs);
  const inThisHour = counts.find(({ hour }) => hour === thisHour)?.sends ?? 0;
  const untilDay = secondsOfFullDay(counts, nowMs);
  if (untilDay !== undefined) return untilDay;
  return inThisHour > CODE_MAILS_AN_HOUR ? secondsUntil((thisHour + 1n) * HOUR_MS, nowMs) : undefined;
}

/** The whole seconds until enough old hours no longer count, so that one more send is allowed. */
function secondsOfFullDay(counts: readonly HourlySends[], nowMs: bigint): number | undefined {
  let excess = counts.reduce((sum, { sends }) => sum + sends, 0) - CODE_MAILS_A_DAY;
  if (excess <= 0) return undefined;
  for (const { hour, sends } of counts.toSorted((left, right) => Number(left.hour - right.hour))) {
    excess -= sends;
    if (excess <= 0) return secondsUntil((hour + HOURS_OF_DAY) * HOUR_MS, nowMs);
  }
  return undefined;
}
