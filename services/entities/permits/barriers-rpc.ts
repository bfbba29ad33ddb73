import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSale } from "../base/lock-sale.ts";
import { eraseRemovedSale } from "./complete-stop.ts";
import { openingProblems } from "./opening-problems.ts";
import { storeStop } from "./sale-permits-store.ts";

type Methods = Pick<ServiceImpl<typeof PermitService>, "admitOpening" | "stopPermits" | "eraseSale">;

/** The methods of `PermitService` for the commitments service. */
export function barrierMethods(dependencies: EntitiesContext): Methods {
  return {
    async admitOpening({ saleUuid, live }) {
      await admitOpening(dependencies, saleUuid.toLowerCase(), live);
      return {};
    },
    async stopPermits({ saleUuid }) {
      await stopPermits(dependencies, saleUuid.toLowerCase());
      return {};
    },
    async eraseSale({ saleUuid }) {
      await eraseRemovedSale(dependencies, saleUuid.toLowerCase());
      return {};
    },
  };
}

/**
 * Stops permits of a sale that is about to change. Permits that are being recorded are recorded before; afterwards none is
 * until `completeStop` has read what came of the change.
 */
async function stopPermits(
  { database, clock }: Pick<EntitiesContext, "database" | "clock">,
  saleUuid: string,
): Promise<void> {
  await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSale(transaction, database.dialect, saleUuid);
    await storeStop(transaction, { saleUuid, stoppedAtMs: clock() });
  });
}

/**
 * Checks that a sale may open.
 *
 * @param live whether it is a sale of the tenancy `live`
 * @throws ServiceError `failed_precondition` saying what is missing first
 */
async function admitOpening(dependencies: EntitiesContext, saleUuid: string, live: boolean): Promise<void> {
  const [problem] = await openingProblems(dependencies, saleUuid, live);
  if (problem === undefined) return;
  throw new ServiceError("failed_precondition", `people take part in the sale through permits, and ${problem.text}`);
}
