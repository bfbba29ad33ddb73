import { Buffer } from "node:buffer";
import { IdSet } from "../../contracts/reading/evm/id-set.ts";
import { commitmentDigest, type DigestedCommitment } from "../../sale/record/commitment-digest.ts";

/** Digest, index, and flags. */
const CELL_BYTES = 16 + 8 + 1;
const INDEX_AT = 16;
const FLAGS_AT = 24;
const FIRST_ROWS = 1024;
const ACTIVE = 1;
const SEEN = 2;
/** The index of a row without one. No contract has so many rows. */
const NO_INDEX = 2n ** 64n - 1n;

/** A row as it is looked up. */
export interface TableRow {
  /** Hex. */
  readonly digest: string;
  readonly sourceIndex: bigint | undefined;
  /** Whether the row is shown as one that counts. */
  readonly active: boolean;
}

/** Digests of the rows that Tidemark shows, in 90 bytes each, so that a million of them fit into memory. */
export class RowTable {
  readonly #ids = new IdSet();
  #cells = Buffer.alloc(FIRST_ROWS * CELL_BYTES);

  get size(): number {
    return this.#ids.size;
  }

  /** @returns false if there is a row with its ID already. */
  add(row: DigestedCommitment & { readonly sourceIndex?: bigint }, active: boolean): boolean {
    const number = this.#ids.size;
    if (!this.#ids.add(row.commitmentId)) return false;
    const at = number * CELL_BYTES;
    if (at + CELL_BYTES > this.#cells.length) this.#cells = Buffer.concat([this.#cells], 2 * this.#cells.length);
    this.#cells.write(commitmentDigest(row), at, "hex");
    this.#cells.writeBigUInt64BE(row.sourceIndex ?? NO_INDEX, at + INDEX_AT);
    this.#cells.writeUInt8(active ? ACTIVE : 0, at + FLAGS_AT);
    return true;
  }

  /** The row with an ID, which counts as seen from then on; undefined if there is none. */
  see(commitmentId: string): TableRow | undefined {
    const number = this.#ids.numberOf(commitmentId);
    if (number === undefined) return undefined;
    const at = number * CELL_BYTES;
    const flags = this.#cells.readUInt8(at + FLAGS_AT);
    this.#cells.writeUInt8(flags | SEEN, at + FLAGS_AT);
    const index = this.#cells.readBigUInt64BE(at + INDEX_AT);
    return {
      digest: this.#cells.toString("hex", at, at + INDEX_AT),
      sourceIndex: index === NO_INDEX ? undefined : index,
      active: (flags & ACTIVE) !== 0,
    };
  }

  /** The IDs of the rows that `see` wasn't called for, in the order in which they were added. */
  *unseen(): Generator<string, void> {
    let number = 0;
    for (const commitmentId of this.#ids.all()) {
      if ((this.#cells.readUInt8(number * CELL_BYTES + FLAGS_AT) & SEEN) === 0) yield commitmentId;
      number += 1;
    }
  }
}
