import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  amountOf,
  apply,
  applyUnderLease,
  auction,
  auctionPricing,
  type DefinitionInit,
  draftSale,
  evmSource,
  fixedPricing,
  openedSale,
  record,
  refusal,
  USDX,
  USDY,
  usdx,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

const usdy = { address: USDY, decimals: 6, usdStablecoin: true };

describeCommitments("UpdateSale", (service) => {
  const update = (saleUuid: string, definition: DefinitionInit, expectedDefinitionVersion = 1n) =>
    service().sales.updateSale({ saleUuid, definition, expectedDefinitionVersion });
  const getSale = async (saleUuid: string) => (await service().sales.getSale({ saleUuid })).sale;

  it("raises the version, which distinguishes the next update from a late one", async () => {
    const saleUuid = await draftSale(service());
    const { sale } = await update(saleUuid, auction({ name: "Second" }));
    expect(sale).toMatchObject({ definitionVersion: 2n, definition: { name: "Second" } });
    expect(await getSale(saleUuid)).toEqual(sale);
    const late = () => refusal(update(saleUuid, auction({ name: "Late" })));
    expect(await expectUnchanged(service().database, saleUuid, late)).toMatchObject({ code: "aborted" });
  });

  it("lets one of two rivals win", async () => {
    const saleUuid = await draftSale(service());
    const outcomes = await Promise.allSettled(
      ["a", "b", "c"].map((name) => update(saleUuid, auction({ name: `Rival ${name}` }))),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await getSale(saleUuid)).toMatchObject({ definitionVersion: 2n });
  });

  it("makes no revision where nothing changes", async () => {
    const saleUuid = await openedSale(service());
    const { sale } = await expectUnchanged(service().database, saleUuid, () => update(saleUuid, auction()));
    expect(sale).toMatchObject({ definitionVersion: 1n, revision: 2n });
  });

  it("lets a draft change in every way", async () => {
    const saleUuid = await draftSale(service());
    const definition = auction({
      paymentTokens: [{ ...usdy, decimals: 8 }],
      pricing: fixedPricing(7n),
      source: evmSource(),
      cancelledKeepsAmounts: true,
    });
    const { sale } = await update(saleUuid, definition);
    expect(sale).toMatchObject({ definition: { ...definition, paymentTokenDecimals: 8 }, hasSnapshot: false });
    expect((await update(saleUuid, auction(), 2n)).sale).toMatchObject({ hasSnapshot: true });
  });

  it.each<[string, DefinitionInit, string]>([
    ["the kind of pricing", { pricing: fixedPricing(7n) }, "definition.fixed"],
    ["a token's decimals", { paymentTokens: [{ ...usdx, decimals: 7 }] }, "definition.payment_tokens[0].decimals"],
    [
      "whether a token is a dollar",
      { paymentTokens: [usdy, { ...usdx, usdStablecoin: false }] },
      "definition.payment_tokens[1].usd_stablecoin",
    ],
    ["that a token is there", { paymentTokens: [usdy] }, "definition.payment_tokens"],
    ["the decimals of amounts", { paymentTokenDecimals: 7 }, "definition.payment_token_decimals"],
    ["the source", { source: evmSource() }, "definition.evm"],
  ])("refuses to change %s of an open sale", async (_, change, field) => {
    const saleUuid = await openedSale(service());
    const fields = () => violatedFields(update(saleUuid, auction(change)));
    expect(await expectUnchanged(service().database, saleUuid, fields)).toEqual([field]);
  });

  it("changes what a cancellation keeps until the sale is settled, as if it had been so from the start", async () => {
    const saleUuid = await openedSale(service());
    const rows = [record(1, { amounts: [amountOf(5n)] }), record(2, { amounts: [amountOf(70n)], refunded: true })];
    await apply(service(), saleUuid, { upserts: rows });
    const total = async () => (await service().commitments.getCommitmentData({ saleUuid })).data?.totalAmount;
    expect(await total()).toBe("5");
    await update(saleUuid, auction({ cancelledKeepsAmounts: true }));
    await service().sales.settleSale({ saleUuid, confirmName: "Auction" });
    expect(await total()).toBe("5");
    const fields = () => violatedFields(update(saleUuid, auction(), 2n));
    expect(await expectUnchanged(service().database, saleUuid, fields)).toEqual(["definition.cancelled_keeps_amounts"]);
  });

  it("corrects the version of an open sale's contract", async () => {
    const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
    const source = evmSource({ contractVersion: 1 });
    expect((await update(saleUuid, auction({ source }))).sale).toMatchObject({ definition: { source } });
  });

  it.each<[string, DefinitionInit, string]>([
    ["no source", {}, "definition.evm"],
    ["another contract", { source: evmSource({ contract: USDX }) }, "definition.evm"],
    ["another chain", { source: evmSource({ chain: "base" }) }, "definition.evm"],
  ])("refuses to give a sale whose contract was read %s", async (_, change, field) => {
    const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
    await applyUnderLease(service(), saleUuid);
    const fields = () => violatedFields(update(saleUuid, auction(change)));
    expect(await expectUnchanged(service().database, saleUuid, fields)).toEqual([field]);
  });

  it("gives a sale whose contract was never read whole another source, and forgets what was read", async () => {
    const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
    const changeSet = { changeSetUuid: randomUUID(), part: 0, last: false };
    const stale = await applyUnderLease(service(), saleUuid, { upserts: [record(1)], changeSet });
    await service().commitments.reportSourceStatus({ saleUuid, leaseEpoch: stale, headHeight: 1n, fault: "torn" });
    const other = auction({ source: evmSource({ contract: USDX }), paymentTokens: [{ ...usdx, decimals: 8 }] });
    const overrideConfirmName = other.name ?? "";

    const expectedDefinitionVersion = 1n;
    const changed = { saleUuid, definition: other, expectedDefinitionVersion, overrideConfirmName };
    const { sale } = await service().sales.updateSale(changed);

    expect(sale).toMatchObject({
      status: SaleStatus.OPEN,
      definitionVersion: 2n,
      changeSetOpen: false,
      hasSnapshot: false,
      definition: { source: { value: { contract: USDX } }, paymentTokenDecimals: 8 },
    });
    expect(sale?.sourceStatus).toBeUndefined();
    expect(await refusal(apply(service(), saleUuid, { leaseEpoch: stale }))).toMatchObject({ code: "aborted" });
    await applyUnderLease(service(), saleUuid, { upserts: [record(2)] });
    const { data } = await service().commitments.getCommitmentData({ saleUuid });
    expect(data).toMatchObject({ commitmentCount: 1n, totalAmount: "1000", paymentTokenDecimals: 8 });
  });

  it("adds tokens to an open sale, whose amounts keep their decimals", async () => {
    const saleUuid = await openedSale(service());
    const dai = { address: USDY, decimals: 18 };
    const { sale } = await update(saleUuid, auction({ paymentTokens: [dai, usdx] }));
    expect(sale).toMatchObject({ revision: 3n, definition: { paymentTokenDecimals: 6 } });
    await apply(service(), saleUuid, { upserts: [record(1, { amounts: [amountOf(2n * 10n ** 12n + 1n, USDY)] })] });
    const { data } = await service().commitments.getCommitmentData({ saleUuid });
    expect(data).toMatchObject({ totalAmount: "2", paymentTokenDecimals: 6 });
    expect(data?.clearingPrice?.microUsd).toBeUndefined();
  });

  it("recomputes the clearing price where the terms are mended", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [record(1, { priceTicks: "80", amounts: [amountOf(4_000n)] })] });
    const clearingTick = async () => (await service().commitments.getPriceLevels({ saleUuid })).clearingTick;
    expect(await clearingTick()).toBe("40");

    const mended: [DefinitionInit["pricing"], string][] = [
      [auctionPricing({ offeredAmount: "50000" }), "80"],
      [auctionPricing({ incrementTicks: "7" }), "38"],
      [auctionPricing({ floorTicks: "90" }), "90"],
    ];
    for (const [index, [pricing, expected]] of mended.entries()) {
      const version = BigInt(index + 1);
      const { sale } = await update(saleUuid, auction({ ...(pricing && { pricing }) }), version);
      expect(sale).toMatchObject({ definitionVersion: version + 1n, revision: 3n + version });
      expect(await clearingTick()).toBe(expected);
    }
    await update(saleUuid, auction({ priceTick: { numerator: "2", denominator: "1000" } }), 4n);
    expect(await clearingTick()).toBe("20");
  });

  it("is refused while a change set is open", async () => {
    const saleUuid = await openedSale(service());
    const changeSet = { changeSetUuid: randomUUID(), part: 0, last: false };
    await apply(service(), saleUuid, { upserts: [record(1)], changeSet });
    const call = () => refusal(update(saleUuid, auction({ name: "Another" })));
    const error = await expectUnchanged(service().database, saleUuid, call);
    expect(error).toMatchObject({ code: "failed_precondition" });
  });

  it("doesn't know a sale that was never created", async () => {
    expect(await refusal(update(randomUUID(), auction()))).toMatchObject({ code: "not_found" });
  });
});
