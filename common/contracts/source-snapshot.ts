import type { SourcePosition } from "../chains/base/source-position.ts";
import type { SaleStage } from "../sale/state/stage.ts";
import type { SourceCommitment } from "./source-commitment.ts";

/** A part of the differences between source and store. */
export interface Difference {
  readonly upserts: readonly SourceCommitment[];
  /** Commitment IDs. */
  readonly removals: readonly string[];
}

/**
 * A consistent snapshot of a source, as differences from the store: once all of them are applied, the store equals the
 * source at one block.
 */
export interface Snapshot {
  readonly position: SourcePosition;
  readonly stage?: SaleStage;
  /** The newest height that the chain is known to have. */
  readonly headHeight: bigint;
  /** Whether everything was read again, or only what changed. */
  readonly kind: "sweep" | "partial";
  /** Number of rows in the source. */
  readonly count: bigint;
  /** The source's own totals of what it accepts, raw, by token; absent where it doesn't say its allocations. */
  readonly allocationTotals?: ReadonlyMap<string, bigint>;
  /**
   * Read during the iteration, one chunk in memory at a time. The iteration throws a `SourceFault` if the source turns out
   * to be inconsistent; then nothing of the snapshot may become visible.
   */
  readonly differences: AsyncIterable<Difference>;
  /** Rows read so far during the iteration, to show the progress of a sweep. */
  rowsRead(): bigint;
  /** A problem of the source that doesn't prevent publishing, as a text for founders. Known after the iteration. */
  warning(): string | undefined;
}
