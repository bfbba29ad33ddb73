import type { TickWidth } from "./tick-width.ts";

/** Returns the highest number of ticks of a sale in words for people who call the API. */
export function ticksBound(width: TickWidth): string {
  return width === 8 ? "2^64-1, or to 2^160-1 where wide_prices is set" : "2^160-1";
}
