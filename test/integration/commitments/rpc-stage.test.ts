import { expect, it } from "vitest";
import { SaleStage, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { type ApplyInit, amountOf, apply, auction, openedSale, record } from "../../support/sales/sale-messages.ts";

const { COMMITMENT, SETTLEMENT, DONE } = SaleStage;
/** The reference contract marks everyone refunded when it is done. */
const refundEveryone = [record(1, { refunded: true }), record(2, { refunded: true }), record(3, { refunded: true })];

describeCommitments("the stage of a sale's contract", (service) => {
  async function follow(saleUuid: string, steps: readonly [string, ApplyInit, SaleStatus, string][]): Promise<void> {
    for (const [description, request, status, total] of steps) {
      await apply(service(), saleUuid, request);
      const { sale } = await service().sales.getSale({ saleUuid });
      const { data } = await service().commitments.getCommitmentData({ saleUuid });
      expect([description, sale?.status, data?.totalAmount]).toEqual([description, status, total]);
    }
  }

  it("settles the sale, where refunded commitments count, and opens it again", async () => {
    const saleUuid = await openedSale(service());
    await follow(saleUuid, [
      ["bids", { upserts: [record(1), record(2), record(3)], stage: COMMITMENT }, SaleStatus.OPEN, "3000"],
      ["a refund", { upserts: [record(3, { refunded: true })], stage: SETTLEMENT }, SaleStatus.OPEN, "2000"],
      ["the end", { upserts: refundEveryone, stage: DONE }, SaleStatus.SETTLED, "3000"],
      ["no stage", { upserts: [record(4, { refunded: true })] }, SaleStatus.SETTLED, "4000"],
      ["a re-organisation", { upserts: [record(1)], stage: SETTLEMENT }, SaleStatus.OPEN, "1000"],
      ["the end again", { stage: DONE }, SaleStatus.SETTLED, "4000"],
    ]);
    expect((await service().commitments.getCommitmentData({ saleUuid })).revision).toBe(8n);
  });

  it("never counts cancelled commitments again, if a cancellation keeps the amounts", async () => {
    const saleUuid = await openedSale(service(), auction({ cancelledKeepsAmounts: true }));
    await follow(saleUuid, [
      ["bids", { upserts: [record(1), record(2), record(3)], stage: COMMITMENT }, SaleStatus.OPEN, "3000"],
      ["a cancellation", { upserts: [record(3, { refunded: true })] }, SaleStatus.OPEN, "2000"],
      ["the end", { upserts: refundEveryone, stage: DONE }, SaleStatus.SETTLED, "2000"],
      ["a re-organisation", { upserts: [record(1), record(2)], stage: SETTLEMENT }, SaleStatus.OPEN, "2000"],
      ["a late cancellation", { upserts: [record(2, { refunded: true })] }, SaleStatus.OPEN, "1000"],
      ["the end again", { upserts: refundEveryone, stage: DONE }, SaleStatus.SETTLED, "1000"],
    ]);
  });

  it("moves the clearing price with the commitments that count", async () => {
    const saleUuid = await openedSale(service());
    const bid = { priceTicks: "80", amounts: [amountOf(2_000n)] };
    const clearingTick = async () => (await service().commitments.getPriceLevels({ saleUuid })).clearingTick;
    await apply(service(), saleUuid, { upserts: [record(1, bid), record(2, { ...bid, refunded: true })] });
    expect(await clearingTick()).toBe("20");
    await apply(service(), saleUuid, { stage: DONE });
    expect(await clearingTick()).toBe("40");
    await apply(service(), saleUuid, { stage: SETTLEMENT });
    expect(await clearingTick()).toBe("20");
  });
});
