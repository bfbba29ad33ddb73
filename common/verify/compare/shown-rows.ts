import type { SourceCommitment } from "../../contracts/source-commitment.ts";
import type { RowTable } from "./row-table.ts";

/** Every commitment that Tidemark shows, at the revision of the figures. */
export interface ShownRows {
  readonly table: RowTable;
  /** Commitments whose own parts don't fit each other, such as an amount that isn't the sum of its amounts. */
  readonly contradictions: readonly ShownContradiction[];
  /** Their whole number. */
  readonly contradictionCount: number;
  /** Reads commitments by their IDs as they are now; unknown ones are left out. */
  records(commitmentIds: readonly string[], signal: AbortSignal): Promise<readonly SourceCommitment[]>;
}

/** A derived value of a commitment that isn't the one that follows from its record. */
export interface ShownContradiction {
  readonly commitmentId: string;
  readonly field: "amount" | "active" | "number";
  readonly shown: string;
  readonly derived: string;
}
