import { SourceFault } from "../../../chains/base/source-fault.ts";
import { commitmentDigest } from "../../../sale/record/commitment-digest.ts";
import type { IndexRange } from "../../contract-facts.ts";
import type { EvmFamily } from "../../evm-family.ts";
import type { SourceCommitment } from "../../source-commitment.ts";
import type { StoredDigest, StoredSale } from "../../source-reader.ts";
import type { Difference } from "../../source-snapshot.ts";
import { addAmounts } from "./add-amounts.ts";
import type { ChunkSize } from "./chunk-size.ts";
import { IdSet } from "./id-set.ts";
import { prefetch } from "./prefetch.ts";
import type { RowReader } from "./row-reader.ts";

/** Chunks that are prefetched while another one is compared and applied. */
const CHUNKS_AHEAD = 2;
const REMOVALS_PER_DIFFERENCE = 1000;
/** Source indexes are less than 2^63. */
export const END_OF_INDEXES = 2n ** 63n - 1n;

export interface SweepOptions {
  readonly rows: RowReader;
  readonly family: Pick<EvmFamily, "logs">;
  readonly chunkSize: ChunkSize;
  readonly stored: StoredSale;
  /** Number of rows of the contract at the block. */
  readonly count: bigint;
  readonly signal: AbortSignal;
}

/** Reads every row of a contract at one block and compares it with the store, one chunk in memory at a time. */
export class Sweep {
  readonly #options: SweepOptions;
  readonly #readIds = new IdSet();
  readonly #sums = new Map<string, bigint>();
  #hasReplacedRows = false;
  #idsAreNamed = true;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  get rowsRead(): bigint {
    return BigInt(this.#readIds.size);
  }

  /** Raw amounts of the rows read so far by token, including refunded ones. */
  get sums(): ReadonlyMap<string, bigint> {
    return this.#sums;
  }

  /** Whether every commitment ID so far is the one that logs name. Only then can they lead to rows. */
  get idsAreNamed(): boolean {
    return this.#idsAreNamed;
  }

  /** The differences: changed and moved rows first, then removed ones. @throws SourceFault if the rows are inconsistent. */
  async *differences(): AsyncGenerator<Difference, void, undefined> {
    const { signal } = this.#options;
    for await (const chunk of prefetch(this.#chunks(), CHUNKS_AHEAD, signal)) {
      const upserts = this.#compare(chunk);
      if (upserts.length > 0) yield { upserts, removals: [] };
    }
    yield* this.#removed();
  }

  *#chunks(): Generator<(signal: AbortSignal) => Promise<Chunk>, void, undefined> {
    const { count, chunkSize } = this.#options;
    for (let from = 0n; from < count; ) {
      const rows = BigInt(chunkSize.rows);
      const range = { from, to: from + rows < count ? from + rows : count };
      from = range.to;
      yield (signal) => this.#chunk(range, signal);
    }
  }

  /**
   * The store may be read before earlier chunks are applied, because they change only IDs that were seen, and an ID that is
   * seen twice fails the sweep.
   */
  async #chunk(range: IndexRange, signal: AbortSignal): Promise<Chunk> {
    const { rows, stored } = this.#options;
    const [read, digests] = await Promise.all([rows.rows(range, signal), digestsByIndex(stored, range)]);
    return { rows: read, digests };
  }

  /** The rows of a chunk that aren't stored as they are. */
  #compare({ rows, digests }: Chunk): readonly SourceCommitment[] {
    const upserts: SourceCommitment[] = [];
    for (const row of rows) {
      this.#addSeen(row);
      const stored = digests.get(row.sourceIndex) ?? [];
      const own = stored.find(({ commitmentId }) => commitmentId === row.commitmentId);
      if (stored.length > (own === undefined ? 0 : 1)) this.#hasReplacedRows = true;
      if (own === undefined || own.digest !== commitmentDigest(row)) upserts.push(row);
    }
    return upserts;
  }

  #addSeen(row: SourceCommitment): void {
    const { commitmentId } = row;
    requireNew(this.#readIds, commitmentId);
    if (this.#idsAreNamed && commitmentId !== this.#options.family.logs.namedId(row)) this.#idsAreNamed = false;
    addAmounts(this.#sums, row);
  }

  /**
   * The stored commitments that the contract no longer has. If an index has another commitment than before, the previous
   * one has moved or gone, so the whole store is searched. Else only the indexes beyond the contract's rows are.
   */
  async *#removed(): AsyncGenerator<Difference, void, undefined> {
    const { stored, count } = this.#options;
    let removals: string[] = [];
    for await (const { commitmentId } of stored.digests(this.#hasReplacedRows ? 0n : count, END_OF_INDEXES)) {
      if (this.#readIds.has(commitmentId)) continue;
      removals.push(commitmentId);
      if (removals.length < REMOVALS_PER_DIFFERENCE) continue;
      yield { upserts: [], removals };
      removals = [];
    }
    if (removals.length > 0) yield { upserts: [], removals };
  }
}

/** Adds a commitment's ID to those that were read. @throws SourceFault if it is among them already. */
export function requireNew(seen: IdSet, commitmentId: string): void {
  if (seen.add(commitmentId)) return;
  throw new SourceFault(`the contract lists commitment 0x${commitmentId} twice`, { remedy: "wait" });
}

interface Chunk {
  readonly rows: readonly SourceCommitment[];
  readonly digests: ReadonlyMap<bigint, readonly StoredDigest[]>;
}

/** Stored digests by index. An index may have several, if an abandoned change set has moved rows. */
async function digestsByIndex(
  stored: StoredSale,
  { from, to }: IndexRange,
): Promise<ReadonlyMap<bigint, readonly StoredDigest[]>> {
  const digests = new Map<bigint, StoredDigest[]>();
  for await (const digest of stored.digests(from, to)) {
    const others = digests.get(digest.sourceIndex);
    if (others === undefined) digests.set(digest.sourceIndex, [digest]);
    else others.push(digest);
  }
  return digests;
}
