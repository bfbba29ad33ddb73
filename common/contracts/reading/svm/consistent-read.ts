import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { SettlementSale } from "../../reference/svm/account-layout.ts";
import type { BindingDirectory } from "../../reference/svm/binding-directory.ts";
import { saysAllocations } from "../../reference/svm/check-sale.ts";
import type { EntityRow } from "../../reference/svm/entity-row.ts";
import type { EntityTable } from "../../reference/svm/entity-table.ts";
import { isSameSlot, newestSlot, type Poll, type SaleAccounts } from "../../reference/svm/sale-accounts.ts";
import { type ReadEntity, readEntities } from "./read-entities.ts";

/** Rounds in which a busy sale is read again until nothing changes meanwhile. */
const MAX_ROUNDS = 4;

/** The entities and the stage of the last applied snapshot. */
export interface AppliedEntities {
  readonly table: EntityTable;
  readonly stage: number;
}

export interface ReadBounds {
  /** Answers from before it are refused. */
  readonly minSlot: bigint;
  /** Most entities in memory at once. */
  readonly maxRows: number;
  /** Throws if the sale account isn't the right one. */
  readonly checkSale: (sale: SettlementSale) => void;
}

/** The entities of a sale at a slot. */
export interface ConsistentRead {
  readonly kind: "consistent";
  readonly slot: bigint;
  readonly headSlot: bigint;
  /** See `Poll.timeSeconds`. */
  readonly timeSeconds: bigint | undefined;
  /** The sale at the same slot. */
  readonly sale: SettlementSale;
  readonly table: EntityTable;
  /** Sum of all amounts. */
  readonly sum: bigint;
  /** Sum of what is accepted of all. */
  readonly acceptedSum: bigint;
  /** Entities that differ from the applied ones, by ID. */
  readonly changed: ReadonlyMap<string, EntityRow>;
}

/** A list with more changed entities than may be in memory at once. It is of the same slot as the sale. */
export interface LargeRead {
  readonly kind: "large";
  readonly poll: Poll;
}

/**
 * Lists the entities and reads those that changed, with their bindings, until the result is the state of one slot: either
 * everything was read at the slot of the list, or a later list shows that nothing has changed since. Lists can't be
 * requested for a given slot.
 *
 * If a sale changes all the time, the last round is accepted if its list and the sale are of one slot, because then the
 * total confirms the list. In that case every entity has its state of that slot or a later one.
 *
 * @throws SourceFault
 */
export async function readConsistently(
  accounts: SaleAccounts,
  applied: AppliedEntities | undefined,
  { minSlot, maxRows, checkSale }: ReadBounds,
  signal: AbortSignal,
): Promise<ConsistentRead | LargeRead> {
  const changed = new Map<string, EntityRow>();
  let before = applied?.table;
  let floor = minSlot;
  for (let round = 1; ; round += 1) {
    const poll = await accounts.poll(floor, signal);
    checkSale(poll.sale);
    const indexes = poll.entities.changedSince(before);
    if (indexes.length <= maxRows) {
      const read = await readChanged(accounts, poll, indexes, signal);
      for (const { row } of read) changed.set(row.entityId, row);
      const consistent = consistentRead(poll, read, changed, applied);
      if (consistent !== undefined) return consistent;
      before = poll.entities.table;
      floor = newestSlot(poll.slot, ...read.map(({ slot }) => slot));
    } else if (isSameSlot(poll)) {
      return { kind: "large", poll };
    }
    if (round < MAX_ROUNDS) continue;
    if (!isSameSlot(poll)) throw neverConsistent(poll);
    return readAt(poll.slot, poll, poll.sale, changed);
  }
}

/** Reads entities of a list, and sets their digests in its table to the state that was read. */
export async function readChanged(
  accounts: SaleAccounts,
  { slot, entities }: Poll,
  indexes: readonly number[],
  signal: AbortSignal,
  directory?: BindingDirectory,
): Promise<readonly ReadEntity[]> {
  const entityAccounts = indexes.map((index) => entities.account(index));
  const read = await readEntities(accounts, entityAccounts, slot, signal, directory);
  for (const { row, digest } of read) {
    const index = entities.table.ids.indexOf(row.entityId);
    if (index !== undefined) entities.table.setDigest(index, digest);
  }
  return read;
}

/** The result of a round; undefined if the list, the entities read after it and the sale are of different slots. */
function consistentRead(
  poll: Poll,
  read: readonly ReadEntity[],
  changed: ConsistentRead["changed"],
  applied: AppliedEntities | undefined,
): ConsistentRead | undefined {
  if (read.some(({ slot }) => slot !== poll.slot)) return undefined;
  const sale = read[0]?.sale ?? (isSameSlot(poll) ? poll.sale : undefined);
  if (sale !== undefined) return readAt(poll.slot, poll, sale, changed);
  // Nothing has changed. That is certain only for the older slot: a list that is newer than the sale may lack an entity
  // that the sale's total doesn't include yet.
  const isUnchanged = changed.size === 0 && isSame(poll, applied);
  return isUnchanged ? readAt(olderSlot(poll), poll, poll.sale, changed) : undefined;
}

function isSame({ entities, sale }: Poll, applied: AppliedEntities | undefined): boolean {
  const isSameSum = !saysAllocations(sale) || entities.acceptedSum === sale.totalAccepted;
  const isSameSale = isSameSum && entities.sum === sale.totalCommitted && sale.stage === applied?.stage;
  return isSameSale && entities.table.size === applied.table.size;
}

function olderSlot({ slot, saleSlot }: Poll): bigint {
  return slot < saleSlot ? slot : saleSlot;
}

function readAt(
  slot: bigint,
  { headSlot, timeSeconds, entities }: Poll,
  sale: SettlementSale,
  changed: ConsistentRead["changed"],
): ConsistentRead {
  const { table, sum, acceptedSum } = entities;
  return { kind: "consistent", slot, headSlot, timeSeconds, sale, table, sum, acceptedSum, changed };
}

function neverConsistent({ slot }: Poll): SourceFault {
  const message = `slot ${slot}: the node's answers about entities and sale are never of one slot`;
  return new SourceFault(message, { remedy: "wait" });
}
