import { randomUUID } from "node:crypto";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
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
  USDY,
  usdx,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

describeCommitments("GetCommitmentData", (service) => {
  it("has the price of a sale at a fixed price, and of no other", async () => {
    const fixed = await openedSale(service(), auction({ pricing: fixedPricing(25n) }));
    const bids = await openedSale(service());
    const summaryOf = async (saleUuid: string) => (await service().commitments.getCommitmentData({ saleUuid })).sale;
    expect(await summaryOf(fixed)).toMatchObject({ fixedPrice: { numerator: "25", denominator: "1000" } });
    expect((await summaryOf(bids))?.fixedPrice).toBeUndefined();
  });

  it("has the time of its revision's commit, until the event is deleted", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [record(1)] });
    const committedAt = async () => (await service().commitments.getCommitmentData({ saleUuid })).committedAt;
    const { query } = service().database;
    const sale = bytesOfHex(saleUuid);
    const events = await query
      .selectFrom("outbox")
      .select("created_at_ms")
      .where("sale", "=", sale)
      .orderBy("revision", "desc")
      .execute();
    expect(timestampMs((await committedAt()) ?? timestampFromMs(0))).toBe(Number(events[0]?.created_at_ms));
    await query.deleteFrom("outbox").where("sale", "=", sale).execute();
    expect(await committedAt()).toBeUndefined();
  });

  it.each([
    ["the symbol that all payment tokens have", "USDX", "USDX", "USDX"],
    ["no symbol where they differ", "USDX", "USDY", ""],
    ["no symbol where one isn't known", "USDX", "", ""],
  ])("has %s", async (_, first, second, expected) => {
    const paymentTokens = [
      { ...usdx, symbol: first },
      { ...usdx, address: USDY, symbol: second },
    ];
    const saleUuid = await openedSale(service(), auction({ paymentTokens }));
    expect((await service().commitments.getCommitmentData({ saleUuid })).sale?.paymentSymbol).toBe(expected);
  });
});

describeCommitments("GetPriceLevels", (service) => {
  const levelsOf = async (saleUuid: string, maxLevels = 0) => {
    const { levels } = await service().commitments.getPriceLevels({ saleUuid, maxLevels });
    return levels.map((level) => [level.lowestTick, level.highestTick, level.amount, level.cumulativeAmount]);
  };

  it("lists every price if there is room, and else neighbouring prices together", async () => {
    const saleUuid = await openedSale(service());
    const ticks = ["10", "10", "20", "300", "70000"];
    const upserts = ticks.map((priceTicks, index) => record(index, { priceTicks }));
    await apply(service(), saleUuid, { upserts: [...upserts, record(9, { priceTicks: "50", refunded: true })] });

    const exact = [
      ["70000", "70000", "1000", "1000"],
      ["300", "300", "1000", "2000"],
      ["20", "20", "1000", "3000"],
      ["10", "10", "2000", "5000"],
    ];
    expect(await levelsOf(saleUuid)).toEqual(exact);
    expect(await levelsOf(saleUuid, 4)).toEqual(exact);
    expect(await levelsOf(saleUuid, 3)).toEqual([
      ["69984", "70015", "1000", "1000"],
      ["288", "319", "1000", "2000"],
      ["0", "31", "3000", "5000"],
    ]);
    expect(await levelsOf(saleUuid, 2)).toEqual([
      ["69632", "70143", "1000", "1000"],
      ["0", "511", "4000", "5000"],
    ]);
    expect(await levelsOf(saleUuid, 1)).toEqual([["0", String(2n ** 17n - 1n), "5000", "5000"]]);
    const { levels } = await service().commitments.getPriceLevels({ saleUuid, maxLevels: 3 });
    expect(levels[1]).toMatchObject({ lowestPrice: { numerator: "288" }, highestPrice: { numerator: "319" } });
  });

  it("merges all prices if they differ too much", async () => {
    const saleUuid = await openedSale(service());
    const upserts = ["0", String(2n ** 64n - 1n)].map((priceTicks, index) => record(index, { priceTicks }));
    await apply(service(), saleUuid, { upserts });
    expect(await levelsOf(saleUuid, 1)).toEqual([["0", String(2n ** 64n - 1n), "2000", "2000"]]);
  });

  it("returns prices, counts and the clearing price at one revision", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [record(1, { priceTicks: "80", amounts: [amountOf(4_000n)] })] });
    const { generation } = await service().commitments.getCommitmentData({ saleUuid });
    expect(await service().commitments.getPriceLevels({ saleUuid })).toMatchObject({
      generation,
      revision: 3n,
      levels: [
        {
          lowestPrice: { numerator: "80", denominator: "1000" },
          highestPrice: { numerator: "80", denominator: "1000" },
          commitmentCount: 1n,
        },
      ],
      paymentTokenDecimals: 6,
      clearingPrice: { price: { numerator: "40", denominator: "1000" } },
      clearingTick: "40",
    });
  });

  it("has no levels before anyone has bid", async () => {
    const saleUuid = await openedSale(service());
    expect(await service().commitments.getPriceLevels({ saleUuid })).toMatchObject({ levels: [], clearingTick: "10" });
  });

  it("is for auctions that readers know, in 1,000 levels at most", async () => {
    const fixed = await openedSale(service(), auction({ pricing: fixedPricing(7n) }));
    expect(await refusal(levelsOf(fixed))).toMatchObject({ code: "failed_precondition" });
    for (const saleUuid of [await draftSale(service()), randomUUID()]) {
      expect(await refusal(levelsOf(saleUuid))).toMatchObject({ code: "not_found" });
    }
    expect(await violatedFields(levelsOf(fixed, 1_001))).toEqual(["max_levels"]);
  });
});

