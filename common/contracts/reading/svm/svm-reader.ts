import type { SvmChain } from "../../../chains/base/chain.ts";
import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { SourcePosition } from "../../../chains/base/source-position.ts";
import { blockTime } from "../../../chains/base/source-position.ts";
import type { FailoverTransport } from "../../../chains/svm/failover-transport.ts";
import type { SharedAccounts } from "../../../chains/svm/shared-accounts.ts";
import type { SvmRpc } from "../../../chains/svm/svm-rpc.ts";
import type { SourceTarget } from "../../chain-connection.ts";
import type { SettlementSale } from "../../reference/svm/account-layout.ts";
import {
  allocationsWarning,
  checkSale,
  isSettling,
  saysAllocations,
  stageOf,
  stageWarning,
} from "../../reference/svm/check-sale.ts";
import type { EntityRow } from "../../reference/svm/entity-row.ts";
import { newestSlot, type Poll, SaleAccounts } from "../../reference/svm/sale-accounts.ts";
import type { SourceReader, StoredSale } from "../../source-reader.ts";
import type { Difference, Snapshot } from "../../source-snapshot.ts";
import {
  type AppliedEntities,
  type ConsistentRead,
  type ReadBounds,
  readChanged,
  readConsistently,
} from "./consistent-read.ts";
import { StoreComparison } from "./store-comparison.ts";
import { TotalCheck } from "./total-check.ts";

/** Entities that are read before the snapshot is returned. A larger snapshot is read chunk by chunk. */
const MAX_HELD_ROWS = 5_000;
/** Successive reads behind the newest slot after which the nodes are believed: they don't lag, the chain was restarted. */
const READS_BEHIND = 5;
/** Timeout for asking nodes that failed whether they are behind. */
const HEAD_TIMEOUT_MS = 2_000;

export interface SvmReaderOptions {
  readonly chain: SvmChain;
  /** `address`: base58 of 32 bytes. */
  readonly target: SourceTarget;
  readonly rpc: SvmRpc;
  /** Asks for the sale accounts of all readers of the chain at once. */
  readonly sharedAccounts?: SharedAccounts;
  /** Asks the URLs that have answered a read for their cluster (see `FailoverTransport.confirmCluster`). */
  readonly confirmCluster: FailoverTransport["confirmCluster"];
  /** Default: 5,000. */
  readonly maxHeldRows?: number;
}

/** The state of a sale as of an applied snapshot. */
interface AppliedSale extends AppliedEntities {
  readonly nextIndex: bigint;
}

/** A sale at one slot, before the comparison with the store. */
type SaleAtSlot = Pick<ConsistentRead, "slot" | "headSlot" | "timeSeconds" | "sale" | "table" | "agreeing">;

/**
 * Creates a reader of a sale of the reference program. It lists the entities, and reads those that changed with their
 * wallet bindings. A snapshot is the state of one slot; only if a sale is too large or too busy for that, its entities may
 * be of different slots (see `readConsistently`). Between reads it keeps 32 bytes for each entity, and 76 more during a read.
 */
export function createSvmReader(options: SvmReaderOptions): SourceReader {
  return new SvmReader(options);
}

class SvmReader implements SourceReader {
  readonly #accounts: SaleAccounts;
  readonly #confirmCluster: SvmReaderOptions["confirmCluster"];
  /** Whether slots that were read stay: then an older one is never believed. */
  readonly #readsFinal: boolean;
  readonly #saleUuid: string;
  readonly #maxHeldRows: number;
  readonly #total = new TotalCheck("hold");
  readonly #acceptedTotal = new TotalCheck("are accepted with");
  /** State of the last applied snapshot. */
  #applied: AppliedSale | undefined;
  /** The snapshot that was returned last, and the state once it is applied. */
  #pending: { readonly snapshot: Snapshot; readonly applied: () => AppliedSale } | undefined;
  /** The newest slot read so far. An answer from before it comes from a node that lags. */
  #slot = 0n;
  #headSlot = 0n;
  /** Successive reads with a chain's head behind the newest slot read so far. */
  #readsBehind = 0;
  #upToDateAt: SourcePosition | undefined;

