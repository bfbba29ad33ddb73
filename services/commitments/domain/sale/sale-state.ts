import type { Lease } from "./lease.ts";
import type { SaleStage, SaleStatus } from "./sale.ts";

/** The point of a chain at which a state was read. */
export interface SourcePosition {
  /** Block number or slot. */
  readonly height: bigint;
  /** Lower-case hex; empty where the chain is read by slot. */
  readonly hash: string;
}

/** How far the reading of a whole contract has come. */
export interface SweepProgress {
  readonly rowsDone: bigint;
  readonly rowsTotal: bigint;
  readonly running: boolean;
  /** Sweep requests that had been made when it began. */
  readonly sweepRequests: bigint;
}

/** What the reader of a sale's source last found. */
export interface SourceReport {
  readonly headHeight: bigint;
  /** Why the source can't be read; empty while it can. */
  readonly fault: string;
  /** What is wrong with the source though it is read; else empty. */
  readonly warning: string;
  readonly sweep: SweepProgress;
}

export interface SourceStatus extends SourceReport {
  /** 0 before the first report. */
  readonly checkedAtMillis: bigint;
  /** Sweeps that have been asked for. */
  readonly sweepRequests: bigint;
}

/** A change set that was begun and isn't finished. */
export interface OpenChangeSet {
  readonly uuid: string;
  readonly nextPart: number;
  /** The stage that its parts bring, all the same one. */
  readonly stage?: SaleStage;
}

/** What moves with the commitments of a sale. */
export interface SaleState {
  /** 16 hex digits: random, renewed after a restore. */
  readonly generation: string;
  readonly revision: bigint;
  readonly status: SaleStatus;
  /** The last stage that the source told. */
  readonly stage?: SaleStage;
  /** How often the sale has become settled; re-organisations can undo it. */
  readonly settleCount: bigint;
  /** Always true for a sale without a source. */
  readonly hasSnapshot: boolean;
  /** Only of an auction that isn't a draft. */
  readonly clearingTick?: bigint;
  readonly sourcePosition?: SourcePosition;
  readonly lease: Lease;
  readonly changeSet?: OpenChangeSet;
}

/** The state of a sale that was just created. */
export function newSaleState(generation: string, hasSource: boolean): SaleState {
  return {
    generation,
    revision: 1n,
    status: "draft",
    settleCount: 0n,
    hasSnapshot: !hasSource,
    lease: { holder: "", epoch: 0n, untilMillis: 0n },
  };
}

/** Status and settle count after the source told `stage`; a settled sale that goes back was re-organised. */
export function withStage(state: SaleState, stage: SaleStage | undefined): SaleState {
  if (stage === undefined || state.status === "draft") return state;
  const settled = stage === "done";
  const status = settled ? "settled" : "open";
  const settleCount = settled && state.status === "open" ? state.settleCount + 1n : state.settleCount;
  return { ...state, stage, status, settleCount };
}
