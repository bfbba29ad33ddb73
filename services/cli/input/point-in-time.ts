import { DURATION_UNITS, parseQuantity } from "../../../common/platform/config/quantity.ts";
import { UsageError } from "../base/cli-error.ts";

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;

/**
 * Reads a time in UTC, or a duration.
 *
 * @param timeAfter the time for a duration in milliseconds, such as one before now
 * @returns milliseconds since 1970
 * @throws UsageError naming the option
 */
export function pointInTime(option: string, text: string, timeAfter: (durationMillis: number) => number): number {
  const duration = parseQuantity(text, DURATION_UNITS);
  const time = duration === undefined ? timeOf(text) : timeAfter(duration);
  if (time >= 0) return time;
  throw new UsageError(
    `--${option} ${JSON.stringify(text)} is neither a time such as 2026-01-31T12:00:00Z nor a duration such as 2h`,
  );
}

function timeOf(text: string): number {
  return TIME.test(text) ? Date.parse(text) : Number.NaN;
}
