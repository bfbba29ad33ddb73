import { expect, it } from "vitest";
import { migrateStore, openStore } from "../../../services/auth/base/open-store.ts";
import { founderFixture, refusalOf } from "../../../services/auth/testing/founder-fixture.ts";
import { createFitClient } from "../../support/applications/fit-client.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { authStore } from "../../support/processes/auth-fixture.ts";

const ROUNDS = 20;

describeEachDatabase("two replicas of the auth service", (variant) => {
  it("never admit an opening and weaken the sale's only ready client at the same time", async () => {
    const testDatabase = await variant.create();
    const databases = [await openStore(authStore(testDatabase)), await openStore(authStore(testDatabase))] as const;
    await migrateStore(databases[0]);
    const [one, other] = [
      await founderFixture({ database: databases[0] }),
      await founderFixture({ database: databases[1] }),
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      const saleUuid = await one.sale({});
      other.sales.set(saleUuid, {});
      const clientUuid = await createFitClient(one.operator, saleUuid);
      const refusals = await Promise.all([
        refusalOf(one.commitments.memberships.admitOpening({ saleUuid })),
        refusalOf(other.operator.clients.disableClient({ clientUuid })),
      ]);
      expect(refusals.filter((refusal) => refusal !== undefined)).toEqual(["failed_precondition"]);
    }
    for (const database of databases) await database.close();
    await testDatabase.remove();
  });
});
