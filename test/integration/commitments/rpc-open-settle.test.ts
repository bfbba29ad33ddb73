import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { SaleStage, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  apply,
  auction,
  draftSale,
  evmSource,
  fixedPricing,
  openedSale,
  record,
  refusal,
} from "../../support/sales/sale-messages.ts";

describeCommitments("OpenSale and SettleSale", (service) => {
  it("shows an opened sale to readers", async () => {
    const saleUuid = await draftSale(service());
    expect(await refusal(service().commitments.getCommitmentData({ saleUuid }))).toMatchObject({ code: "not_found" });

    const { sale } = await service().sales.openSale({ saleUuid });

    expect(sale).toMatchObject({ status: SaleStatus.OPEN, revision: 2n, definitionVersion: 1n });
    expect(await service().commitments.getCommitmentData({ saleUuid })).toMatchObject({
      revision: 2n,
      generation: sale?.generation,
      data: {
        commitments: [],
        totalAmount: "0",
        commitmentCount: 0n,
        paymentTokenDecimals: 6,
        offeredTokenDecimals: 18,
        clearingPrice: { price: { numerator: "10", denominator: "1000" }, microUsd: "10000000000000000" },
      },
    });
  });

  it("opens only a draft, and once", async () => {
    const saleUuid = await openedSale(service());
    const again = () => refusal(service().sales.openSale({ saleUuid }));
    expect(await expectUnchanged(service().database, saleUuid, again)).toMatchObject({ code: "failed_precondition" });
    await service().sales.settleSale({ saleUuid, confirmName: "Auction" });
    expect(await again()).toMatchObject({ code: "failed_precondition", message: expect.stringContaining("settled") });
  });

  it("leaves opening to operators", async () => {
    const saleUuid = await draftSale(service());
    for (const [caller, code] of [
      ["gateway", "unauthenticated"],
      ["indexer", "permission_denied"],
      ["stranger", "permission_denied"],
    ] as const) {
      const call = () => refusal(service().as(caller).sales.openSale({ saleUuid }));
      const error = await expectUnchanged(service().database, saleUuid, call);
      expect(error).toMatchObject({ code, message: expect.stringContaining(caller) });
    }
  });

  it("doesn't know a sale that was never created", async () => {
    const saleUuid = randomUUID();
    expect(await refusal(service().sales.openSale({ saleUuid }))).toMatchObject({ code: "not_found" });
    expect(await refusal(service().sales.settleSale({ saleUuid, confirmName: "Auction" }))).toMatchObject({
      code: "not_found",
    });
  });

  it("counts the refunded in a sale that was settled by RPC", async () => {
    const saleUuid = await openedSale(service(), auction({ pricing: fixedPricing(7n) }));
    await apply(service(), saleUuid, { upserts: [record(1), record(2, { refunded: true })] });

    const { sale } = await service().sales.settleSale({ saleUuid, confirmName: "Auction" });

    expect(sale).toMatchObject({ status: SaleStatus.SETTLED, revision: 4n });
    expect(await service().commitments.getCommitmentData({ saleUuid })).toMatchObject({
      revision: 4n,
      data: { totalAmount: "2000", commitmentCount: 2n },
    });
  });

  it.each([
    ["a draft", async () => draftSale(service())],
    [
      "a settled sale",
      async () => {
        const saleUuid = await openedSale(service());
        await service().sales.settleSale({ saleUuid, confirmName: "Auction" });
        return saleUuid;
      },
    ],
    [
      "a sale whose contract has a stage",
      async () => {
        const saleUuid = await openedSale(service());
        await apply(service(), saleUuid, { stage: SaleStage.SETTLEMENT });
        return saleUuid;
      },
    ],
    [
      "a sale with an open change set",
      async () => {
        const saleUuid = await openedSale(service());
        await apply(service(), saleUuid, { changeSet: { changeSetUuid: randomUUID(), part: 0, last: false } });
        return saleUuid;
      },
    ],
  ])("doesn't settle %s", async (_, prepare) => {
    const saleUuid = await prepare();
    const settle = () => refusal(service().sales.settleSale({ saleUuid, confirmName: "Auction" }));
    expect(await expectUnchanged(service().database, saleUuid, settle)).toMatchObject({ code: "failed_precondition" });
  });

  it("settles only with the sale's name", async () => {
    const saleUuid = await openedSale(service());
    for (const confirmName of ["", "auction", "Auction "]) {
      const settle = () => refusal(service().sales.settleSale({ saleUuid, confirmName }));
      expect(await expectUnchanged(service().database, saleUuid, settle)).toMatchObject({ code: "invalid_argument" });
    }
  });

  it("opens a sale with a source, which can be read only after its first snapshot", async () => {
    const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
    expect(await refusal(service().commitments.getCommitmentData({ saleUuid }))).toMatchObject({ code: "unavailable" });
  });
});
