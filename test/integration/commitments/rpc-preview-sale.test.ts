import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { auction, draftSale, evmSource, fixedPricing, refusal } from "../../support/sales/sale-messages.ts";

describeCommitments("PreviewSale", (service) => {
  const preview = (saleUuid: string) => service().sales.previewSale({ saleUuid });

  it.each([
    ["an auction", auction()],
    ["a sale at a fixed price", auction({ pricing: fixedPricing(7n) })],
  ])("returns of %s what the public reads once it is open, before anybody commits", async (_, definition) => {
    const saleUuid = await draftSale(service(), definition);
    const { data, sale } = await preview(saleUuid);
    await service().sales.openSale({ saleUuid });
    const open = await service().commitments.getCommitmentData({ saleUuid });
    expect(data).toEqual(open.data);
    expect(sale).toEqual(open.sale);
  });

  it("shows a draft with a contract, which nobody has read", async () => {
    const { data, sale } = await preview(await draftSale(service(), auction({ source: evmSource() })));
    expect(data).toMatchObject({ totalAmount: "0", commitmentCount: 0n });
    expect(sale).toMatchObject({ status: SaleStatus.OPEN, source: { case: "evm" } });
  });

  it("is of drafts only", async () => {
    expect(await refusal(preview(randomUUID()))).toMatchObject({ code: "not_found" });
    const saleUuid = await draftSale(service());
    await service().sales.openSale({ saleUuid });
    expect(await refusal(preview(saleUuid))).toMatchObject({ code: "failed_precondition" });
  });

  it("is for people only through the gateway, for whom it calls", async () => {
    const saleUuid = await draftSale(service());
    expect(await refusal(service().as("gateway").sales.previewSale({ saleUuid }))).toMatchObject({
      code: "unauthenticated",
    });
  });
});
