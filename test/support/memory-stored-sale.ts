import { Buffer } from "node:buffer";
import type { Reading, SourceCommitment, SourcePosition, StoredSale } from "../../services/indexer/source-reader.ts";
import { commitmentDigest } from "../../services/shared/commitment-digest.ts";

/** What the commitments service would have of a sale: a reading takes effect as a whole or not at all. */
export class MemoryStoredSale implements StoredSale {
  readonly paymentTokens: readonly string[];
  #rows: ReadonlyMap<string, SourceCommitment> = new Map();
  position?: SourcePosition;
  hasSnapshot = false;
  stage: Reading["stage"];

  constructor(paymentTokens: readonly string[]) {
    this.paymentTokens = paymentTokens;
  }

  get rows(): readonly SourceCommitment[] {
    return [...this.#rows.values()].sort((a, b) => (a.commitmentId < b.commitmentId ? -1 : 1));
  }

  async *digests(from: bigint, to: bigint) {
    const rows = this.rows.filter(({ sourceIndex }) => sourceIndex >= from && sourceIndex < to);
    for (const row of rows.sort((a, b) => Number(a.sourceIndex - b.sourceIndex))) {
      const { sourceIndex, commitmentId } = row;
      yield { sourceIndex, commitmentId, digest: Buffer.from(commitmentDigest(row)).toString("hex") };
    }
  }

  async records(commitmentIds: readonly string[]): Promise<readonly SourceCommitment[]> {
    if (commitmentIds.length > 500) throw new Error("at most 500 IDs");
    return commitmentIds.map((id) => this.#rows.get(id)).filter((row) => row !== undefined);
  }

  /** @returns how many rows were written or removed. */
  async apply(reading: Reading): Promise<number> {
    const rows = new Map(this.#rows);
    const touched = new Set<string>();
    const touch = (id: string) => {
      if (touched.has(id)) throw new Error("a commitment stands twice in a reading");
      touched.add(id);
    };
    for await (const { upserts, removals } of reading.differences) {
      for (const row of upserts) {
        touch(row.commitmentId);
        rows.set(row.commitmentId, row);
      }
      for (const id of removals) {
        touch(id);
        rows.delete(id);
      }
    }
    if (new Set([...rows.values()].map(({ sourceIndex }) => sourceIndex)).size !== rows.size) {
      throw new Error("two commitments have one source index");
    }
    this.#rows = rows;
    this.position = reading.position;
    this.stage = reading.stage;
    this.hasSnapshot = true;
    return touched.size;
  }
}
