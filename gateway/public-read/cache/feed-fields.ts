import { type Duration, durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { type AsOf, FeedFault } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { FeedObservation } from "./commitment-cache.ts";
import { hex } from "./public-body.ts";

/** The reasons why figures stand still, in words for visitors of a page. */
const WORDS: Readonly<Record<FeedFault, string>> = {
  [FeedFault.UNSPECIFIED]: "",
  [FeedFault.UNREADABLE]: "The sale's contract can't be read at the moment.",
  [FeedFault.LATE]: "Reading the sale's contract takes longer than usual.",
  [FeedFault.NO_INDEXER]: "The sale's contract isn't being read at the moment.",
};
/** The words for allocations that don't add up to the contract's own totals. */
const DIFFERENT_ALLOCATIONS = "The accepted amounts don't add up to the total that the sale's contract says.";
/** The reason while the commitments service doesn't answer. */
export const UNREACHABLE = "The sale's figures can't be brought up to date at the moment.";
/** All sentences that `faultOf` returns. Pages write them in the reader's language. */
export const FAULT_SENTENCES: readonly string[] = [...Object.values(WORDS), DIFFERENT_ALLOCATIONS, UNREACHABLE].filter(
  (sentence) => sentence !== "",
);

/**
 * Returns why a sale's figures stand still, or can't be relied on, in words for visitors of a page; empty while they can.
 *
 * @param unreachableAfterMs time without an answer after which the commitments service counts as unreachable
 */
export function faultOf(observation: FeedObservation | undefined, now: number, unreachableAfterMs: number): string {
  if (observation === undefined) return UNREACHABLE;
  const { sale, state, knownAt, confirmedAt } = observation;
  const ofAllocations = sale?.allocations?.differs ? DIFFERENT_ALLOCATIONS : "";
  if (state?.final) return ofAllocations;
  if (now - Math.min(knownAt, confirmedAt) > unreachableAfterMs) return UNREACHABLE;
  // A commitments service of a later version may have reasons that this gateway has no words for.
  return (WORDS[state?.fault ?? FeedFault.UNSPECIFIED] ?? WORDS[FeedFault.UNREADABLE]) || ofAllocations;
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
