import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KEPT } from "../../../common/sale/figures/counting-class.ts";
import { LIST_LIMIT, latestOf } from "../../../common/sale/figures/public-list.ts";
import { applyCommitments } from "../../../services/commitments/applying/apply-commitments-rpc.ts";
import { decodeRecord, selectLatest } from "../../../services/commitments/base/commitment-rows.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import { createSale } from "../../../services/commitments/sales/create-sale-rpc.ts";
import { auctionDefinition, recordOf } from "../../../services/commitments/testing/samples.ts";
import { APPLY_OPTIONS, openCommitmentsStore } from "../../support/databases/commitments-database.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { openUnchecked } from "../../support/sales/unchecked-sales.ts";

/** Few times, so that many commitments have the same one, and IDs with any first byte. */
const rows = fc.uniqueArray(fc.record({ id: fc.nat(255), time: fc.nat(4) }), {
  selector: ({ id }) => id,
  minLength: LIST_LIMIT - 5,
  maxLength: LIST_LIMIT + 60,
});

describeEachDatabase("the public list in SQL", (variant) => {
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

  it("has the order and the length of the rule", async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (entries) => {
        const records = entries.map(({ id, time }) =>
          recordOf(0, { commitmentId: id.toString(16).padStart(2, "0").repeat(32), createdAtSeconds: BigInt(time) }),
        );
        const uuid = randomUUID();
        await createSale(store, { uuid, tenancy: "test", definition: auctionDefinition, ownerAccountUuid: "" });
        await openUnchecked(store, uuid);
        const changes = { saleUuid: uuid, requestId: randomUUID(), upserts: records, removals: [] };
        await applyCommitments(store, changes, { ...APPLY_OPTIONS, maxRows: records.length });
        const { query, dialect } = store.database;
        const read = await query.executeQuery(selectLatest(dialect, uuid, KEPT, LIST_LIMIT));
        expect(read.rows.map((row) => decodeRecord(row).commitmentId)).toEqual(
          latestOf(records).map(({ commitmentId }) => commitmentId),
        );
      }),
      { numRuns: 5 },
    );
  });
});
