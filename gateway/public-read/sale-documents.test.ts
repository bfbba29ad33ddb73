import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { GetHistoryResponseSchema } from "../../proto/gen/tidemark/commitments/v1/history_pb.ts";
import { OTHER_SALE, SALE, saleAt } from "../testing/fake-commitments.ts";
import { gatewayParts } from "../testing/gateway-parts.ts";
import { historyBody } from "./sale-documents.ts";

const AUCTION = { clearingPrice: { price: { numerator: "3", denominator: "10" }, microUsd: "300000" } };

function auctionParts() {
  const parts = gatewayParts();
  parts.fake.sales.set(SALE, { ...saleAt(5n), data: { totalAmount: "5", paymentTokenDecimals: 6, ...AUCTION } });
  const textOf = async (kind: "history" | "demand") =>
    (await parts.documents[kind].read(SALE)).representation.identity.bytes.toString();
  return { ...parts, textOf };
}

function unknownSales(length: number): string[] {
  return Array.from({ length }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`);
}

describe("SaleDocuments", () => {
  it("writes the history as the public read writes its figures", async () => {
    const clearingPrice = { price: { numerator: "3", denominator: "10" } };
    const point = {
      fromSeconds: 1_800_000_000n,
      seconds: 3600,
      totalAmount: "1".repeat(78),
      commitmentCount: 2n ** 63n,
    };
    const points = [point, { ...point, clearingPrice }];
    const body = historyBody(create(GetHistoryResponseSchema, { points, paymentTokenDecimals: 18 })).toString();
    const shown = `"From":"2027-01-15T08:00:00Z","Seconds":3600,"TotalCommitmentAmount":"${"1".repeat(78)}","UniqueCommitmentCount":9223372036854775808`;
    const price = '"ClearingPriceNumerator":"3","ClearingPriceDenominator":"10"';
    expect(body).toBe(`{"Points":[{${shown}},{${shown},${price}}],"PaymentTokenDecimals":18}`);
  });

  it("writes the demand by price", async () => {
    const prices =
      '"LowestPriceNumerator":"1","LowestPriceDenominator":"2","HighestPriceNumerator":"1","HighestPriceDenominator":"2"';
    const level = `{${prices},"Amount":"5","CumulativeAmount":"5","CommitmentCount":9223372036854775808}`;
    const clearing = '"ClearingPriceNumerator":"3","ClearingPriceDenominator":"10","ClearingPriceMicroUSD":"300000"';
    expect(await auctionParts().textOf("demand")).toBe(`{"Levels":[${level}],"PaymentTokenDecimals":6,${clearing}}`);
  });

  it("asks once a second, however many read", async () => {
    const { fake, clock, documents, textOf } = auctionParts();
    await Promise.all([documents.history.read(SALE), documents.history.read(SALE), documents.demand.read(SALE)]);
    clock.now += 999;
    await documents.history.read(SALE);
    expect(fake.documents).toEqual([`GetHistory ${SALE}`, `GetPriceLevels ${SALE}`]);
    fake.sales.set(SALE, saleAt(6n));
    clock.now += 1;
    expect(await textOf("history")).toContain('"TotalCommitmentAmount":"6"');
    expect(fake.documents).toHaveLength(3);
  });

  it("gives the same body the same tag, and another body another", async () => {
    const { fake, clock, documents } = auctionParts();
    const tag = async () => (await documents.history.read(SALE)).representation.etag;
    const first = await tag();
    clock.now += 1_000;
    expect(await tag()).toBe(first);
    fake.sales.set(SALE, saleAt(6n));
    clock.now += 1_000;
    expect(await tag()).not.toBe(first);
    expect(first).toMatch(/^W\/"[\w-]{22}"$/);
  });

  it("serves what it has while the commitments service fails, for a time", async () => {
    const { fake, clock, config, documents } = auctionParts();
    await documents.history.read(SALE);
    fake.fail();
    clock.now += 10_000;
    expect(await documents.history.read(SALE)).toMatchObject({ ageSeconds: 10 });
    clock.now += config.cache.maxAgeMs;
    await expect(documents.history.read(SALE)).rejects.toMatchObject({ status: 503 });
    fake.recover();
    clock.now += 1_000;
    expect(await documents.history.read(SALE)).toMatchObject({ ageSeconds: undefined });
  });

  it.each([
    [Code.Unavailable, 503],
    [Code.DeadlineExceeded, 504],
    [Code.Internal, 500],
  ])("answers a failure with code %s by %s, and asks again the next time", async (code, status) => {
    const { fake, documents } = auctionParts();
    fake.fail(code);
    await expect(documents.demand.read(SALE)).rejects.toMatchObject({ status });
    fake.recover();
    expect(await documents.demand.read(SALE)).toHaveProperty("representation");
  });

  it("holds for a second that there is nothing", async () => {
    const { fake, documents } = gatewayParts();
    for (let i = 0; i < 2; i++) {
      await expect(documents.history.read(OTHER_SALE)).rejects.toMatchObject({ code: "not_found" });
      await expect(documents.demand.read(SALE)).rejects.toMatchObject({ code: "not_found" });
    }
    expect(fake.documents).toHaveLength(2);
  });

  it("keeps its documents while unknown sales are asked for", async () => {
    const { fake, documents } = auctionParts();
    await documents.history.read(SALE);
    for (const uuid of unknownSales(300)) await documents.history.read(uuid).catch(() => {});
    await documents.history.read(SALE);
    expect(fake.documents.filter((asked) => asked.endsWith(SALE))).toHaveLength(1);
  });

  it("has nothing any more once the sale is gone", async () => {
    const { fake, clock, documents } = auctionParts();
    await documents.history.read(SALE);
    fake.sales.delete(SALE);
    for (let i = 0; i < 3; i++) {
      clock.now += 1_000;
      await expect(documents.history.read(SALE)).rejects.toMatchObject({ code: "not_found" });
    }
  });

  it("loads a bounded number at once", async () => {
    const { fake, documents } = gatewayParts();
    fake.hold();
    const uuids = unknownSales(33);
    const reads = uuids.map((uuid) => documents.history.read(uuid).catch(({ status }) => status));
    expect(await reads[32]).toBe(503);
    fake.release();
    expect(await Promise.all(reads.slice(0, 32))).toEqual(Array(32).fill(404));
  });
});
