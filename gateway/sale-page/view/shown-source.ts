import type { CommitmentCache, FeedObservation } from "../../public-read/cache/commitment-cache.ts";
import { behindSecondsOf, faultOf, publicAsOf } from "../../public-read/cache/feed-fields.ts";
import type { Source } from "../browser/source-text.js";

/**
 * Returns what a page says of where a sale's figures come from. It says how old they are only while they stand still, so that it
 * doesn't change each second.
 *
 * @param now of the monotonic clock, in milliseconds
 */
export function shownSource(
  observation: FeedObservation | undefined,
  now: number,
  { unreachableAfterMs }: Pick<CommitmentCache, "unreachableAfterMs">,
): Source {
  const fault = faultOf(observation, now, unreachableAfterMs);
  const source = { AsOf: publicAsOf(observation?.state?.asOf) ?? null, Fault: fault };
  if (fault === "" || observation === undefined) return source;
  return { ...source, BehindSeconds: behindSecondsOf(observation, now) };
}
