import { UsageError } from "../base/cli-error.ts";

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/**
 * Reads a time in UTC.
 *
 * @returns seconds since 1970
 * @throws UsageError naming the option
 */
export function utcSeconds(option: string, text: string): bigint {
  const millis = TIME.test(text) ? Date.parse(text) : Number.NaN;
  // Some engines turn 30 February into a day of March.
  const isTime = millis >= 0 && new Date(millis).toISOString() === text.replace("Z", ".000Z");
  if (isTime) return BigInt(millis / 1_000);
  throw new UsageError(`--${option} ${JSON.stringify(text)} is no time such as 2026-01-31T12:00:00Z`);
}
