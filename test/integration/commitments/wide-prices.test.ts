import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { exactFormat } from "../../../common/sale/csv/commitment-csv.ts";
import { publicBody } from "../../../gateway/public-read/cache/public-body.ts";
import { saleFields } from "../../../gateway/public-read/cache/sale-json.ts";
import type { ListedCommitment } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { ImportFile } from "../../../services/cli/commitments/commitment-file.ts";
import { sumsFromRows, sumsStored } from "../../support/databases/tick-sums.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import {
  amountOf,
  apply,
  auction,
  auctionPricing,
  draftSale,
  openedSale,
  record,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

const Q96 = 2n ** 96n;
const HIGHEST = 2n ** 160n - 1n;
/** Off every power of two, and beyond what a double holds. */
const CLEARING = 3n * Q96 + 5n;

/** 2^96 ticks are one smallest payment unit for each of a thousand offered ones. */
const WIDE = auction({
  priceTick: { numerator: "1", denominator: String(Q96) },
  pricing: auctionPricing({ offeredAmount: "1000", floorTicks: String(Q96), incrementTicks: "1" }),
  widePrices: true,
});

const bids = () => [
  record(1, { priceTicks: String(CLEARING), amounts: [amountOf(4_000n)] }),
  record(2, { priceTicks: String(2n * Q96), amounts: [amountOf(1_000n)] }),
  record(3, { priceTicks: String(HIGHEST), amounts: [amountOf(1n)] }),
  record(4, { priceTicks: String(Q96 - 1n), amounts: [amountOf(20n)] }),
];

