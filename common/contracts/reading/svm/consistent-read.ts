import { isDeepStrictEqual } from "node:util";
import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { SettlementSale } from "../../reference/svm/account-layout.ts";
import type { BindingDirectory } from "../../reference/svm/binding-directory.ts";
import type { EntityRow } from "../../reference/svm/entity-row.ts";
import type { EntityTable } from "../../reference/svm/entity-table.ts";
import { isSameSlot, newestSlot, type Poll, type SaleAccounts } from "../../reference/svm/sale-accounts.ts";
import { type ReadEntity, readEntities } from "./read-entities.ts";

/** Rounds in which a busy sale is read again until nothing changes meanwhile. */
const MAX_ROUNDS = 4;

/** A list of entities of which every row was the same as in a table. */
export interface AgreeingList {
  readonly slot: bigint;
  /** See `Poll.timeSeconds`. */
  readonly timeSeconds: bigint | undefined;
}

/** The sale account as a node has answered it. */
export interface ObservedSale {
  readonly slot: bigint;
  readonly sale: SettlementSale;
}

/** The entities and the sale of the last applied snapshot. */
export interface AppliedEntities {
  readonly table: EntityTable;
  readonly observed: ObservedSale;
  /** The list of the read before, if that was a good one and its list agrees with the table; else absent. */
  readonly agreeing: AgreeingList | undefined;
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
  /** The slot of the newest list. */
  readonly listSlot: bigint;
  readonly headSlot: bigint;
  /** See `Poll.timeSeconds`. */
  readonly timeSeconds: bigint | undefined;
  /** The sale at the same slot. */
  readonly sale: SettlementSale;
  readonly table: EntityTable;
  /** The newest list that agrees with the table; the next one can confirm it. */
  readonly agreeing: AgreeingList | undefined;
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

/** A list, with the rows that were read after it in their place. */
interface Listed extends AgreeingList {
  readonly table: EntityTable;
  /** Whether the rows that were read are those of the list. */
  readonly isAsRead: boolean;
}

/**
 * Lists the entities and reads those that changed, with their bindings, until the result is known to be the state of one slot. Lists
 * can't be requested for a given slot.
 *
 * That a list shows a row as it was before is no evidence by itself: a node's index may lag behind the slot that it names, and the
 * sale's total is silent about prices, times and refunds. So a row is known at the slot of a list once it was read by its address
 * after it, or the next list, which another URL is asked for where there is one, has it alike. A sale without changes costs one list
 * a read for that: each confirms the one of the read before.
 *
 * If a sale changes all the time, the last round is accepted if its list and the sale are of one slot, because then the
 * total confirms the list. In that case every entity has its state of the slot of the list before, or a later one.
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
  const sales = applied === undefined ? [] : [applied.observed];
  let before = applied?.table;
  let listed = applied?.agreeing && { ...applied.agreeing, table: applied.table, isAsRead: true };
  let floor = minSlot;
  for (let round = 1; ; round += 1) {
    const poll = round === 1 ? await accounts.poll(floor, signal) : await accounts.pollAgain(floor, signal);
    checkSale(poll.sale);
    sales.push({ slot: poll.saleSlot, sale: poll.sale });
    const indexes = poll.entities.changedSince(before);
    if (indexes.length <= maxRows) {
      const earlier = listed;
      const confirmed = indexes.length === 0 ? confirmedBy(poll, earlier, sales) : undefined;
      if (confirmed !== undefined) return readAt(confirmed, poll, listOf(poll), changed);
      const { read, isAsListed } = await readChanged(accounts, poll, indexes, signal);
      for (const { row, slot, sale } of read) {
        changed.set(row.entityId, row);
        sales.push({ slot, sale });
      }
      listed = { ...listOf(poll), table: poll.entities.table, isAsRead: isAsListed };
      const whole = indexes.length === poll.entities.table.size ? knownAt(listed, sales) : undefined;
      if (whole !== undefined) return readAt(whole, poll, listOf(poll), changed);
      if (round === MAX_ROUNDS && isSameSlot(poll)) {
        const at = { ...(earlier ?? listOf(poll)), sale: poll.sale };
        return readAt(at, poll, isAsListed ? listOf(poll) : undefined, changed);
      }
      before = poll.entities.table;
      floor = newestSlot(poll.slot, poll.saleSlot, ...read.map(({ slot }) => slot));
    } else if (isSameSlot(poll)) {
      return { kind: "large", poll };
    }
    if (round === MAX_ROUNDS) throw neverConsistent(poll);
  }
}

/**
 * Reads entities of a list, and sets their digests in its table to the state that was read.
 *
 * @returns also whether the list has all of them as they were read.
 */
export async function readChanged(
  accounts: SaleAccounts,
  { slot, entities }: Poll,
  indexes: readonly number[],
  signal: AbortSignal,
  directory?: BindingDirectory,
): Promise<{ readonly read: readonly ReadEntity[]; readonly isAsListed: boolean }> {
  const entityAccounts = indexes.map((index) => entities.account(index));
  const read = await readEntities(accounts, entityAccounts, slot, signal, directory);
  let isAsListed = true;
  for (const { row, digest } of read) {
    const index = entities.table.ids.indexOf(row.entityId);
    if (index === undefined) continue;
    isAsListed &&= entities.table.hasDigest(index, digest);
    entities.table.setDigest(index, digest);
  }
  return { read, isAsListed };
}

type KnownSlot = AgreeingList & Pick<ConsistentRead, "sale">;

/** The slot of the list before, if this one has the same rows, and the sale is the same; else undefined. */
function confirmedBy(poll: Poll, before: Listed | undefined, sales: readonly ObservedSale[]): KnownSlot | undefined {
  if (before === undefined || before.slot > poll.slot || before.table.size !== poll.entities.table.size)
    return undefined;
  const known = knownAt(before, sales);
  // A sale that has changed since is to be shown as it is now.
  return known !== undefined && isDeepStrictEqual(known.sale, poll.sale) ? known : undefined;
}

/** The slot of a list that has the rows as they were read, if the sale is known at it; else undefined. */
function knownAt({ slot, timeSeconds, isAsRead }: Listed, sales: readonly ObservedSale[]): KnownSlot | undefined {
  const sale = isAsRead ? saleAt(slot, sales) : undefined;
  return sale && { slot, timeSeconds, sale };
}

/** The sale at a slot: it was seen then, or it was the same before and after; undefined if neither. */
function saleAt(slot: bigint, sales: readonly ObservedSale[]): SettlementSale | undefined {
  const inOrder = sales.toSorted((one, other) => Number(one.slot - other.slot));
  const before = inOrder.findLast((each) => each.slot <= slot);
  const after = inOrder.find((each) => each.slot >= slot);
  return before && after && isDeepStrictEqual(before.sale, after.sale) ? before.sale : undefined;
}

function listOf({ slot, timeSeconds }: Poll): AgreeingList {
  return { slot, timeSeconds };
}

function readAt(
  { slot, timeSeconds, sale }: KnownSlot,
  { slot: listSlot, headSlot, entities }: Poll,
  agreeing: AgreeingList | undefined,
  changed: ConsistentRead["changed"],
): ConsistentRead {
  const { table, sum, acceptedSum } = entities;
  return {
    kind: "consistent",
    slot,
    listSlot,
    headSlot,
    timeSeconds,
    sale,
    table,
    agreeing,
    sum,
    acceptedSum,
    changed,
  };
}

function neverConsistent({ slot }: Poll): SourceFault {
  const message = `slot ${slot}: the node's answers about entities and sale are never of one slot`;
  return new SourceFault(message, { remedy: "wait" });
}
