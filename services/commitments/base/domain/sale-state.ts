import type { SaleStage } from "../../../../common/sale/state/stage.ts";
import type { SaleStatus } from "../../../../common/sale/state/status.ts";
import { endedLease, type Lease } from "./lease.ts";
import type { SaleAllocations } from "./sale-allocations.ts";

/** The point of a chain at which a state was read. */
export interface SourcePosition {
  /** Block number or slot. */
  readonly height: bigint;
  /** Lower-case hex; empty where the chain is read by slot. */
  readonly hash: string;
}

/** Progress of a sweep: a read of the whole contract. */
export interface SweepProgress {
  readonly rowsDone: bigint;
  readonly rowsTotal: bigint;
  readonly running: boolean;
  /** The number of the last sweep request when it began. */
  readonly sweepRequests: bigint;
}

/** The chain of a sale's source, as its reader is configured. */
export interface SourceChain {
  /** The EIP-155 chain ID; 0 on Solana. */
  readonly chainId: bigint;
  /** The page of the contract at a block explorer; empty if none is configured. */
  readonly contractUrl: string;
}

/** The last report of the reader of a sale's source. */
export interface SourceReport {
  readonly headHeight: bigint;
  /** The reason why the source can't be read; empty while it can. */
  readonly fault: string;
  /** Absent in reports of readers of an older version. */
  readonly chain?: SourceChain;
  /** A problem of the source that doesn't prevent reading it; else empty. */
  readonly warning: string;
  readonly sweep: SweepProgress;
}

/** An addition to a reader's report, when it has found the stored commitments equal to those of the source. */
export interface ReportedSuccess {
  readonly position: SourcePosition;
  readonly blockTimeSeconds?: bigint;
  readonly readIntervalMillis: bigint;
}

/** The last time that a reader found the stored commitments equal to those of the source. */
export interface SourceSuccess {
  readonly atMillis: bigint;
  /** Absent in reports of readers of an older version. */
  readonly position?: SourcePosition;
  /** The block's own time, if it is known. */
  readonly blockTimeSeconds?: bigint;
}

export interface SourceStatus extends SourceReport {
  readonly lastSuccess?: SourceSuccess;
  /** The longest time between two reads; 0 if it isn't known. */
  readonly readIntervalMillis: bigint;
  /** The time of the first report on the sale as settled; absent while it isn't settled. */
  readonly settledSinceMillis?: bigint;
  /** 0 before the first report. */
  readonly checkedAtMillis: bigint;
  /** The number of sweeps that were requested. */
  readonly sweepRequests: bigint;
}

/** A change set whose last part hasn't been applied yet. */
export interface OpenChangeSet {
  readonly uuid: string;
  readonly nextPart: number;
  /** The stage in its parts; all have the same. */
  readonly stage?: SaleStage;
}

/** Commitments that came long after they were made, and aren't at their own time in the sale's history yet. */
export interface LateRows {
  /** The earliest time of one, in seconds since 1970. */
  readonly fromSeconds: bigint;
  /** The first revision that has all of them. */
  readonly revision: bigint;
}

/** The part of a sale that changes with its commitments. */
export interface SaleState {
  /** 16 hex digits: random, renewed after a restore. */
  readonly generation: string;
  readonly revision: bigint;
  readonly status: SaleStatus;
  /** The last stage that was read from the source. */
  readonly stage?: SaleStage;
  /** The number of times the sale was settled; a re-organisation of the chain can undo a settlement. */
  readonly settleCount: bigint;
  /** Always true for a sale without a source. */
  readonly hasSnapshot: boolean;
  /** Only in an auction that isn't a draft. */
  readonly clearingTick?: bigint;
  readonly sourcePosition?: SourcePosition;
  /** The position of the last apply that made a revision; absent if that came without one. */
  readonly changedPosition?: SourcePosition;
  readonly lease: Lease;
  readonly changeSet?: OpenChangeSet;
  /** Commitments up to this ID (64 hex digits) have their rows by wallet; `NONE_FILLED` or `ALL_FILLED` in most sales. */
  readonly walletsFilledTo: string;
  /** Absent while nothing is known of allocations, and no row of one is stored. */
  readonly allocations?: SaleAllocations;
  readonly lateRows?: LateRows;
}

/** No commitment is known to have its rows by wallet: the sale is older than they are. */
export const NONE_FILLED = "";
/** The greatest commitment ID: all commitments have their rows by wallet. */
export const ALL_FILLED = "f".repeat(64);

/** Makes the state of a new sale. */
export function newSaleState(generation: string, hasSource: boolean): SaleState {
  return {
    generation,
    revision: 1n,
    status: "draft",
    settleCount: 0n,
    hasSnapshot: !hasSource,
    lease: { holder: "", epoch: 0n, untilMillis: 0n },
    walletsFilledTo: ALL_FILLED,
  };
}

/** Whether a sale is for the public, as soon as it has a snapshot. */
export function isPublic({ status }: Pick<SaleState, "status">): boolean {
  return status === "open" || status === "settled";
}

/**
 * Whether much of the definition is frozen. It isn't as long as a source has never been read whole: nobody has seen figures,
 * and the source may be the mistake.
 */
export function isFrozen(state: Pick<SaleState, "status" | "hasSnapshot">): boolean {
  return state.status !== "draft" && state.hasSnapshot;
}

/** Returns the state after a change of what readers see that comes from no block. */
export function withoutChangedPosition({ changedPosition: _, ...state }: SaleState): SaleState {
  return state;
}

/** Returns the state of an open sale before the first read of its source, which nobody reads under an earlier lease. */
export function beforeFirstRead(state: SaleState, hasSource: boolean): SaleState {
  const { changeSet: _set, sourcePosition: _position, changedPosition: _changed, ...kept } = state;
  const { stage: _stage, clearingTick: _tick, allocations: _allocations, lateRows: _late, ...rest } = kept;
  return { ...rest, status: "open", hasSnapshot: !hasSource, lease: endedLease(state.lease) };
}

/**
 * Returns the state of the sale once it is withdrawn. It has no snapshot any more: a process of the version before, which
 * doesn't know this status, doesn't show it either.
 */
export function withdrawn({ changeSet: _, ...state }: SaleState): SaleState {
  return { ...state, status: "withdrawn", hasSnapshot: false, lease: endedLease(state.lease) };
}

/** Returns the state after the source has reported `stage`. A settled sale that becomes open again was re-organised. */
export function withStage(state: SaleState, stage: SaleStage | undefined): SaleState {
  if (stage === undefined || !isPublic(state)) return state;
  const settled = stage === "done";
  const status = settled ? "settled" : "open";
  const settleCount = settled && state.status === "open" ? state.settleCount + 1n : state.settleCount;
  return { ...state, stage, status, settleCount };
}
