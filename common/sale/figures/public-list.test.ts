import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareLatest, LIST_LIMIT, type ListKey, latestOf, listAfter } from "./public-list.ts";

const row = (id: number, createdAtSeconds: bigint): ListKey => ({
  commitmentId: id.toString(16).padStart(64, "0"),
  createdAtSeconds,
});

describe("the order of the latest", () => {
  it("is by creation time descending, then by commitment ID ascending", () => {
    const expected = [row(9, 30n), row(2, 20n), row(10, 20n), row(255, 20n), row(1, 10n)];
    expect(expected.toReversed().sort(compareLatest)).toEqual(expected);
  });

  it("compares times beyond 2^53 exactly", () => {
    const [earlier, later] = [row(1, 2n ** 53n), row(2, 2n ** 53n + 1n)];
    expect([earlier, later].sort(compareLatest)).toEqual([later, earlier]);
  });

  it("takes a commitment for equal to itself", () => {
    expect(compareLatest(row(1, 1n), row(1, 1n))).toBe(0);
  });
});

it("lists the latest, up to the limit", () => {
  const rows = Array.from({ length: LIST_LIMIT + 2 }, (_, id) => row(id, BigInt(id)));
  expect(latestOf(rows)).toEqual(rows.slice(2).reverse());
});

/** Creation times by ID, about as many as the list takes. */
const sale = fc
  .uniqueArray(fc.tuple(fc.nat(120), fc.nat(3)), { selector: ([id]) => id, minLength: 90, maxLength: 110 })
  .map((entries) => new Map(entries));
const edits = fc.array(fc.tuple(fc.nat(120), fc.option(fc.nat(4))), { maxLength: 6 });
const rowsOf = (times: ReadonlyMap<number, number>) => Array.from(times, ([id, time]) => row(id, BigInt(time)));

describe("the list after changes", () => {
  it("is the list of all commitments, or isn't known", () => {
    let known = 0;
    fc.assert(
      fc.property(sale, edits, (before, changes) => {
        const after = new Map(before);
        for (const [id, time] of changes) time === null ? after.delete(id) : after.set(id, time);
        const list = listAfter(latestOf(rowsOf(before)), {
          upserted: rowsOf(after).filter((one) => !rowsOf(before).some((other) => compareLatest(one, other) === 0)),
          removedIds: rowsOf(before)
            .map(({ commitmentId }) => commitmentId)
            .filter(isGoneFrom(rowsOf(after))),
          count: BigInt(after.size),
        });
        if (list === undefined) expect(before.size).toBeGreaterThanOrEqual(LIST_LIMIT);
        else {
          known += 1;
          expect(list).toEqual(latestOf(rowsOf(after)));
        }
      }),
    );
    expect(known).toBeGreaterThan(40);
  });

  it("isn't known where the changes lead to another number of commitments", () => {
    const changes = { upserted: [row(2, 2n)], removedIds: [] };
    expect(listAfter([row(1, 1n)], { ...changes, count: 2n })).toEqual([row(2, 2n), row(1, 1n)]);
    expect(listAfter([row(1, 1n)], { ...changes, count: 3n })).toBeUndefined();
  });
});

function isGoneFrom(rows: readonly ListKey[]) {
  return (id: string) => !rows.some(({ commitmentId }) => commitmentId === id);
}