  constructor({ chain, target, rpc, sharedAccounts, confirmCluster, maxHeldRows }: SvmReaderOptions) {
    this.#accounts = new SaleAccounts(chain, target.address, rpc, sharedAccounts);
    this.#confirmCluster = confirmCluster;
    this.#readsFinal = chain.commitment === "finalized";
    this.#saleUuid = target.saleUuid;
    this.#maxHeldRows = maxHeldRows ?? MAX_HELD_ROWS;
  }

  upToDateAt(): SourcePosition | undefined {
    return this.#upToDateAt;
  }

  restMs(): number {
    return 0;
  }

  headHeight(): bigint {
    return this.#headSlot;
  }

  applied(snapshot: Snapshot): void {
    if (this.#pending?.snapshot !== snapshot) return;
    this.#applied = this.#pending.applied();
    this.#acceptTotals();
    this.#pending = undefined;
  }

  invalidate(): void {
    this.#applied = undefined;
    this.#pending = undefined;
  }

  async next(stored: StoredSale, signal: AbortSignal): Promise<Snapshot | undefined> {
    // If the last snapshot had nothing to apply, the applied state is still that of the store.
    this.#pending = undefined;
    this.#upToDateAt = undefined;
    const applied = stored.hasSnapshot ? this.#applied : undefined;
    // Only a read that succeeds leaves a list as evidence for the next one.
    this.#applied = applied && { ...applied, agreeing: undefined };
    const newest = newestSlot(this.#slot, stored.position?.height ?? 0n);
    const bounds = {
      minSlot: this.#readsFinal || this.#readsBehind < READS_BEHIND ? newest : 0n,
      maxRows: this.#maxHeldRows,
      checkSale: (sale: Poll["sale"]) => checkSale(sale, this.#saleUuid, stored.paymentTokens),
    };
    this.#accounts.takeAnswered();
    const read = await this.#readAnew(applied, bounds, newest, signal);
    await this.#confirmAnswers(signal);
    if (read.kind === "large") {
      const largeWarning = await this.#totalsWarning(read.poll.entities, read.poll, signal);
      this.#noteSlots(read.poll.slot, read.poll.headSlot, newest);
      return this.#readInChunks(stored, read.poll, largeWarning, signal);
    }
    const warning = await this.#totalsWarning(read, read, signal);
    this.#noteSlots(read.listSlot, read.headSlot, newest);
    if (applied === undefined || isSettling(applied.observed.sale.stage) !== isSettling(read.sale.stage)) {
      return this.#sweepOf(stored, read, warning, signal);
    }
    return await this.#partialOf(stored, applied, read, warning, signal);
  }

  /** Notes the slots of an answer whose totals were checked: one that is wrong mustn't make the right ones seem to lag. */
  #noteSlots(listSlot: bigint, headSlot: bigint, newest: bigint): void {
    if (listSlot >= newest) this.#readsBehind = 0;
    this.#slot = listSlot;
    this.#headSlot = headSlot;
  }

  /** Reads the sale; all of it where the rows have what is accepted from now on, or no longer. */
  async #readAnew(applied: AppliedSale | undefined, bounds: ReadBounds, newest: bigint, signal: AbortSignal) {
    const read = await this.#read(applied, bounds, newest, signal);
    const { sale } = read.kind === "large" ? read.poll : read;
    if (applied === undefined || isSettling(applied.observed.sale.stage) === isSettling(sale.stage)) return read;
    return this.#read(undefined, bounds, newest, signal);
  }

  /** Asks the URLs that have answered since the last call for their cluster. */
  #confirmAnswers(signal: AbortSignal): Promise<void> {
    return this.#confirmCluster(this.#accounts.takeAnswered(), signal);
  }

