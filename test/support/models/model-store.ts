import type { SourcePosition } from "../../../common/chains/base/source-position.ts";
import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import type { StoredDigest, StoredSale } from "../../../common/contracts/source-reader.ts";
import type { Snapshot } from "../../../common/contracts/source-snapshot.ts";
import { commitmentDigest } from "../../../common/sale/record/commitment-digest.ts";

/** A model of a sale in the commitments service: parts are written at once, and visible after the last one. */
export class ModelStore implements StoredSale {
  readonly paymentTokens: readonly string[];
  contractVersion?: number;
  cancelledKeepsAmounts = false;
  /** Rows in lists of digests and records, including parts of an unfinished snapshot. */
  readonly rows = new Map<string, SourceCommitment>();
  /** The rows that users see. */
  visible: readonly SourceCommitment[] = [];
  /** The totals of allocations of the last snapshot; undefined while they aren't known. */
  allocationTotals: ReadonlyMap<string, bigint> | undefined;
  position?: SourcePosition;
  hasSnapshot = false;
  digestRanges = 0;

  constructor(paymentTokens: readonly string[]) {
    this.paymentTokens = paymentTokens;
  }

  /** Applies a snapshot, part by part. If its iteration throws, nothing new is visible. */
  async apply(snapshot: Snapshot): Promise<void> {
    this.hasSnapshot = false;
    for await (const { upserts, removals } of snapshot.differences) {
      for (const row of upserts) this.rows.set(row.commitmentId, row);
      for (const id of removals) this.rows.delete(id);
    }
    this.position = snapshot.position;
    this.allocationTotals = snapshot.allocationTotals;
    this.visible = this.#sorted();
    this.hasSnapshot = true;
  }

  async *digests(from: bigint, to: bigint): AsyncGenerator<StoredDigest> {
    this.digestRanges += 1;
    for (const row of this.#sorted()) {
      const { sourceIndex, commitmentId } = row;
      if (sourceIndex < from || sourceIndex >= to) continue;
      yield { sourceIndex, commitmentId, digest: commitmentDigest(row) };
    }
  }

  async records(commitmentIds: readonly string[]): Promise<readonly SourceCommitment[]> {
    return commitmentIds.flatMap((id) => this.rows.get(id) ?? []);
  }

  #sorted(): readonly SourceCommitment[] {
    return [...this.rows.values()].sort((a, b) => {
      if (a.sourceIndex !== b.sourceIndex) return a.sourceIndex < b.sourceIndex ? -1 : 1;
      return a.commitmentId < b.commitmentId ? -1 : 1;
    });
  }
}
