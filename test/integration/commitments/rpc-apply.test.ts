import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { SaleStage, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  type ApplyInit,
  amountOf,
  apply,
  auction,
  draftSale,
  fixedPricing,
  idBytes,
  numberOf,
  openedSale,
  record,
  refusal,
  USDY,
  usdx,
} from "../../support/sales/sale-messages.ts";

describeCommitments("ApplyCommitments", (service) => {
  const read = (saleUuid: string) => service().commitments.getCommitmentData({ saleUuid });
  const listed = async (saleUuid: string) =>
    (await read(saleUuid)).data?.commitments.map(({ commitmentId }) => numberOf(commitmentId));
  const figures = async (saleUuid: string) => {
    const { revision, data } = await read(saleUuid);
    return [revision, data?.totalAmount, data?.commitmentCount];
  };

  it("makes a revision of each difference", async () => {
    const saleUuid = await openedSale(service());
    const { generation } = await read(saleUuid);
    const steps: [ApplyInit, unknown[]][] = [
      [{ upserts: [record(1), record(2)] }, [3n, "2000", 2n]],
      [{ upserts: [record(2, { amounts: [amountOf(5n)] })] }, [4n, "1005", 2n]],
      [{ upserts: [record(3)], removals: [idBytes(1)] }, [5n, "1005", 2n]],
      [{ upserts: [record(3, { refunded: true })] }, [6n, "5", 1n]],
      [{ upserts: [record(3, { amounts: [amountOf(0n)] })] }, [7n, "5", 1n]],
      [{ removals: [idBytes(2), idBytes(3)] }, [8n, "0", 0n]],
    ];
    for (const [request, expected] of steps) {
      const answer = await apply(service(), saleUuid, request);
      expect(answer).toMatchObject({ generation, revision: expected[0], repeatedRequest: false });
      expect(await figures(saleUuid)).toEqual(expected);
    }
  });

  it.each<[string, ApplyInit]>([
    ["nothing", {}],
    ["the same rows", { upserts: [record(1, { sourceIndex: 4n })] }],
    ["the same rows under another index", { upserts: [record(1, { sourceIndex: 9n })] }],
    ["removals of unknown commitments", { removals: [idBytes(77)] }],
    ["the same stage", { stage: SaleStage.CANCELLATION }],
    ["another position", { sourcePosition: { height: 5n, hash: idBytes(5) } }],
  ])("makes no revision of %s", async (_, request) => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [record(1, { sourceIndex: 4n })], stage: SaleStage.CANCELLATION });
    const before = await read(saleUuid);
    expect(await apply(service(), saleUuid, request)).toMatchObject({ revision: 3n, repeatedRequest: false });
    expect(await read(saleUuid)).toEqual(before);
  });

  it("remembers stage and position", async () => {
    const saleUuid = await openedSale(service());
    const sourcePosition = { height: 2n ** 63n - 1n, hash: idBytes(5) };
    await apply(service(), saleUuid, { stage: SaleStage.CANCELLATION, sourcePosition });
    await apply(service(), saleUuid, { upserts: [record(1)] });
    const { sale } = await service().sales.getSale({ saleUuid });
    expect(sale).toMatchObject({ stage: SaleStage.CANCELLATION, sourcePosition, status: SaleStatus.OPEN });
  });

  it("answers a repeated request without doing anything", async () => {
    const saleUuid = await openedSale(service());
    const request = { saleUuid, requestId: randomUUID(), upserts: [record(1)] };
    await service().commitments.applyCommitments(request);
    await apply(service(), saleUuid, { upserts: [record(1, { amounts: [amountOf(7n)] })] });
    const answer = await expectUnchanged(service().database, saleUuid, () =>
      service().commitments.applyCommitments({ ...request, requestId: request.requestId.toUpperCase() }),
    );
    expect(answer).toMatchObject({ revision: 3n, repeatedRequest: true });
  });

  it("recognises a repeated request, whatever its lease and revision", async () => {
    const saleUuid = await openedSale(service());
    const request = { requestId: randomUUID(), upserts: [record(1)], expectedRevision: 2n };
    await apply(service(), saleUuid, request);
    expect(await apply(service(), saleUuid, request)).toMatchObject({ repeatedRequest: true });
    expect(await apply(service(), saleUuid, { ...request, expectedRevision: 3n })).toMatchObject({
      repeatedRequest: true,
    });
  });

  it("refuses a request ID that was used with another payload", async () => {
    const saleUuid = await openedSale(service());
    const requestId = randomUUID();
    await apply(service(), saleUuid, { requestId, upserts: [record(1)] });
    const other = () => refusal(apply(service(), saleUuid, { requestId, upserts: [record(2)] }));
    expect(await expectUnchanged(service().database, saleUuid, other)).toMatchObject({ code: "already_exists" });
    const elsewhere = await openedSale(service());
    expect(await apply(service(), elsewhere, { requestId, upserts: [record(2)] })).toMatchObject({
      repeatedRequest: false,
    });
  });

  it("lists the 100 latest, and of those created at once the lowest IDs", async () => {
    const saleUuid = await openedSale(service());
    const late = Array.from({ length: 90 }, (_, index) => record(500 - index, { createdAtSeconds: 2_000n }));
    const early = Array.from({ length: 30 }, (_, index) => record(index + 1, { createdAtSeconds: 1_000n }));
    await apply(service(), saleUuid, { upserts: [...early.toReversed(), ...late] });
    const expected = [...late.map((_, index) => 411 + index), ...early.slice(0, 10).map((_, index) => index + 1)];
    expect(await listed(saleUuid)).toEqual(expected);
    expect(await figures(saleUuid)).toEqual([3n, "120000", 120n]);

    await apply(service(), saleUuid, { upserts: [record(499, { createdAtSeconds: 3_000n, refunded: true })] });
    expect(await listed(saleUuid)).toEqual([...expected.filter((number) => number !== 499), 11]);
  });

  it("adds up tokens of different decimals, each amount by itself", async () => {
    const tokens = [usdx, { address: USDY, decimals: 18, usdStablecoin: true }];
    const saleUuid = await openedSale(service(), auction({ paymentTokens: tokens, paymentTokenDecimals: 6 }));
    const dust = amountOf(10n ** 12n - 1n, USDY);
    await apply(service(), saleUuid, { upserts: [record(1, { amounts: [amountOf(3n), dust, dust, amountOf(0n)] })] });
    const { data } = await read(saleUuid);
    expect(data).toMatchObject({ totalAmount: "3", commitmentCount: 1n });
    expect(data?.commitments[0]?.amounts.map(({ amount }) => amount)).toEqual(["3", "0", "0"]);
    await apply(service(), saleUuid, { upserts: [record(2, { amounts: [dust] })] });
    expect(await figures(saleUuid)).toEqual([4n, "3", 2n]);
  });

  it("holds the largest numbers exactly", async () => {
    const saleUuid = await openedSale(service());
    const largest = 2n ** 256n - 1n;
    const upserts = [1, 2].map((number) =>
      record(number, {
        priceTicks: String(2n ** 64n - 1n),
        amounts: [amountOf(largest)],
        createdAtSeconds: 253_402_300_799n,
      }),
    );
    await apply(service(), saleUuid, { upserts });
    const { data } = await read(saleUuid);
    expect(data).toMatchObject({ totalAmount: (2n * largest).toString(), commitmentCount: 2n });
    expect(data?.commitments[0]).toMatchObject({
      price: { numerator: (2n ** 64n - 1n).toString(), denominator: "1000" },
      amounts: [{ amount: largest.toString() }],
      createdAtSeconds: 253_402_300_799n,
    });
  });

  it("parses extra data if the sale declares it", async () => {
    const saleUuid = await openedSale(service(), auction({ extraDataParameters: "uint64 tier" }));
    await apply(service(), saleUuid, {
      upserts: [record(1, { extraData: idBytes(7) }), record(2, { extraData: Uint8Array.of(7) })],
    });
    const { data } = await read(saleUuid);
    expect(data?.commitments.map(({ extraDataParsed }) => extraDataParsed)).toEqual([{ tier: "7" }, {}]);
    expect(data?.commitments[1]?.extraData).toEqual(Uint8Array.of(7));
  });

  it("shows the sale's price for price 0 in a fixed-price sale, and no clearing price", async () => {
    const saleUuid = await openedSale(service(), auction({ pricing: fixedPricing(7n) }));
    await apply(service(), saleUuid, { upserts: [record(1, { priceTicks: "0" })] });
    const { data } = await read(saleUuid);
    expect(data?.commitments[0]?.price).toMatchObject({ numerator: "7", denominator: "1000" });
    expect(data?.clearingPrice).toBeUndefined();
  });

  it("refuses a draft and an unknown sale", async () => {
    const saleUuid = await draftSale(service());
    const toDraft = () => refusal(apply(service(), saleUuid, { upserts: [record(1)] }));
    expect(await expectUnchanged(service().database, saleUuid, toDraft)).toMatchObject({ code: "failed_precondition" });
    expect(await refusal(apply(service(), randomUUID(), {}))).toMatchObject({ code: "not_found" });
  });

  it("lets only one of two that were made against the same revision win", async () => {
    const saleUuid = await openedSale(service());
    const rivals = [1, 2].map((number) =>
      apply(service(), saleUuid, { upserts: [record(number)], expectedRevision: 2n }),
    );
    const outcomes = await Promise.allSettled(rivals);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const late = () => refusal(apply(service(), saleUuid, { upserts: [record(3)], expectedRevision: 2n }));
    expect(await expectUnchanged(service().database, saleUuid, late)).toMatchObject({ code: "aborted" });
    expect(await figures(saleUuid)).toEqual([3n, "1000", 1n]);
  });
});
