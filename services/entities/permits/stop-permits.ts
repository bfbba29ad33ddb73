import type { EntitiesContext } from "../base/context.ts";
import { lockSale } from "../base/lock-sale.ts";
import { storeStop } from "./sale-permits-store.ts";

/**
 * Stops permits of a sale that is about to change. Permits that are being recorded are recorded before; afterwards none is
 * until `completeStop` has read what came of the change.
 */
export async function stopPermits(
  { database, clock }: Pick<EntitiesContext, "database" | "clock">,
  saleUuid: string,
): Promise<void> {
  await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSale(transaction, database.dialect, saleUuid);
    await storeStop(transaction, { saleUuid, stoppedAtMs: clock() });
  });
}
