import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { REPLAY_WINDOW_MS } from "../base/domain/lifetimes.ts";

/** The most events of a sale that are sent again in an hour, to all its endpoints together: all that is kept, to each of five. */
const MAX_REPLAYED_AN_HOUR = 5_000;

/** The number of events that were sent again in an hour. */
export interface ReplayedInHour {
  /** The beginning of the hour, in milliseconds since 1970. */
  readonly sinceMillis: bigint;
  readonly events: number;
}

/**
 * Counts events that are sent again. An hour begins with the first of them.
 *
 * @param before what was counted last; undefined for nothing
 * @throws ServiceError `resource_exhausted` if they are too many for the hour
 */
export function countReplayed(before: ReplayedInHour | undefined, events: number, nowMillis: bigint): ReplayedInHour {
  const isOver = before === undefined || nowMillis - before.sinceMillis >= REPLAY_WINDOW_MS;
  const counted = isOver ? { sinceMillis: nowMillis, events } : { ...before, events: before.events + events };
  if (counted.events <= MAX_REPLAYED_AN_HOUR) return counted;
  const message = `a sale may send ${MAX_REPLAYED_AN_HOUR} events again an hour; try again later`;
  const retryAfterSeconds = Math.max(1, Math.ceil(Number(counted.sinceMillis + REPLAY_WINDOW_MS - nowMillis) / 1_000));
  throw new ServiceError("resource_exhausted", message, { retryAfterSeconds });
}
