import { expect } from "vitest";
import { readPriceLevels } from "../../services/commitments/store/read/price-levels.ts";
import { readSaleSnapshot } from "../../services/commitments/store/read/read-sale.ts";
import type { CommitmentsStore } from "../../services/commitments/use-cases/commitments-store.ts";
import type { NaiveSale } from "./naive-sale.ts";
import { sumsFromRows, sumsStored } from "./tick-sums.ts";

const ANY_REVISION = { generation: "", revision: 0n };

/** Holds every figure of a sale, and every sum that is stored of it, against a recomputation. */
export async function expectFigures(store: CommitmentsStore, saleUuid: string, naive: NaiveSale): Promise<void> {
  const { snapshot } = await readSaleSnapshot(store, saleUuid, ANY_REVISION);
  const { database } = store;
  const expected = naive.figures();
  expect({
    total: snapshot.total,
    count: snapshot.count,
    latest: snapshot.latest.map(({ commitmentId }) => commitmentId),
    clearingTick: snapshot.clearingTick,
  }).toEqual({
    total: expected.total,
    count: expected.count,
    latest: expected.latest,
    clearingTick: expected.clearingTick,
  });
  expect(await sumsStored(database, saleUuid)).toEqual(await sumsFromRows(database, saleUuid));
  if (naive.definition.pricing.kind !== "auction") return;
  const { levels } = await readPriceLevels(database, saleUuid, 1000);
  expect(levels.map(({ lowestTick, amount }) => [lowestTick, amount])).toEqual(expected.demand);
}
