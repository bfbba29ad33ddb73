import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { applyCommitments } from "../../../services/commitments/applying/apply-commitments-rpc.ts";
import { readSaleSnapshot } from "../../../services/commitments/base/read-sale.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import type { ApplyRequest } from "../../../services/commitments/changing/domain/prepare-apply.ts";
import { createSale } from "../../../services/commitments/sales/create-sale-rpc.ts";
import { auctionDefinition, recordOf } from "../../../services/commitments/testing/samples.ts";
import { APPLY_OPTIONS, openCommitmentsStore } from "../../support/databases/commitments-database.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { openUnchecked } from "../../support/sales/unchecked-sales.ts";

describeEachDatabase("a settlement that was begun and then re-organised away", (variant) => {
  let store: CommitmentsStore;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const created = await variant.create();
    remove = created.remove;
    store = await openCommitmentsStore(created);
  });
  afterAll(async () => {
    await store.database.close();
    await remove();
  });

  const definition = { ...auctionDefinition, cancelledKeepsAmounts: true };
  const cancelled = recordOf(1, { refunded: true });

  async function countAfter(steps: readonly Partial<ApplyRequest>[]): Promise<bigint> {
    const saleUuid = randomUUID();
    await createSale(store, { uuid: saleUuid, tenancy: "test", definition, ownerAccountUuid: "" });
    await openUnchecked(store, saleUuid);
    for (const step of steps) {
      const request = { saleUuid, requestId: randomUUID(), upserts: [], removals: [], ...step };
      await applyCommitments(store, request, APPLY_OPTIONS);
    }
    const { snapshot } = await readSaleSnapshot(store, saleUuid, { generation: "", revision: 0n });
    return snapshot.count;
  }

  const bids: Partial<ApplyRequest> = { stage: "commitment", upserts: [recordOf(1), recordOf(2)] };
  const settlement: Partial<ApplyRequest> = { stage: "done", upserts: [recordOf(2, { refunded: true })] };
  const part = (last: boolean) => ({ uuid: randomUUID(), part: 0, last });

  it("doesn't make a commitment count that was cancelled while the sale was open", async () => {
    const straight = await countAfter([bids, { stage: "cancellation", upserts: [cancelled] }, settlement]);
    const begun: Partial<ApplyRequest> = { stage: "done", changeSet: part(false), upserts: [cancelled] };
    const away: Partial<ApplyRequest> = { stage: "cancellation", changeSet: part(true) };
    expect(straight).toBe(1n);
    expect(await countAfter([bids, begun, away, settlement])).toBe(straight);
  });

  it("keeps its number if the next set settles too", async () => {
    const begun: Partial<ApplyRequest> = { stage: "done", changeSet: part(false), upserts: [cancelled] };
    const again: Partial<ApplyRequest> = { ...settlement, changeSet: part(true) };
    expect(await countAfter([bids, begun, again])).toBe(2n);
  });
});
