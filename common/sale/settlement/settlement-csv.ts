import { csvRecord } from "../csv/csv-record.ts";
import { protectedField } from "../csv/spreadsheet-field.ts";
import type { Allocation } from "../record/allocation.ts";
import type { Settlement } from "./settle.ts";
import { type Refusal, refusedId } from "./settlement-book.ts";

/** Items whose records are joined to one text. */
const TEXT_ITEMS = 1_000;

/** Yields allocations as CSV, as `allocations import` reads them. */
export function* allocationTexts(allocations: readonly Allocation[]): Generator<string, void> {
  yield csvRecord(["entity_id", "wallet", "token", "accepted"]);
  yield* joined(allocations, ({ entityId, wallet, token, accepted }) =>
    csvRecord([`0x${entityId}`, wallet, token, `${accepted}`]),
  );
}

/** Yields a settlement as CSV for people: a record for each amount. Amounts are in the smallest units of their tokens. */
export function* settlementTexts({ book, commitments }: Settlement): Generator<string, void> {
  const reasons = reasonsOf(book.refusals);
  const columns = ["entity_id", "wallet", "token", "commitment_id", "price_ticks", "side", "committed", "accepted"];
  yield csvRecord([...columns, "refused_because"]);
  yield* joined(commitments, ({ commitmentId, entityId, priceTicks, side, amounts }) => {
    const records = amounts.map(({ wallet, token, committed, accepted }) => {
      const reason = protectedField(reasons.get(entityId) ?? reasons.get(wallet) ?? "");
      const numbers = [`${priceTicks}`, side, `${committed}`, `${accepted}`];
      return csvRecord([`0x${entityId}`, wallet, token, `0x${commitmentId}`, ...numbers, reason]);
    });
    return records.join("");
  });
}

function reasonsOf(refusals: readonly Refusal[]): ReadonlyMap<string, string> {
  return new Map(refusals.map((each) => [refusedId(each), each.reason]));
}

function* joined<Item>(items: readonly Item[], textOf: (item: Item) => string): Generator<string, void> {
  for (let from = 0; from < items.length; from += TEXT_ITEMS) {
    yield items
      .slice(from, from + TEXT_ITEMS)
      .map(textOf)
      .join("");
  }
}
