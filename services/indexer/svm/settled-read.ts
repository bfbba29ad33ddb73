import { SourceFault } from "../source-reader.ts";
import type { SettlementSale } from "./account-layout.ts";
import type { BindingDirectory } from "./binding-directory.ts";
import { type ReadEntity, readEntities } from "./entity-reader.ts";
import type { EntityRow } from "./entity-row.ts";
import type { EntityTable } from "./entity-table.ts";
import { newestSlot, type Poll, type SaleAccounts } from "./sale-accounts.ts";

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
export interface SettledRead {
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

/** There is more to read than may be held at once; the list is of the same slot as the sale, or adds up to its total. */
export interface LargeRead {
  readonly kind: "large";
  readonly poll: Poll;
}

/**
 * Lists the entities and reads those that changed, with their bindings, until that is what one slot had: either all was
 * read at the slot of the list, or a later list shows that nothing has moved since. Lists can't be pinned to a slot.
 *
 * In a sale that never stands still the last round is taken, if the sale's total vouches for its list: then every
 * entity is as it was at the list's slot or somewhat later.
 *
 * @throws SourceFault
 */
export async function readSettled(
  accounts: SaleAccounts,
  known: KnownEntities | undefined,
  { minSlot, maxRows, checkSale }: ReadBounds,
  signal: AbortSignal,
): Promise<SettledRead | LargeRead> {
  const changed = new Map<string, EntityRow>();
  let before = known?.table;
  let floor = minSlot;
  for (let round = 1; ; round += 1) {
    const poll = await accounts.poll(floor, signal);
    checkSale(poll.sale);
    const indexes = poll.entities.changedSince(before);
    const isLarge = indexes.length > maxRows;
    if (isLarge && (poll.comparable || addsUp(poll))) return { kind: "large", poll };
    const read = isLarge ? [] : await readChanged(accounts, poll, indexes, signal);
    const sale = isLarge ? undefined : saleAtSlot(poll, read, known);
    if (!isLarge) before = poll.entities.table;
    for (const { row } of read) changed.set(row.entityId, row);
    if (sale !== undefined) return settled(poll, sale, changed);
    if (round === MAX_ROUNDS) {
      if (isLarge || !addsUp(poll)) throw neverSettled(poll);
      return settled(poll, poll.sale, changed);
    }
    floor = newestSlot(poll.slot, ...read.map(({ slot }) => slot));
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

/** The sale as it was when list and entities were; nothing where these are of different slots. */
function saleAtSlot(
  poll: Poll,
  read: readonly ReadEntity[],
  known: KnownEntities | undefined,
): SettlementSale | undefined {
  if (read.some(({ slot }) => slot !== poll.slot)) return undefined;
  const [first] = read;
  if (first !== undefined) return first.sale;
  const isUnmoved = addsUp(poll) && poll.sale.stage === known?.stage;
  return poll.comparable || isUnmoved ? poll.sale : undefined;
}

function addsUp({ entities, sale }: Poll): boolean {
  return entities.sum === sale.totalCommitted;
}

function settled(
  { slot, headSlot, entities }: Poll,
  sale: SettlementSale,
  changed: SettledRead["changed"],
): SettledRead {
  return { kind: "settled", slot, headSlot, sale, table: entities.table, sum: entities.sum, changed };
}

function neverSettled({ slot }: Poll): SourceFault {
  const message = `slot ${slot}: the node's answers about entities and sale are never of one slot, nor do they add up`;
  return new SourceFault(message, { remedy: "wait" });
}