  /** Errors are those of `TotalCheck.check`; a SourceFault if entities are missing that have wallets. */
  async #totalsWarning(
    { sum, acceptedSum, table }: Pick<ConsistentRead, "sum" | "acceptedSum" | "table">,
    { sale, slot }: Pick<ConsistentRead, "sale" | "slot">,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    try {
      const committed = this.#total.check(sum, sale.totalCommitted, slot);
      const total = saysAllocations(sale) ? sale.totalAccepted : acceptedSum;
      const accepted = this.#acceptedTotal.check(acceptedSum, total, slot);
      if (!this.#areTotalsAsAccepted) await this.#checkListed(table, slot, signal);
      return [committed, accepted].filter((text) => text !== undefined).join("; ") || undefined;
    } catch (error) {
      if (error instanceof SourceFault) this.#doubtList();
      throw error;
    }
  }

  /**
   * Handles that a list may lack entities: the next read asks other URLs first, and reads all of the sale, so that the doubted list needn't
   * agree with theirs.
   */
  #doubtList(): void {
    this.#accounts.doubtList();
    this.#applied = undefined;
  }

  /** Looks for entities that the list lacks among those with wallets, which are listed apart. */
  async #checkListed(table: ConsistentRead["table"], slot: bigint, signal: AbortSignal): Promise<void> {
    const lacking = (await this.#accounts.allBindings(slot, signal)).entityNotIn(table.ids);
    if (lacking !== undefined) throw lackingFault(lacking, slot);
  }

  get #areTotalsAsAccepted(): boolean {
    return this.#total.isAsAccepted && this.#acceptedTotal.isAsAccepted;
  }

  #acceptTotals(): void {
    this.#total.accept();
    this.#acceptedTotal.accept();
  }

  /** Reads the sale. After a failure it checks whether the nodes are behind the newest slot read so far. */
  async #read(applied: AppliedSale | undefined, bounds: ReadBounds, newest: bigint, signal: AbortSignal) {
    try {
      return await readConsistently(this.#accounts, applied, bounds, signal);
    } catch (error) {
      signal.throwIfAborted();
      const soon = AbortSignal.any([signal, AbortSignal.timeout(HEAD_TIMEOUT_MS)]);
      const head = await this.#accounts.head(soon).catch(() => newest);
      this.#readsBehind = head < newest ? this.#readsBehind + 1 : 0;
      throw error;
    }
  }

  #sweepOf(stored: StoredSale, read: ConsistentRead, warning: string | undefined, signal: AbortSignal): Snapshot {
    const comparison = new StoreComparison(stored, 0n);
    const rowsAt = async (indexes: readonly number[]) =>
      indexes.map((index) => rowOf(read.changed, read.table.ids.at(index)));
    const confirmGone = (entityIds: readonly string[]) => this.#confirmGone(entityIds, read, signal);
    return this.#snapshot(
      "sweep",
      read,
      comparison,
      comparison.sweep(read.table, rowsAt, confirmGone),
      warning,
      signal,
    );
  }

  /** Undefined if the store is up to date, including the slot. */
  async #partialOf(
    stored: StoredSale,
    applied: AppliedSale,
    read: ConsistentRead,
    warning: string | undefined,
    signal: AbortSignal,
  ): Promise<Snapshot | undefined> {
    const { slot, sale, table, changed } = read;
    const gone = applied.table.goneFrom(table);
    await this.#confirmGone(gone, read, signal);
    // An entity may have changed in one round and be gone in the next.
    const rows = [...changed.values()].filter(({ entityId }) => table.ids.indexOf(entityId) !== undefined);
    rows.sort((a, b) => (a.entityId < b.entityId ? -1 : 1));
    const { stage, totalAccepted } = applied.observed.sale;
    const isSameSale = sale.stage === stage && sale.totalAccepted === totalAccepted;
    const hasSameRows = rows.length === 0 && gone.length === 0;
    if (hasSameRows) {
      this.#applied = { ...applied, agreeing: read.agreeing };
      this.#acceptTotals();
    }
    if (hasSameRows && isSameSale && slot === stored.position?.height) {
      this.#upToDateAt = positionOf(read);
      return undefined;
    }
    const comparison = new StoreComparison(stored, applied.nextIndex);
    return this.#snapshot("partial", read, comparison, comparison.partial(rows, gone), warning, signal);
  }

  /** Reads the entities in chunks during the iteration. Each has its state of the list's slot or a later one. */
  async #readInChunks(
    stored: StoredSale,
    poll: Poll,
    warning: string | undefined,
    signal: AbortSignal,
  ): Promise<Snapshot> {
    const { slot, headSlot, timeSeconds, sale, entities } = poll;
    const { table } = entities;
    const directory = await this.#accounts.allBindings(slot, signal);
    const comparison = new StoreComparison(stored, 0n);
    const rowsAt = async (indexes: readonly number[]) => {
      const { read } = await readChanged(this.#accounts, poll, indexes, signal, directory);
      const rows = new Map(read.map(({ row }) => [row.entityId, row]));
      return indexes.map((index) => rowOf(rows, table.ids.at(index)));
    };
    const confirmGone = (entityIds: readonly string[]) => this.#confirmGone(entityIds, poll, signal);
    const differences = comparison.sweep(table, rowsAt, confirmGone);
    return this.#snapshot(
      "sweep",
      { slot, headSlot, timeSeconds, sale, table, agreeing: undefined },
      comparison,
      differences,
      warning,
      signal,
    );
  }

  #snapshot(
    kind: Snapshot["kind"],
    { slot, headSlot, timeSeconds, sale, table, agreeing }: SaleAtSlot,
    comparison: StoreComparison,
    differences: AsyncIterable<Difference>,
    warning: string | undefined,
    signal: AbortSignal,
  ): Snapshot {
    const stage = stageOf(sale);
    const snapshot: Snapshot = {
      position: positionOf({ slot, timeSeconds }),
      ...(stage === undefined ? {} : { stage }),
      ...allocationTotals(sale),
      headHeight: headSlot,
      kind,
      count: BigInt(table.size),
      differences: confirmed(differences, () => this.#confirmAnswers(signal)),
      rowsRead: () => comparison.rowsRead,
      warning: () => warningOf(warning, sale),
    };
    const applied = () => ({ table, observed: { slot, sale }, agreeing, nextIndex: comparison.nextIndex });
    this.#pending = { snapshot, applied };
    return snapshot;
  }

  /**
   * Checks that entities are gone, because a list may be incomplete: their accounts must not be where the program has them. The totals have
   * been checked before: they are those of the others, or differ lastingly, with a warning.
   */
  async #confirmGone(
    entityIds: readonly string[],
    { slot, sale }: Pick<ConsistentRead, "slot" | "sale">,
    signal: AbortSignal,
  ): Promise<void> {
    if (entityIds.length === 0) return;
    const { saleUuid } = sale;
    const present = await this.#accounts.findPresent(entityIds, { saleUuid, minSlot: slot }, signal);
    if (present === undefined) return;
    this.#doubtList();
    throw lackingFault(present, slot);
  }
}

