import { SourceFault } from "../source/source-reader.ts";
import type { SettlementSale } from "./account-layout.ts";
import type { BindingDirectory } from "./binding-directory.ts";
import type { EntityRow } from "./entity-row.ts";
import type { EntityTable } from "./entity-table.ts";
import { type ReadEntity, readEntities } from "./read-entities.ts";
import { isSameSlot, newestSlot, type Poll, type SaleAccounts } from "./sale-accounts.ts";

/** A busy sale is followed this often for a moment in which nothing moves. */
const MAX_ROUNDS = 4;

/** What the last applied reading knew. */
export interface KnownEntities {
  readonly table: EntityTable;
  readonly stage: number;
}

export interface ReadBounds {
  /** Nothing from before it is believed. */
  readonly minSlot: bigint;
  /** Entities that are held in memory at once. */
  readonly maxRows: number;
  /** Throws where the sale account isn't the right one. */
  readonly checkSale: (sale: SettlementSale) => void;
}

/** The entities of a sale at a slot. */
export interface ConsistentRead {
  readonly kind: "settled";
  readonly slot: bigint;
  readonly headSlot: bigint;
  /** At the same slot. */
  readonly sale: SettlementSale;
  readonly table: EntityTable;
  /** Of all amounts. */
  readonly sum: bigint;
  /** Those that are not as they were known, by entity ID. */
  readonly changed: ReadonlyMap<string, EntityRow>;
}

/** There is more to read than may be held at once; the list is of the same slot as the sale. */
export interface LargeRead {
  readonly kind: "large";
  readonly poll: Poll;
}

/**
 * Lists the entities and reads those that changed, with their bindings, until that is what one slot had: either all was
 * read at the slot of the list, or a later list shows that nothing has moved since. Lists can't be pinned to a slot.
 *
 * In a sale that never stands still the last round is taken, if its list and the sale are of one slot, so that the total
 * can vouch for the list: then every entity is as it was at that slot or somewhat later.
 *
 * @throws SourceFault
 */
export async function readConsistently(
  accounts: SaleAccounts,
  known: KnownEntities | undefined,
  { minSlot, maxRows, checkSale }: ReadBounds,
  signal: AbortSignal,
): Promise<ConsistentRead | LargeRead> {
  const changed = new Map<string, EntityRow>();
  let before = known?.table;
  let floor = minSlot;
  for (let round = 1; ; round += 1) {
    const poll = await accounts.poll(floor, signal);
    checkSale(poll.sale);
    const indexes = poll.entities.changedSince(before);
    if (indexes.length <= maxRows) {
      const read = await readChanged(accounts, poll, indexes, signal);
      for (const { row } of read) changed.set(row.entityId, row);
      const settled = settledBy(poll, read, changed, known);
      if (settled !== undefined) return settled;
      before = poll.entities.table;
      floor = newestSlot(poll.slot, ...read.map(({ slot }) => slot));
    } else if (isSameSlot(poll)) {
      return { kind: "large", poll };
    }
    if (round < MAX_ROUNDS) continue;
    if (!isSameSlot(poll)) throw neverSettled(poll);
    return settledAt(poll.slot, poll, poll.sale, changed);
  }
}

/** Reads entities of a list, and notes in its table in which state they were read. */
export async function readChanged(
  accounts: SaleAccounts,
  { slot, entities }: Poll,
  indexes: readonly number[],
  signal: AbortSignal,
  directory?: BindingDirectory,
): Promise<readonly ReadEntity[]> {
  const wanted = indexes.map((index) => entities.account(index));
  const read = await readEntities(accounts, wanted, slot, signal, directory);
  for (const { row, digest } of read) {
    const index = entities.table.ids.indexOf(row.entityId);
    if (index !== undefined) entities.table.setDigest(index, digest);
  }
  return read;
}

/** Nothing where the list, the entities that were read after it and the sale are of different slots. */
function settledBy(
  poll: Poll,
  read: readonly ReadEntity[],
  changed: ConsistentRead["changed"],
  known: KnownEntities | undefined,
): ConsistentRead | undefined {
  if (read.some(({ slot }) => slot !== poll.slot)) return undefined;
  const sale = read[0]?.sale ?? (isSameSlot(poll) ? poll.sale : undefined);
  if (sale !== undefined) return settledAt(poll.slot, poll, sale, changed);
  // All is as it was known. That is sure for the older slot only: the newer list may lack an entity that the older sale
  // doesn't know.
  const isAsKnown = changed.size === 0 && isSame(poll, known);
  return isAsKnown ? settledAt(olderSlot(poll), poll, poll.sale, changed) : undefined;
}

function isSame({ entities, sale }: Poll, known: KnownEntities | undefined): boolean {
  const isSameSale = entities.sum === sale.totalCommitted && sale.stage === known?.stage;
  return isSameSale && entities.table.size === known.table.size;
}

function olderSlot({ slot, saleSlot }: Poll): bigint {
  return slot < saleSlot ? slot : saleSlot;
}

function settledAt(
  slot: bigint,
  { headSlot, entities }: Poll,
  sale: SettlementSale,
  changed: ConsistentRead["changed"],
): ConsistentRead {
  return { kind: "settled", slot, headSlot, sale, table: entities.table, sum: entities.sum, changed };
}

function neverSettled({ slot }: Poll): SourceFault {
  const message = `slot ${slot}: the node's answers about entities and sale are never of one slot`;
  return new SourceFault(message, { remedy: "wait" });
}
