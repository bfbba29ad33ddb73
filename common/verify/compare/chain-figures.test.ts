import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NaiveSale } from "../../../test/support/chains/naive-sale.ts";
import { definitions, records } from "../../../test/support/sales/arbitrary-sale.ts";
import { ChainFigures } from "./chain-figures.ts";
import { countsNow } from "./counts-now.ts";

const sales = definitions.chain((definition) =>
  fc.tuple(
    fc.constant({ ...definition, cancelledKeepsAmounts: false }),
    fc.uniqueArray(records(definition), { maxLength: 12, selector: ({ commitmentId }) => commitmentId }),
    fc.boolean(),
  ),
);

describe("ChainFigures", () => {
  it("are those of the naive model", () => {
    fc.assert(
      fc.property(sales, ([definition, rows, settled]) => {
        const naive = new NaiveSale(definition);
        naive.apply(rows, [], settled ? "done" : "commitment");
        const figures = new ChainFigures({ ...definition, parsesExtraData: true });
        for (const row of rows) if (countsNow(row, settled, false)) figures.add(row);
        const { latest, total, count, clearingTick, belowFloor = 0n } = figures.snapshot();
        const { demand: _, ...expected } = naive.figures();
        const ids = latest.map(({ commitmentId }) => commitmentId);
        expect({ latest: ids, total, count, clearingTick, belowFloor }).toEqual(expected);
      }),
    );
  });

  it("lists the 100 latest of many", () => {
    const [definition] = fc.sample(definitions, { numRuns: 1, seed: 1 });
    if (definition === undefined) throw new Error("there is no sample");
    const [row] = fc.sample(records(definition), { numRuns: 1, seed: 1 });
    if (row === undefined) throw new Error("there is no sample");
    const figures = new ChainFigures({ ...definition, parsesExtraData: true });
    for (let index = 0; index < 1_000; index += 1) {
      // 7 and 1,000 have no common divisor, so that each time occurs once.
      figures.add({ ...row, amounts: [], createdAtSeconds: BigInt((7 * index) % 1_000) });
    }
    const times = figures.snapshot().latest.map(({ createdAtSeconds }) => Number(createdAtSeconds));
    expect(times).toEqual(Array.from({ length: 100 }, (_, index) => 999 - index));
  });
});