function lackingFault(entityId: string, slot: bigint): SourceFault {
  return new SourceFault(`the node's list of accounts at slot ${slot} lacks entity 0x${entityId}`, { remedy: "wait" });
}

async function* confirmed(
  differences: AsyncIterable<Difference>,
  confirm: () => Promise<void>,
): AsyncGenerator<Difference, void, undefined> {
  yield* differences;
  await confirm();
}

function positionOf({ slot, timeSeconds }: Pick<SaleAtSlot, "slot" | "timeSeconds">): SourcePosition {
  return { height: slot, hash: "", ...blockTime(timeSeconds) };
}

function allocationTotals(sale: SettlementSale): Pick<Snapshot, "allocationTotals"> {
  return saysAllocations(sale) ? { allocationTotals: new Map([[sale.paymentTokenMint, sale.totalAccepted]]) } : {};
}

function warningOf(totals: string | undefined, sale: SettlementSale): string | undefined {
  const all = [totals, stageWarning(sale), allocationsWarning(sale)];
  return all.filter((text) => text !== undefined).join("; ") || undefined;
}

function rowOf(rows: ReadonlyMap<string, EntityRow>, entityId: string): EntityRow {
  const row = rows.get(entityId);
  if (row === undefined) throw new Error(`entity 0x${entityId} was not read`);
  return row;
}
