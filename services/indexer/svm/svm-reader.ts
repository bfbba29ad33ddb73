import type { SvmChain } from "../chains/chain.ts";
import {
  type Difference,
  type Snapshot,
  SourceFault,
  type SourceReader,
  type SourceTarget,
  type StoredSale,
} from "../source/source-reader.ts";
import { checkSale, stageOf } from "./check-sale.ts";
import {
  type ConsistentRead,
  type KnownEntities,
  type ReadBounds,
  readChanged,
  readConsistently,
} from "./consistent-read.ts";
import type { EntityRow } from "./entity-row.ts";
import type { SvmRpc } from "./nodes/svm-rpc.ts";
import { newestSlot, type Poll, SaleAccounts } from "./sale-accounts.ts";
import { StoreComparison } from "./store-comparison.ts";
import { TotalCheck } from "./total-check.ts";

/** Entities that are read before anything of a reading is handed on; a larger reading goes chunk by chunk. */
const MAX_HELD_ROWS = 5_000;
/** Nodes that lag catch up; a chain that has begun anew, or a slot that never was, is believed after so many readings. */
const READS_BEHIND = 5;
/** For a look whether nodes that failed are behind: no more than they may have cost already. */
const HEAD_TIMEOUT_MS = 2_000;

export interface SvmReaderOptions {
  readonly chain: SvmChain;
  /** `address`: base58 of 32 bytes. */
  readonly target: SourceTarget;
  readonly rpc: SvmRpc;
  /** Default: 5,000. */
  readonly maxHeldRows?: number;
}

interface Known extends KnownEntities {
  readonly nextIndex: bigint;
}

/** What is read of a sale, before it is compared with the store. */
type SaleAtSlot = Pick<ConsistentRead, "slot" | "headSlot" | "sale" | "table">;

/**
 * Reads a sale of the reference program: lists its entities, reads those whose accounts changed together with their
 * wallet bindings, and publishes what one slot had, save that a sale too large or too busy for that is published entity
 * by entity (see `readConsistently`). Between readings it keeps 32 bytes an entity; while reading, 76 more.
 */
export function createSvmReader(options: SvmReaderOptions): SourceReader {
  return new SvmReader(options);
}

class SvmReader implements SourceReader {
  readonly #accounts: SaleAccounts;
  readonly #saleUuid: string;
  readonly #maxHeldRows: number;
  readonly #total = new TotalCheck();
  /** Of the last reading that was applied. */
  #known: Known | undefined;
  #handedOut: { readonly snapshot: Snapshot; readonly known: () => Known } | undefined;
  /** The newest slot that was read: an answer from before it comes from a node that lags. */
  #slot = 0n;
  #headSlot = 0n;
  /** Readings in a row at which the chain's head was before what was read. */
  #readsBehind = 0;

  constructor({ chain, target, rpc, maxHeldRows }: SvmReaderOptions) {
    this.#accounts = new SaleAccounts(chain, target.address, rpc);
    this.#saleUuid = target.saleUuid;
    this.#maxHeldRows = maxHeldRows ?? MAX_HELD_ROWS;
  }

  headHeight(): bigint {
    return this.#headSlot;
  }

