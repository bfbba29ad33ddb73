import { expect } from "vitest";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { PositionEntry } from "../../../common/sale/figures/position.ts";
import { readSaleSnapshot } from "../../../services/commitments/base/read-sale.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import { readPosition } from "../../../services/commitments/positions/position-store.ts";
import { readPriceLevels } from "../../../services/commitments/reading/price-levels-store.ts";
import type { NaiveSale } from "../chains/naive-sale.ts";
import { sumsFromRows, sumsStored } from "./tick-sums.ts";

const ANY_REVISION = { generation: "", revision: 0n };
const NOBODY = `0x${"9".repeat(40)}`;

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
    belowFloor: snapshot.belowFloor ?? 0n,
  }).toEqual({
    total: expected.total,
    count: expected.count,
    latest: expected.latest,
    clearingTick: expected.clearingTick,
    belowFloor: expected.belowFloor,
  });
  expect(await sumsStored(database, saleUuid)).toEqual(await sumsFromRows(database, saleUuid));
  await expectPositions(store, saleUuid, naive);
  if (naive.definition.pricing.kind !== "auction") return;
  const { levels } = await readPriceLevels(database, saleUuid, 1000);
  expect(levels.map(({ lowestTick, amount }) => [lowestTick, amount])).toEqual(expected.demand);
}

/** Holds the position of every wallet, and of one that has none, against a recomputation; two commitments a page. */
async function expectPositions({ database }: CommitmentsStore, saleUuid: string, naive: NaiveSale): Promise<void> {
  const named = naive.records().flatMap(({ amounts }) => amounts.map(({ wallet }) => wallet));
  const stored = await walletRows(database, saleUuid);
  expect(stored).toEqual(
    naive
      .records()
      .flatMap(({ commitmentId, amounts }) => amounts.map(({ wallet }) => `${wallet} ${commitmentId}`))
      .filter((row, index, rows) => rows.indexOf(row) === index)
      .sort(),
  );
  for (const wallet of new Set([...named, NOBODY])) {
    const entries: PositionEntry[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page = await readPosition(database, saleUuid, { wallet, after, limit: 2 });
      entries.push(...page.entries);
      after = page.next;
    }
    expect(entries.map(({ record, notCounted, outcome }) => [record.commitmentId, notCounted, outcome])).toEqual(
      naive.position(wallet),
    );
  }
}

/** The rows by wallet of a sale, sorted. */
export async function walletRows(database: CommitmentsDatabase, saleUuid: string): Promise<readonly string[]> {
  const rows = await database.query
    .selectFrom("commitment_wallet")
    .select(["wallet", "commitment_id"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .execute();
  return rows.map(({ wallet, commitment_id }) => `${wallet} ${hexOfBytes(commitment_id)}`).sort();
}
