import { completeStops } from "../../../services/entities/permits/complete-stop.ts";
import { writeRules } from "../../../services/entities/rules/rules-store.ts";
import { sampleRules } from "../../../services/entities/testing/sample-rules.ts";
import type { EntitiesFixture } from "../processes/entities-fixture.ts";

/** A sale of a test, whose entities service is reached below its calls. */
export interface EntitiesSale {
  readonly service: () => EntitiesFixture;
  readonly saleUuid: () => string;
  /** The name that its definition has. */
  readonly name: string;
}

/** Steps of a sale towards permits, and away from them. */
export function entitiesSale({ service, saleUuid, name }: EntitiesSale) {
  const dependencies = () => {
    const { database, auth } = service();
    return { database, clock: auth.time.now, ...auth.commitments.as("entities") };
  };
  return {
    dependencies,
    completeAll: () => completeStops(dependencies(), new AbortController().signal),
    opened: async () => {
      await service().applicationOf(saleUuid());
      await service().auth.commitments.sales.openSale({ saleUuid: saleUuid(), overrideConfirmName: name });
    },
    enable: () =>
      service().database.write((transaction) =>
        writeRules(transaction, saleUuid(), { rules: sampleRules(), expectedVersion: 0n }, 0n),
      ),
  };
}
