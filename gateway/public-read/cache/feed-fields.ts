import { type Duration, durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { FEED_FAULTS } from "../../../common/sale/words/feed-fault.ts";
import { sourceFaultWords } from "../../../common/sale/words/source-fault.ts";
import { type AsOf, FeedFault } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { FeedObservation } from "./commitment-cache.ts";
import { hex } from "./public-body.ts";

/**
 * Returns why a sale's figures stand still, or can't be relied on, in words for visitors of a page; empty while they can.
 *
 * @param unreachableAfterMs time without an answer after which the commitments service counts as unreachable
 */
export function faultOf(observation: FeedObservation | undefined, now: number, unreachableAfterMs: number): string {
  const { unreachable, different } = FEED_FAULTS;
  if (observation === undefined) return unreachable;
  const { sale, state, knownAt, confirmedAt } = observation;
  const ofAllocations = sale?.allocations?.differs ? different : "";
  if (state?.final) return ofAllocations;
  if (now - Math.min(knownAt, confirmedAt) > unreachableAfterMs) return unreachable;
  const fault = state?.fault ?? FeedFault.UNSPECIFIED;
  if (fault === FeedFault.UNSPECIFIED) return ofAllocations;
  // A commitments service of a later version may have reasons that this gateway has no words for.
  return FEED_FAULTS[sourceFaultWords(fault)?.publicName ?? "unreadable"];
}

/** Returns the whole seconds since the figures were last known to be those of the contract. */
export function behindSecondsOf({ state, knownAt }: Pick<FeedObservation, "state" | "knownAt">, now: number): number {
  return state?.final ? 0 : Math.floor((millisOf(state?.behind) + now - knownAt) / 1_000);
}

/** Returns the block up to which figures are current as a public field; undefined where there is none. */
export function publicAsOf(asOf: AsOf | undefined) {
  if (asOf?.position === undefined || asOf.lastSuccess === undefined) return undefined;
  const { position, blockTime, lastSuccess } = asOf;
  return {
    Block: position.height.toString(),
    // JSON.stringify leaves out undefined fields.
    BlockHash: position.hash.length === 0 ? undefined : hex(position.hash),
    BlockTime: blockTime === undefined ? undefined : wholeSeconds(timestampMs(blockTime)),
    LastSuccess: wholeSeconds(timestampMs(lastSuccess)),
  };
}

function millisOf(duration: Duration | undefined): number {
  return duration === undefined ? 0 : durationMs(duration);
}

function wholeSeconds(millis: number): number {
  return Math.floor(millis / 1_000);
}
