import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { type CommitmentsFixture, describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  amountOf,
  apply,
  auction,
  draftSale,
  evmSource,
  fixedPricing,
  openedSale,
  record,
  refusal,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

const HOUR = 3600n;
const DAY = 24n * HOUR;

describeCommitments("GetHistory", (service) => {
  const historyOf = async (saleUuid: string, maxPoints = 0) =>
    (await service().commitments.getHistory({ saleUuid, maxPoints })).points;

  it("ends with the figures that hold now", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [record(1, { priceTicks: "80", amounts: [amountOf(4_000n)] })] });
    const { data } = await service().commitments.getCommitmentData({ saleUuid });
    const history = await service().commitments.getHistory({ saleUuid });
    expect(history.points.at(-1)).toMatchObject({
      totalAmount: "4000",
      commitmentCount: 1n,
      clearingPrice: { price: { numerator: "40", denominator: "1000" } },
    });
    expect(history.points.at(-1)?.clearingPrice).toEqual(data?.clearingPrice);
    expect(history.paymentTokenDecimals).toBe(6);
  });

  it("has no clearing price in a fixed-price sale", async () => {
    const saleUuid = await openedSale(service(), auction({ pricing: fixedPricing(7n) }));
    await apply(service(), saleUuid, { upserts: [record(1)] });
    expect((await historyOf(saleUuid)).at(-1)).not.toHaveProperty("clearingPrice");
  });

  it("is fine for recent times and coarse for old ones, and shows the last figures of each period", async () => {
    const saleUuid = await openedSale(service());
    const now = await service().database.nowMillis();
    const old = ((now / 1000n - 5n * DAY) / (2n * HOUR)) * 2n * HOUR;
    await replaceHistory(service(), saleUuid, [
      [3600n, old],
      [3600n, old + HOUR],
      [3600n, old + 2n * HOUR],
      [60n, old],
      [60n, (now / 60_000n) * 60n - 600n],
      [1n, now / 1000n - 5_000n],
      [1n, now / 1000n],
    ]);
    const points = await historyOf(saleUuid);
    const shown = points.map(({ fromSeconds, seconds, totalAmount }) => [fromSeconds, seconds, totalAmount]);
    expect(shown.slice(0, 2)).toEqual([
      [old, 7200, "2"],
      [old + 2n * HOUR, 7200, "3"],
    ]);
    expect(points.map(({ seconds }) => seconds)).toEqual(
      points.map(({ seconds }) => seconds).toSorted((a, b) => b - a),
    );
    expect(shown.at(-1)).toEqual([now / 1000n, 1, "7"]);
    expect(shown).toContainEqual([(now / 60_000n) * 60n - 600n, 60, "5"]);
    expect(shown).not.toContainEqual(expect.arrayContaining([60, "4"]));
    expect(shown).not.toContainEqual(expect.arrayContaining([1, "6"]));
  });

  it("never has more points than asked for", async () => {
    const saleUuid = await openedSale(service());
    const hour = ((await service().database.nowMillis()) / 1000n / HOUR) * HOUR;
    await replaceHistory(
      service(),
      saleUuid,
      Array.from({ length: 1_000 }, (_, index) => [3600n, hour - HOUR * BigInt(index)] as const),
    );
    for (const maxPoints of [12, 100, 1000]) {
      const points = await historyOf(saleUuid, maxPoints);
      expect(points.length).toBeLessThanOrEqual(maxPoints);
      expect(points.length).toBeGreaterThan(maxPoints / 6);
      const ends = points.map(({ fromSeconds, seconds }) => fromSeconds + BigInt(seconds));
      points.slice(1).forEach(({ fromSeconds }, index) => {
        expect(fromSeconds).toBeGreaterThanOrEqual(ends[index] ?? 0n);
      });
    }
  });

  it("is there for sales that readers know, in 12 to 1,000 points", async () => {
    for (const saleUuid of [await draftSale(service()), randomUUID()]) {
      expect(await refusal(historyOf(saleUuid))).toMatchObject({ code: "not_found" });
    }
    const unread = await openedSale(service(), auction({ source: evmSource() }));
    expect(await refusal(historyOf(unread))).toMatchObject({ code: "unavailable" });
    for (const maxPoints of [11, 1_001]) {
      expect(await violatedFields(historyOf(unread, maxPoints))).toEqual(["max_points"]);
    }
  });
});

/** Puts buckets in place of a sale's history; their totals count from 1. */
async function replaceHistory(
  { database }: CommitmentsFixture,
  saleUuid: string,
  buckets: readonly (readonly [resolution: bigint, bucket: bigint])[],
): Promise<void> {
  const sale = bytesOfHex(saleUuid.replaceAll("-", ""));
  await database.query.deleteFrom("history").where("sale", "=", sale).execute();
  const rows = buckets.map(([resolution_s, bucket_s], index) => ({
    sale,
    resolution_s,
    bucket_s,
    total: String(index + 1),
    commitments: 1n,
    clearing_tick: null,
  }));
  await database.query.insertInto("history").values(rows).execute();
}
