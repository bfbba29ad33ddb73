import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { PermitCount } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";

/** Permits of an hour or a day. */
export interface PermitSpan {
  readonly fromMs: number;
  readonly permits: bigint;
}

/** Permits over time, without gaps, the earliest first. */
export interface PermitSeries {
  readonly unit: "hour" | "day";
  readonly spans: readonly PermitSpan[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** While all permits are as new as that, hours are shown. */
const HOURS = 48;
const DAYS = 30;

/** Returns the permits of the last 48 hours by hour, or those of the last 30 days by day if there are older ones. UTC. */
export function permitSeries(hours: readonly PermitCount[], nowMs: number): PermitSeries {
  const counts = hours.map(({ hour, permits }) => ({ fromMs: hour === undefined ? 0 : timestampMs(hour), permits }));
  const firstHour = startOf(nowMs, HOUR_MS) - (HOURS - 1) * HOUR_MS;
  const isByHour = counts.every(({ fromMs }) => fromMs >= firstHour);
  const [spanMs, length] = isByHour ? [HOUR_MS, HOURS] : [DAY_MS, DAYS];
  const sums = new Map<number, bigint>();
  for (const { fromMs, permits } of counts) {
    const start = startOf(fromMs, spanMs);
    sums.set(start, (sums.get(start) ?? 0n) + permits);
  }
  const last = startOf(nowMs, spanMs);
  const spans = Array.from({ length }, (_, index) => {
    const fromMs = last - (length - 1 - index) * spanMs;
    return { fromMs, permits: sums.get(fromMs) ?? 0n };
  });
  return { unit: isByHour ? "hour" : "day", spans };
}

function startOf(ms: number, spanMs: number): number {
  return ms - (ms % spanMs);
}
