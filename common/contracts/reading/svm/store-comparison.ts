import { commitmentDigest } from "../../../sale/record/commitment-digest.ts";
import { commitmentIdOf, type EntityRow, entityIdOf } from "../../reference/svm/entity-row.ts";
import type { EntityTable } from "../../reference/svm/entity-table.ts";
import type { SourceCommitment } from "../../source-commitment.ts";
import type { StoredDigest, StoredSale } from "../../source-reader.ts";
import type { Difference } from "../../source-snapshot.ts";

/** Rows in memory at once in a sweep. It is also the limit of `StoredSale.records`. */
const CHUNK_ROWS = 500;
/** The largest source index. */
const END_OF_INDEXES = 2n ** 63n - 1n;

/**
 * Compares a snapshot with the store.
 *
 * An entity's source index is the order in which it was first seen; entities of one snapshot are in the order of their IDs.
 * The store keeps it, so it stays the same for every later reader. An index by ID alone would change with each new entity.
 */
export class StoreComparison {
  readonly #stored: StoredSale;
  #nextIndex: bigint;
  #rowsRead = 0n;

  /** @param nextIndex source index for the next new entity. A sweep determines it itself. */
  constructor(stored: StoredSale, nextIndex: bigint) {
    this.#stored = stored;
    this.#nextIndex = nextIndex;
  }

  get nextIndex(): bigint {
    return this.#nextIndex;
  }

  get rowsRead(): bigint {
    return this.#rowsRead;
  }

  /** Compares changed rows with the store. @param rows ascending by entity ID. */
  async *partial(rows: readonly EntityRow[], goneEntityIds: readonly string[]): AsyncGenerator<Difference> {
    for (let begin = 0; begin < rows.length; begin += CHUNK_ROWS) {
      const chunk = rows.slice(begin, begin + CHUNK_ROWS);
      const records = await this.#stored.records(chunk.map(({ commitmentId }) => commitmentId));
      const stored = new Map(records.map((record) => [record.commitmentId, storedDigestOf(record)]));
      yield { upserts: this.#upserts(chunk, stored), removals: [] };
    }
    if (goneEntityIds.length > 0) yield { upserts: [], removals: goneEntityIds.map(commitmentIdOf) };
  }

  /**
   * Compares all stored commitments with the table, then adds the entities that aren't stored.
   *
   * @param rowsAt reads the rows at these indexes of the table; called once for each index.
   * @param confirmGone throws if one of these entities isn't gone after all.
   */
  async *sweep(
    table: EntityTable,
    rowsAt: (indexes: readonly number[]) => Promise<readonly EntityRow[]>,
    confirmGone: (entityIds: readonly string[]) => Promise<void>,
  ): AsyncGenerator<Difference> {
    const seen = new Uint8Array(table.size);
    const removals: string[] = [];
    this.#nextIndex = 0n;
    for await (const chunk of chunks(this.#stored.digests(0n, END_OF_INDEXES))) {
      const indexes = this.#locate(chunk, table, seen, removals);
      const rows = await rowsAt(indexes);
      const stored = new Map(chunk.map((digest) => [digest.commitmentId, digest]));
      yield { upserts: this.#upserts(rows, stored), removals: [] };
    }
    for await (const indexes of chunks(unseen(seen))) {
      yield { upserts: this.#upserts(await rowsAt(indexes), new Map()), removals: [] };
    }
    if (removals.length === 0) return;
    await confirmGone(removals.map(entityIdOf).filter((entityId) => entityId !== undefined));
    yield { upserts: [], removals };
  }

  /** The table's indexes of stored commitments. Commitments that the table doesn't have are added to the removals. */
  #locate(chunk: readonly StoredDigest[], table: EntityTable, seen: Uint8Array, removals: string[]): readonly number[] {
    return chunk.flatMap(({ commitmentId, sourceIndex }) => {
      if (sourceIndex >= this.#nextIndex) this.#nextIndex = sourceIndex + 1n;
      const entityId = entityIdOf(commitmentId);
      const index = entityId === undefined ? undefined : table.ids.indexOf(entityId);
      if (index === undefined) {
        removals.push(commitmentId);
        return [];
      }
      seen[index] = 1;
      return [index];
    });
  }

  /** The rows that differ from the stored ones or aren't stored, in their order. */
  #upserts(rows: readonly EntityRow[], stored: ReadonlyMap<string, StoredDigest>): readonly SourceCommitment[] {
    this.#rowsRead += BigInt(rows.length);
    return rows.flatMap((row) => {
      const old = stored.get(row.commitmentId);
      if (old?.digest === commitmentDigest(row)) return [];
      return [{ ...row, sourceIndex: old?.sourceIndex ?? this.#takeIndex() }];
    });
  }

  #takeIndex(): bigint {
    const index = this.#nextIndex;
    this.#nextIndex += 1n;
    return index;
  }
}

function storedDigestOf(record: SourceCommitment): StoredDigest {
  const { sourceIndex, commitmentId } = record;
  return { sourceIndex, commitmentId, digest: commitmentDigest(record) };
}

function* unseen(seen: Uint8Array): Generator<number> {
  for (let index = 0; index < seen.length; index += 1) if (seen[index] === 0) yield index;
}

async function* chunks<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<readonly Item[]> {
  let chunk: Item[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < CHUNK_ROWS) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
