/** An answer of another clock, between two times of this process's. All in milliseconds since 1970. */
export interface ClockReading {
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  readonly otherMs: number;
}

export interface ClockDifference {
  /** How far this process's clock is ahead of the other, in milliseconds; negative if it is behind. */
  readonly aheadMs: number;
  /** The most by which `aheadMs` may be wrong, in milliseconds: half of the round trip. */
  readonly uncertaintyMs: number;
}

/** Differences beyond which something happens, in milliseconds. */
export const CLOCK_BOUNDS = {
  /** The log warns. */
  warning: 2_000,
  /** The alert fires, too. */
  alert: 5_000,
  /** The process takes no calls: two such processes are together no further apart than tokens between services bear. */
  unready: 30_000,
} as const;

export type ClockLevel = "fine" | keyof typeof CLOCK_BOUNDS;

/**
 * Returns the difference by the quickest of several readings: whatever time an answer took, the other clock was read within
 * it. Undefined without a reading whose times are in order, as those aren't where this clock was set back meanwhile.
 */
export function clockDifference(readings: readonly ClockReading[]): ClockDifference | undefined {
  const inOrder = readings.filter(({ askedAtMs, answeredAtMs }) => answeredAtMs >= askedAtMs);
  const [quickest] = inOrder.toSorted((one, other) => roundTripMs(one) - roundTripMs(other));
  if (quickest === undefined) return undefined;
  const uncertaintyMs = roundTripMs(quickest) / 2;
  return { aheadMs: quickest.askedAtMs + uncertaintyMs - quickest.otherMs, uncertaintyMs };
}

/** Returns the part of a difference that is certain, with its sign: a slow answer proves nothing. Milliseconds. */
export function certainDifferenceMs({ aheadMs, uncertaintyMs }: ClockDifference): number {
  const certainMs = Math.max(0, Math.abs(aheadMs) - uncertaintyMs);
  return aheadMs < 0 ? 0 - certainMs : certainMs;
}

/** @param certainMs of `certainDifferenceMs` */
export function clockLevel(certainMs: number): ClockLevel {
  const distanceMs = Math.abs(certainMs);
  if (distanceMs > CLOCK_BOUNDS.unready) return "unready";
  if (distanceMs > CLOCK_BOUNDS.alert) return "alert";
  return distanceMs > CLOCK_BOUNDS.warning ? "warning" : "fine";
}

/** @param comparedWith the owner of the other clock, such as `auth database` */
export function clockDifferenceText({ aheadMs }: ClockDifference, comparedWith: string): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const side = aheadMs < 0 ? "behind" : "ahead of";
  return `this process's clock is ${seconds} s ${side} that of the ${comparedWith}`;
}

function roundTripMs({ askedAtMs, answeredAtMs }: ClockReading): number {
  return answeredAtMs - askedAtMs;
}