describeCommitments("GetRevisions", (service) => {
  const revisionsOf = async (saleUuids: readonly string[]) =>
    (await service().commitments.getRevisions({ saleUuids: [...saleUuids] })).revisions;

  it("lists those of the sales that can be read", async () => {
    const [one, two] = [await openedSale(service()), await openedSale(service())];
    await apply(service(), two, { upserts: [record(1)] });
    const unreadable = [
      await draftSale(service()),
      await openedSale(service(), auction({ source: evmSource() })),
      randomUUID(),
    ];
    const revisions = await revisionsOf([one, ...unreadable, two.toUpperCase(), one]);
    expect(new Map(revisions.map(({ saleUuid, revision }) => [saleUuid, revision]))).toEqual(
      new Map([
        [one, 2n],
        [two, 3n],
      ]),
    );
    expect(revisions).toHaveLength(2);
    const { generation } = await service().commitments.getCommitmentData({ saleUuid: one });
    expect(revisions.find(({ saleUuid }) => saleUuid === one)?.generation).toBe(generation);
  });

  it("answers for 1 to 1,000 sales", async () => {
    const known = await openedSale(service());
    const others = Array.from({ length: 1_000 }, () => randomUUID());
    expect(await revisionsOf([...others.slice(1), known])).toMatchObject([{ saleUuid: known }]);
    expect(await violatedFields(revisionsOf([...others, known]))).toEqual(["sale_uuids"]);
    expect(await violatedFields(revisionsOf([]))).toEqual(["sale_uuids"]);
    expect(await violatedFields(revisionsOf([known, "x"]))).toEqual(["sale_uuids[1]"]);
  });
});

describeCommitments("GetCommitmentData at a minimum revision", (service) => {
  it("waits for a revision of the sale's own generation only", async () => {
    const saleUuid = await openedSale(service());
    const { commitments } = service();
    const { generation } = await commitments.getCommitmentData({ saleUuid });
    const at = (minimumRevision: bigint, of = generation) =>
      commitments.getCommitmentData({ saleUuid, minimumRevision, generation: of });
    expect(await at(2n)).toMatchObject({ revision: 2n });
    expect(await refusal(at(3n))).toMatchObject({ code: "unavailable" });
    expect(await at(3n, generation ^ 1n)).toMatchObject({ revision: 2n, generation });
    expect(await at(2n ** 64n - 1n, 0n)).toMatchObject({ revision: 2n });
  });

  it("finds a sale whatever the case of its UUID", async () => {
    const saleUuid = await openedSale(service());
    const upper = await service().commitments.getCommitmentData({ saleUuid: saleUuid.toUpperCase() });
    expect(upper).toEqual(await service().commitments.getCommitmentData({ saleUuid }));
  });
});
