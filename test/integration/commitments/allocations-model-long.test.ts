import { afterAll, beforeAll, it } from "vitest";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import { openCommitmentsStore } from "../../support/databases/commitments-database.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { expectAllocationsOfContract } from "../../support/models/allocation-model.ts";

describeEachDatabase("allocations equal those of the contract, in many histories", (variant) => {
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

  it.each([false, true])(
    "through settlements, re-organisations and back, in applies and change sets (several bids an entity: %s)",
    { timeout: 600_000 },
    async (mayBidAgain) => {
      await expectAllocationsOfContract(store, { mayBidAgain }, 200);
    },
  );
});
