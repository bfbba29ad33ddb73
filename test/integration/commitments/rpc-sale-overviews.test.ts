import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
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

describeCommitments("ListSaleOverviews", (service) => {
  const overviewsOf = async (...saleUuids: string[]) =>
    (await service().sales.listSaleOverviews({ saleUuids })).overviews;
  const overviewOf = async (saleUuid: string) => (await overviewsOf(saleUuid))[0];

  /** Puts hours and minutes in place of a sale's history; their totals count from 1. */
  async function replaceHistory(
    saleUuid: string,
    buckets: readonly (readonly [resolution: bigint, bucket: bigint, tick?: number])[],
  ) {
    const { query } = service().database;
    const sale = bytesOfHex(saleUuid);
    await query.deleteFrom("history").where("sale", "=", sale).execute();
    const rows = buckets.map(([resolution_s, bucket_s, tick], index) => ({
      ...{ sale, resolution_s, bucket_s, total: String(index + 1), commitments: BigInt(index + 1) },
      clearing_tick: tick === undefined ? null : Buffer.from(tick.toString(16).padStart(16, "0"), "hex"),
    }));
    await query.insertInto("history").values(rows).execute();
  }

  const now = async () => (await service().database.nowMillis()) / 1000n;

  it("returns many sales with the figures of the public read, and what GetSale returns", async () => {
    const first = await openedSale(service());
    const second = await openedSale(service(), auction({ pricing: fixedPricing(7n) }));
    await apply(service(), first, { upserts: [record(1, { priceTicks: "80", amounts: [amountOf(4_000n)] })] });
    await apply(service(), second, { upserts: [record(1), record(2), record(3, { refunded: true })] });
    const found = await overviewsOf(first, second);
    for (const { sale, figures } of found) {
      const saleUuid = sale?.uuid ?? "";
      const { data } = await service().commitments.getCommitmentData({ saleUuid });
      expect(sale).toEqual((await service().sales.getSale({ saleUuid })).sale);
      expect(figures?.totalAmount).toBe(data?.totalAmount);
      expect(figures?.commitmentCount).toBe(data?.commitmentCount);
      expect(figures?.clearingPrice).toEqual(data?.clearingPrice);
    }
    expect(found.map(({ figures }) => figures?.totalAmount).toSorted()).toEqual(["2000", "4000"]);
  });

  it("has what is bid below the floor, while the clearing price is the floor", async () => {
    const pricing = {
      case: "auction",
      value: { offeredAmount: "1000", floorTicks: "50", incrementTicks: "10" },
    } as const;
    const saleUuid = await openedSale(service(), auction({ pricing }));
    const belowOf = async () => (await overviewOf(saleUuid))?.figures?.belowFloorAmount;
    expect(await belowOf()).toBe("0");
    const low = record(1, { priceTicks: "49", amounts: [amountOf(7n)] });
    await apply(service(), saleUuid, { upserts: [low, record(2, { priceTicks: "50", amounts: [amountOf(5n)] })] });
    const { data } = await service().commitments.getCommitmentData({ saleUuid });
    expect([await belowOf(), data?.belowFloorAmount]).toEqual(["7", "7"]);
    await apply(service(), saleUuid, { upserts: [record(3, { priceTicks: "500", amounts: [amountOf(9_000n)] })] });
    expect(await belowOf()).toBe("");
  });

  it("counts in a settled sale what settling made count", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [record(1), record(2, { refunded: true })] });
    expect((await overviewOf(saleUuid))?.figures).toMatchObject({ commitmentCount: 1n, totalAmount: "1000" });
    await service().sales.settleSale({ saleUuid, confirmName: "Auction" });
    expect((await overviewOf(saleUuid))?.figures).toMatchObject({ commitmentCount: 2n, totalAmount: "2000" });
  });

  it("has the figures from before while a change set is open", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [record(1)] });
    const changeSet = { changeSetUuid: randomUUID(), part: 0, last: false };
    await apply(service(), saleUuid, { upserts: [record(2)], changeSet });
    expect((await overviewOf(saleUuid))?.figures).toMatchObject({ commitmentCount: 1n, totalAmount: "1000" });
  });

  it("has no figures of sales that the public can't read, and leaves unknown ones out", async () => {
    const draft = await draftSale(service());
    const unread = await openedSale(service(), auction({ source: evmSource() }));
    const found = await overviewsOf(draft, unread, randomUUID(), draft.toUpperCase());
    expect(found.map(({ sale }) => sale?.uuid).toSorted()).toEqual([draft, unread].toSorted());
    for (const { figures, earlier, earlierAt } of found)
      expect([figures, earlier, earlierAt]).toEqual([undefined, undefined, undefined]);
    expect(found.find(({ sale }) => sale?.uuid === draft)?.sale?.status).toBe(SaleStatus.DRAFT);
  });

  it("has the figures that held at the last full hour a day ago", async () => {
    const saleUuid = await openedSale(service());
    const hourADayAgo = async () => (((await now()) - DAY) / HOUR) * HOUR;
    let start: bigint;
    let overview: Awaited<ReturnType<typeof overviewOf>>;
    do {
      start = await hourADayAgo();
      await replaceHistory(saleUuid, [
        [HOUR, start - 40n * HOUR],
        [HOUR, start - HOUR, 80],
        [HOUR, start],
        [60n, start],
        [60n, start + 23n * HOUR],
      ]);
      overview = await overviewOf(saleUuid);
      // Again if the next hour has begun meanwhile.
    } while (start !== (await hourADayAgo()));
    expect(overview).toMatchObject({
      earlierAt: { seconds: start },
      earlier: {
        totalAmount: "2",
        commitmentCount: 2n,
        clearingPrice: { price: { numerator: "80", denominator: "1000" } },
      },
    });
  });

  it("has the first figures of a younger sale, and none in its first minute", async () => {
    const saleUuid = await openedSale(service());
    const hour = ((await now()) / HOUR) * HOUR;
    await replaceHistory(saleUuid, [[HOUR, hour - 5n * HOUR]]);
    expect(await overviewOf(saleUuid)).toMatchObject({
      earlierAt: { seconds: hour - 4n * HOUR },
      earlier: { totalAmount: "1" },
    });
    await replaceHistory(saleUuid, [
      [60n, hour - 2n * HOUR + 120n],
      [HOUR, hour - 2n * HOUR],
    ]);
    expect(await overviewOf(saleUuid)).toMatchObject({
      earlierAt: { seconds: hour - 2n * HOUR + 180n },
      earlier: { totalAmount: "1" },
    });
    await replaceHistory(saleUuid, [
      [60n, (await now()) + 60n],
      [HOUR, hour],
    ]);
    expect((await overviewOf(saleUuid))?.earlier).toBeUndefined();
  });

  it("is for operators, and through the gateway for people, 50 sales a call", async () => {
    const gateway = service().as("gateway").sales;
    expect(await refusal(gateway.listSaleOverviews({ saleUuids: [randomUUID()] }))).toMatchObject({
      code: "unauthenticated",
    });
    const many = Array.from({ length: 51 }, () => randomUUID());
    expect(await violatedFields(service().sales.listSaleOverviews({ saleUuids: many }))).toEqual(["sale_uuids"]);
    expect(await violatedFields(service().sales.listSaleOverviews({ saleUuids: [] }))).toEqual(["sale_uuids"]);
  });
});
