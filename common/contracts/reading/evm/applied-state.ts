import type { SourcePosition } from "../../../chains/base/source-position.ts";

/** Number of rows and their sums, at the store's position. */
export interface RowSummary {
  readonly count: bigint;
  readonly sums: ReadonlyMap<string, bigint>;
}

/** State of the contract as of an applied snapshot. Valid as long as the store keeps that position. */
export interface AppliedState extends RowSummary {
  readonly position: SourcePosition;
  readonly stageNumber: number | undefined;
  /** Index from which on rows were read at one block only, by a partial read of fixed rows; else `count`. */
  readonly readOnceFrom: bigint;
  /** Whether the rows have what is accepted of them. */
  readonly allocated: boolean;
  /** Whether the contract's rows and functions allow partial reads. */
  readonly allowsPartial: boolean;
}
