import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CommitmentData, CommitmentDataSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import {
  type CommitmentDataChangesSchema,
  type SaleUpdated,
  SaleUpdatedSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { nextBody } from "./next-body.ts";
import { publicBody } from "./public-body.ts";

/** Creation time by commitment; everything else follows from the two. */
type Rows = ReadonlyMap<number, number>;

const idOf = (number: number) => new Uint8Array(32).fill(number);

function commitmentOf([number, created]: readonly [number, number]) {
  const price = { numerator: String(created + 1), denominator: "7" };
  return { commitmentId: idOf(number), entityId: new Uint8Array(16), price, createdAtSeconds: BigInt(created) };
}

const totalOf = (rows: Rows) =>
  Array.from(rows, ([number, created]) => number * 1_000 + created).reduce((a, b) => a + b, 0);

function dataOf(rows: Rows): CommitmentData {
  const latest = [...rows].sort(([a, createdA], [b, createdB]) => createdB - createdA || a - b).slice(0, 100);
  return create(CommitmentDataSchema, {
    commitments: latest.map(commitmentOf),
    ...figuresOf(rows),
    paymentTokenDecimals: 6,
    offeredTokenDecimals: 18,
  });
}

function figuresOf(rows: Rows) {
  const price = { numerator: String(rows.size), denominator: "3" };
  // Of some revisions nothing is bid below the floor.
  const belowFloorAmount = rows.size % 2 === 0 ? "0" : String(rows.size);
  const totals = { totalAmount: String(totalOf(rows)), commitmentCount: BigInt(rows.size), belowFloorAmount };
  return { ...totals, clearingPrice: { price } };
}

function eventOf(
  before: Rows,
  after: Rows,
  changes: MessageInitShape<typeof CommitmentDataChangesSchema> | undefined = changesOf(before, after),
): SaleUpdated {
  return create(SaleUpdatedSchema, { ...figuresOf(after), changes });
}

function changesOf(before: Rows, after: Rows) {
  const { totalAmount: totalAmountBefore, commitmentCount: commitmentCountBefore } = figuresOf(before);
  return {
    totalAmountBefore,
    commitmentCountBefore,
    upserted: [...after].filter(([number, created]) => before.get(number) !== created).map(commitmentOf),
    removedIds: [...before.keys()].filter((number) => !after.has(number)).map(idOf),
  };
}

/** Numbers of rows with which the list is nearly full, just full, or too short for all. */
const rows = fc
  .uniqueArray(fc.tuple(fc.nat(120), fc.nat(3)), { selector: ([number]) => number, minLength: 90, maxLength: 110 })
  .map((entries) => new Map(entries));
const edits = fc.array(fc.tuple(fc.nat(120), fc.option(fc.nat(4))), { maxLength: 6 });

function edited(before: Rows, changes: readonly (readonly [number, number | null])[]): Rows {
  const after = new Map(before);
  for (const [number, created] of changes) {
    if (created === null) after.delete(number);
    else after.set(number, created);
  }
  return after;
}

describe("nextBody", () => {
  it("makes the body of the next revision, or says that it can't", () => {
    let made = 0;
    fc.assert(
      fc.property(rows, edits, (before, changes) => {
        const after = edited(before, changes);
        const body = nextBody(publicBody(dataOf(before)), eventOf(before, after));
        if (body === undefined) expect(before.size).toBeGreaterThan(99);
        else {
          made++;
          expect(body).toEqual(publicBody(dataOf(after)));
        }
      }),
      { numRuns: 200 },
    );
    expect(made).toBeGreaterThan(100);
  });

  const hundred: Rows = new Map(Array.from({ length: 100 }, (_, number) => [number, 1] as const));
  const more: Rows = new Map([...hundred, [110, 0]]);
  const held = publicBody(dataOf(more));

  it("adds a later commitment to a list that shows the latest of more", () => {
    const after = new Map([...more, [111, 2]]);
    expect(nextBody(held, eventOf(more, after))).toEqual(publicBody(dataOf(after)));
  });

  it("doesn't know who follows when one of such a list goes", () => {
    const after = new Map(more);
    after.delete(5);
    expect(nextBody(held, eventOf(more, after))).toBeUndefined();
  });

  it("doesn't take changes to other figures than those that are held, nor an event without changes", () => {
    const after = new Map([...more, [111, 2]]);
    const changes = changesOf(more, after);
    expect(nextBody(held, eventOf(more, after, { ...changes, totalAmountBefore: "1" }))).toBeUndefined();
    expect(nextBody(held, eventOf(more, after, { ...changes, commitmentCountBefore: 1n }))).toBeUndefined();
    expect(nextBody(held, create(SaleUpdatedSchema, figuresOf(after)))).toBeUndefined();
  });

  it("doesn't take an auction's event without the amount below the floor, which an older version left out", () => {
    const after = new Map([...more, [111, 2]]);
    const event = eventOf(more, after);
    expect(nextBody(held, { ...event, belowFloorAmount: "" })).toBeUndefined();
    const { clearingPrice: _, ...atFixedPrice } = event;
    expect(nextBody(held, { ...atFixedPrice, belowFloorAmount: "" })).toBeDefined();
  });

  it("doesn't take changes that make a list of another length than the count says", () => {
    const few: Rows = new Map([[1, 1]]);
    const event = eventOf(few, new Map([...few, [2, 2]]));
    const shorter = create(SaleUpdatedSchema, { ...event, commitmentCount: 3n });
    expect(nextBody(publicBody(dataOf(few)), shorter)).toBeUndefined();
  });
});
