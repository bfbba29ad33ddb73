import {
  FINAL_AFTER_MS,
  LATE_AFTER_MS,
  LATE_AFTER_READS,
  NO_INDEXER_AFTER_MS,
  UNREADABLE_AFTER_MS,
} from "./lifetimes.ts";
import type { SaleState, SourceChain, SourcePosition, SourceStatus } from "./sale-state.ts";

/** The reason why the figures of a sale with a source stand still. */
export type FeedFault = "unreadable" | "late" | "no_indexer";

/** The block or slot up to which the figures are known to be those of the source. */
export interface AsOf {
  readonly position: SourcePosition;
  /** The block's own time, if it is known. */
  readonly blockTimeSeconds?: bigint;
  readonly lastSuccessMillis: bigint;
}

/** State of a sale's figures at a time: how current they are. */
export interface FeedState {
  /** Absent before the first success. */
  readonly asOf?: AsOf;
  /** Time since the last success. */
  readonly behindMillis: bigint;
  readonly fault?: FeedFault;
  /** Whether the sale is settled and nothing can change any more. */
  readonly isFinal: boolean;
  /** Absent before a reader has reported it. */
  readonly chain?: SourceChain;
}

/** The parts of a sale's state that say, besides the reports, how current its figures are. */
export interface FeedFacts extends Pick<SaleState, "sourcePosition" | "hasSnapshot"> {
  readonly leaseUntilMillis: bigint;
}

/** Says how current a sale's figures are. @param nowMillis the database's clock */
export function feedStateOf(facts: FeedFacts, status: SourceStatus, nowMillis: bigint): FeedState {
  const asOf = asOfOf(status, facts.sourcePosition);
  const { chain } = status;
  const shown = { ...(asOf && { asOf }), ...(chain && { chain }) };
  if (isFinal(status)) return { ...shown, behindMillis: 0n, isFinal: true };
  // The clock of this database server may be behind that of the one that stored the report.
  const behindMillis = asOf === undefined ? 0n : largest(nowMillis - asOf.lastSuccessMillis, 0n);
  const fault = faultOf(facts, status, asOf && behindMillis, nowMillis);
  return { ...shown, behindMillis, ...(fault && { fault }), isFinal: false };
}

/** A reader of an older version reports without a position: then it is the one of the last apply. */
function asOfOf({ lastSuccess }: SourceStatus, applied: SourcePosition | undefined): AsOf | undefined {
  const position = lastSuccess?.position ?? applied;
  if (lastSuccess === undefined || position === undefined) return undefined;
  const { atMillis, blockTimeSeconds } = lastSuccess;
  return { position, lastSuccessMillis: atMillis, ...(blockTimeSeconds === undefined ? {} : { blockTimeSeconds }) };
}

function isFinal({ settledSinceMillis, lastSuccess }: SourceStatus): boolean {
  if (settledSinceMillis === undefined || lastSuccess === undefined) return false;
  return lastSuccess.atMillis - settledSinceMillis >= FINAL_AFTER_MS;
}

/** @param behindMillis undefined before the first success */
function faultOf(
  { leaseUntilMillis, hasSnapshot }: FeedFacts,
  { fault, readIntervalMillis }: SourceStatus,
  behindMillis: bigint | undefined,
  nowMillis: bigint,
): FeedFault | undefined {
  if (nowMillis - leaseUntilMillis > NO_INDEXER_AFTER_MS) return "no_indexer";
  const hasFailed = fault !== "";
  if (hasFailed && (behindMillis === undefined || behindMillis > UNREADABLE_AFTER_MS)) return "unreadable";
  // Until the first snapshot is whole there are no figures that could stand still.
  if (!hasSnapshot || behindMillis === undefined) return undefined;
  return behindMillis > largest(LATE_AFTER_READS * readIntervalMillis, LATE_AFTER_MS) ? "late" : undefined;
}

function largest(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