  applied(snapshot: Snapshot): void {
    if (this.#handedOut?.snapshot !== snapshot) return;
    this.#known = this.#handedOut.known();
    this.#handedOut = undefined;
  }

  invalidate(): void {
    this.#known = undefined;
    this.#handedOut = undefined;
  }

  async next(stored: StoredSale, signal: AbortSignal): Promise<Snapshot | undefined> {
    // A reading that had nothing to apply: what is known is still what is stored.
    this.#handedOut = undefined;
    const known = stored.hasSnapshot ? this.#known : undefined;
    const newest = newestSlot(this.#slot, stored.position?.height ?? 0n);
    const bounds = {
      minSlot: this.#readsBehind < READS_BEHIND ? newest : 0n,
      maxRows: this.#maxHeldRows,
      checkSale: (sale: Poll["sale"]) => checkSale(sale, this.#saleUuid, stored.paymentTokens),
    };
    const read = await this.#read(known, bounds, newest, signal);
    const { slot, headSlot } = read.kind === "large" ? read.poll : read;
    if (slot >= newest) this.#readsBehind = 0;
    this.#slot = slot;
    this.#headSlot = headSlot;
    if (read.kind === "large") return this.#readInChunks(stored, read.poll, signal);
    const warning = this.#total.note(read.sum, read.sale.totalCommitted, slot);
    if (known === undefined) return this.#sweepOf(stored, read, warning, signal);
    return await this.#partialOf(stored, known, read, warning, signal);
  }

  /** Where it fails, it is noted whether the nodes are behind what was read. */
  async #read(known: Known | undefined, bounds: ReadBounds, newest: bigint, signal: AbortSignal) {
    try {
      return await readConsistently(this.#accounts, known, bounds, signal);
    } catch (error) {
      signal.throwIfAborted();
      const soon = AbortSignal.any([signal, AbortSignal.timeout(HEAD_TIMEOUT_MS)]);
      const head = await this.#accounts.head(soon).catch(() => newest);
      this.#readsBehind = head < newest ? this.#readsBehind + 1 : 0;
      throw error;
    }
  }

  #sweepOf(stored: StoredSale, read: ConsistentRead, warning: string | undefined, signal: AbortSignal): Snapshot {
    const match = new StoreComparison(stored, 0n);
    const rowsAt = async (indexes: readonly number[]) =>
      indexes.map((index) => rowOf(read.changed, read.table.ids.at(index)));
    const confirmGone = (entityIds: readonly string[]) => this.#confirmGone(entityIds, read.slot, signal);
    return this.#handOut("sweep", read, match, match.sweep(read.table, rowsAt, confirmGone), warning);
  }

  /** Nothing where the store has all of it, the slot included. */
  async #partialOf(
    stored: StoredSale,
    known: Known,
    read: ConsistentRead,
    warning: string | undefined,
    signal: AbortSignal,
  ): Promise<Snapshot | undefined> {
    const { slot, sale, table, changed } = read;
    const gone = known.table.goneFrom(table);
    await this.#confirmGone(gone, slot, signal);
    // An entity may have changed in one round and be gone in the next.
    const rows = [...changed.values()].filter(({ entityId }) => table.ids.indexOf(entityId) !== undefined);
    rows.sort((a, b) => (a.entityId < b.entityId ? -1 : 1));
    const isSame = rows.length === 0 && gone.length === 0 && sale.stage === known.stage;
    if (isSame && slot === stored.position?.height) return undefined;
    const match = new StoreComparison(stored, known.nextIndex);
    return this.#handOut("partial", read, match, match.partial(rows, gone), warning);
  }

  /** Entity by entity, in memory of a chunk: each is as it was at the slot of the list or somewhat later. */
  async #readInChunks(stored: StoredSale, poll: Poll, signal: AbortSignal): Promise<Snapshot> {
    const { slot, headSlot, sale, entities } = poll;
    const warning = this.#total.note(entities.sum, sale.totalCommitted, slot);
    const { table } = entities;
    const directory = await this.#accounts.allBindings(slot, signal);
    const match = new StoreComparison(stored, 0n);
    const rowsAt = async (indexes: readonly number[]) => {
      const read = await readChanged(this.#accounts, poll, indexes, signal, directory);
      const rows = new Map(read.map(({ row }) => [row.entityId, row]));
      return indexes.map((index) => rowOf(rows, table.ids.at(index)));
    };
    const confirmGone = (entityIds: readonly string[]) => this.#confirmGone(entityIds, slot, signal);
    const differences = match.sweep(table, rowsAt, confirmGone);
    return this.#handOut("sweep", { slot, headSlot, sale, table }, match, differences, warning);
  }

  #handOut(
    kind: Snapshot["kind"],
    { slot, headSlot, sale, table }: SaleAtSlot,
    match: StoreComparison,
    differences: AsyncIterable<Difference>,
    warning: string | undefined,
  ): Snapshot {
    const stage = stageOf(sale);
    const snapshot: Snapshot = {
      position: { height: slot, hash: "" },
      ...(stage === undefined ? {} : { stage }),
      headHeight: headSlot,
      kind,
      count: BigInt(table.size),
      differences,
      rowsRead: () => match.rowsRead,
      warning: () => warning,
    };
    this.#handedOut = { snapshot, known: () => ({ table, stage: sale.stage, nextIndex: match.nextIndex }) };
    return snapshot;
  }

  /** An entity is believed to be gone when the list of a later slot lacks it too: a list may have been cut short. */
  async #confirmGone(entityIds: readonly string[], slot: bigint, signal: AbortSignal): Promise<void> {
    if (entityIds.length === 0) return;
    const { entities } = await this.#accounts.poll(slot + 1n, signal);
    const found = entityIds.find((entityId) => entities.table.ids.indexOf(entityId) !== undefined);
    if (found === undefined) return;
    throw new SourceFault(`the node's list of accounts at slot ${slot} lacked entity 0x${found}`, { remedy: "wait" });
  }
}

function rowOf(rows: ReadonlyMap<string, EntityRow>, entityId: string): EntityRow {
  const row = rows.get(entityId);
  if (row === undefined) throw new Error(`entity 0x${entityId} was not read`);
  return row;
}
