import type {
  Snapshot,
  SourceCommitment,
  SourcePosition,
  StoredDigest,
  StoredSale,
} from "../../services/indexer/source/source-reader.ts";
import { commitmentDigest } from "../../services/shared/commitment-record/commitment-digest.ts";

/** What the commitments service keeps of a sale: parts are written as they come, and shown when the last one is in. */
export class ModelStore implements StoredSale {
  readonly paymentTokens: readonly string[];
  /** As listed to readers of digests and records, parts of an unfinished reading included. */
  readonly rows = new Map<string, SourceCommitment>();
  /** As users see it. */
  visible: readonly SourceCommitment[] = [];
  position?: SourcePosition;
  hasSnapshot = false;
  digestRanges = 0;

  constructor(paymentTokens: readonly string[]) {
    this.paymentTokens = paymentTokens;
  }

  /** Applies a reading, part by part; rethrows what its iteration throws, after which nothing new is visible. */
  async apply(snapshot: Snapshot): Promise<void> {
    this.hasSnapshot = false;
    for await (const { upserts, removals } of snapshot.differences) {
      for (const row of upserts) this.rows.set(row.commitmentId, row);
      for (const id of removals) this.rows.delete(id);
    }
    this.position = snapshot.position;
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
