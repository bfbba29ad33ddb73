import type { ListLine } from "./list-csv.ts";
import type { EntityLimit, Refusal, SettlementBook } from "./settlement-book.ts";

/** The lists of a founder, as files have them. */
export interface FounderLists {
  readonly refusals: readonly ListLine<Refusal>[];
  readonly limits: readonly ListLine<EntityLimit>[];
}

/** A book with those lines of the lists that match something in it. */
export interface ListedBook {
  readonly book: SettlementBook;
  /** Numbers of the lines of each list that match nothing. */
  readonly unmatched: Readonly<Record<keyof FounderLists, readonly number[]>>;
}

/** Adds a founder's lists to a book. */
export function listedBook(book: SettlementBook, { refusals, limits }: FounderLists): ListedBook {
  const entities = new Set(book.commitments.map(({ entityId }) => entityId));
  const wallets = new Set(book.commitments.flatMap(({ amounts }) => amounts.map(({ wallet }) => wallet)));
  const isThere = (refusal: Refusal) =>
    refusal.kind === "entity" ? entities.has(refusal.entityId) : wallets.has(refusal.wallet);
  const isLimited = ({ entityId }: EntityLimit) => entities.has(entityId);
  const [refused, limited] = [divided(refusals, isThere), divided(limits, isLimited)];
  return {
    book: { ...book, refusals: refused.items, limits: limited.items },
    unmatched: { refusals: refused.otherLines, limits: limited.otherLines },
  };
}

function divided<Item>(lines: readonly ListLine<Item>[], isThere: (item: Item) => boolean) {
  return {
    items: lines.flatMap(({ item }) => (isThere(item) ? [item] : [])),
    otherLines: lines.flatMap(({ line, item }) => (isThere(item) ? [] : [line])),
  };
}