describeCommitments("a sale with prices of 160 bits", (service) => {
  const dataOf = async (saleUuid: string) => {
    const { data } = await service().commitments.getCommitmentData({ saleUuid });
    if (data === undefined) throw new Error("the service answered without data");
    return data;
  };

  const exported = async (saleUuid: string) => {
    const listed: ListedCommitment[] = [];
    for await (const { part } of service().commitments.exportCommitments({ saleUuid })) {
      if (part.case === "commitments") listed.push(...part.value.commitments);
    }
    return listed;
  };

  it("has its figures exactly, through every change", async () => {
    const saleUuid = await openedSale(service(), WIDE);
    await apply(service(), saleUuid, { upserts: bids() });
    expect(await dataOf(saleUuid)).toMatchObject({
      totalAmount: "5021",
      commitmentCount: 4n,
      belowFloorAmount: "20",
      clearingPrice: { price: { numerator: String(CLEARING), denominator: String(Q96) } },
    });
    const { query } = service().database;
    const nodes = await query.selectFrom("tick_node").select("node").execute();
    expect(new Set(nodes.map(({ node }) => node.length))).toContain(21);
    expect(await sumsStored(service().database, saleUuid)).toEqual(await sumsFromRows(service().database, saleUuid));

    await apply(service(), saleUuid, { upserts: [record(1, { refunded: true, priceTicks: String(CLEARING) })] });
    expect((await dataOf(saleUuid)).clearingPrice?.price?.numerator).toBe(String(Q96 + Q96 / 1000n));
    const { points } = await service().commitments.getHistory({ saleUuid });
    expect(points.at(-1)?.clearingPrice?.price?.numerator).toBe(String(Q96 + Q96 / 1000n));
    await apply(service(), saleUuid, { upserts: [bids()[0] ?? {}], removals: [record(3).commitmentId as Uint8Array] });
    expect((await dataOf(saleUuid)).clearingPrice?.price?.numerator).toBe(String(CLEARING));
    expect(await sumsStored(service().database, saleUuid)).toEqual(await sumsFromRows(service().database, saleUuid));
  });

  it("lists its bids, its demand and a wallet's outcomes", async () => {
    const saleUuid = await openedSale(service(), WIDE);
    await apply(service(), saleUuid, { upserts: bids() });
    const { levels, clearingTick } = await service().commitments.getPriceLevels({ saleUuid });
    expect(clearingTick).toBe(String(CLEARING));
    expect(
      levels.map(({ lowestTick, highestTick, cumulativeAmount }) => [lowestTick, highestTick, cumulativeAmount]),
    ).toEqual([
      [String(HIGHEST), String(HIGHEST), "1"],
      [String(CLEARING), String(CLEARING), "4001"],
      [String(2n * Q96), String(2n * Q96), "5001"],
      [String(Q96 - 1n), String(Q96 - 1n), "5021"],
    ]);
    const { levels: one } = await service().commitments.getPriceLevels({ saleUuid, maxLevels: 1 });
    expect(one).toMatchObject([{ lowestTick: "0", highestTick: String(HIGHEST), amount: "5021" }]);
    const { commitments } = await service().commitments.getPosition({ saleUuid, wallet: amountOf(1n).wallet });
    expect(commitments.map(({ commitment }) => commitment?.price?.numerator)).toEqual(
      bids().map(({ priceTicks }) => priceTicks),
    );
    expect(
      JSON.parse(
        publicBody(await dataOf(saleUuid))
          .bytes()
          .toString(),
      ),
    ).toMatchObject({
      ClearingPriceNumerator: String(CLEARING),
      ClearingPriceDenominator: String(Q96),
    });
    const { sale: summary } = await service().commitments.getCommitmentData({ saleUuid });
    if (summary === undefined) throw new Error("the service answered without the sale");
    const facts = saleFields({ saleUuid, summary, chain: undefined, signer: "", origin: "" });
    expect(JSON.parse(`{${facts}}`)).toMatchObject({ WidePrices: true, FloorNumerator: String(Q96) });
  });

  it("comes back from a CSV file as it was", async () => {
    const [from, to] = [await openedSale(service(), WIDE), await openedSale(service(), WIDE)];
    await apply(service(), from, { upserts: bids() });
    const { header, records } = exactFormat(undefined);
    const text = [header, ...(await exported(from)).flatMap((row) => [...records(row, false)])];
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const path = join(folder.path, "rows.csv");
    await writeFile(path, text.join(""));
    const upserts = await Array.fromAsync(new ImportFile(path).commitments(), ({ record }) => record);
    await apply(service(), to, { upserts });
    expect(await exported(to)).toEqual(await exported(from));
    const digestsOf = async (saleUuid: string) => (await service().commitments.listDigests({ saleUuid })).digests;
    expect(await digestsOf(to)).toEqual(await digestsOf(from));
  });

  it("has no prices beyond them, and none beyond 64 bits where its definition doesn't say so", async () => {
    const beyond = [record(1, { priceTicks: String(HIGHEST + 1n) })];
    const wide = await openedSale(service(), WIDE);
    expect(await violatedFields(apply(service(), wide, { upserts: beyond }))).toEqual(["upserts[0].price_ticks"]);
    const narrow = await openedSale(service());
    const above = [record(1, { priceTicks: String(2n ** 64n) })];
    expect(await violatedFields(apply(service(), narrow, { upserts: above }))).toEqual(["upserts[0].price_ticks"]);
    const { widePrices: _, ...definition } = WIDE;
    expect(await violatedFields(openedSale(service(), definition))).toEqual(["definition.auction.floor_ticks"]);
  });

  it("is one or isn't from its opening on", async () => {
    const saleUuid = await draftSale(service(), { ...WIDE, widePrices: false, pricing: auctionPricing() });
    await service().sales.updateSale({ saleUuid, expectedDefinitionVersion: 1n, definition: WIDE });
    await service().sales.openSale({ saleUuid });
    await apply(service(), saleUuid, { upserts: bids() });
    expect((await dataOf(saleUuid)).clearingPrice?.price?.numerator).toBe(String(CLEARING));
    const narrow = { ...WIDE, widePrices: false, pricing: auctionPricing() };
    const updateMask = { paths: ["wide_prices", "auction"] };
    const update = service().sales.updateSale({
      saleUuid,
      expectedDefinitionVersion: 2n,
      definition: narrow,
      updateMask,
    });
    expect(await violatedFields(update)).toEqual(["definition.wide_prices"]);
  });
});
