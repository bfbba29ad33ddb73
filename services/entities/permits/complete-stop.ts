import { Code, ConnectError } from "@connectrpc/connect";
import { eachApart } from "../../../common/platform/concurrency/each-apart.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { CALL_TIMEOUT_MS, PERMIT_STOP_MS } from "../base/lifetimes.ts";
import { lockSale } from "../base/lock-sale.ts";
import type { Upstreams } from "../base/upstreams.ts";
import { eraseSale } from "./erase-sale.ts";
import { endStop, readStop, readStops, type Stop } from "./sale-permits-store.ts";

type Dependencies = Pick<EntitiesContext, "database" | "clock"> & Pick<Upstreams, "sales">;

/** Stops that are completed in one run. */
const BATCH = 100;

/** Completes all stops that are due, as far as the commitments service answers. */
export async function completeStops(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  const stops = await dependencies.database.read((query) => readStops(query, BATCH));
  await eachApart(stops, (stop) => completeStop(dependencies, stop), signal);
}

/** Erases what is stored about a sale if its permits were stopped because it was removed. May be repeated. */
export async function eraseRemovedSale(dependencies: Dependencies, saleUuid: string): Promise<void> {
  const stop = await dependencies.database.read((query) => readStop(query, saleUuid));
  if (stop !== undefined) await completeStop(dependencies, stop);
}

/**
 * Reads what came of the change for which permits were stopped. A sale that was removed is erased. Once the change must have
 * ended, permits depend on the sale's own state again.
 *
 * @throws ConnectError if the commitments service doesn't answer
 */
async function completeStop(dependencies: Dependencies, stop: Stop): Promise<void> {
  const { database, clock } = dependencies;
  const askedAtMs = clock();
  if (await isRemoved(dependencies, stop.saleUuid)) await eraseSale(dependencies, stop.saleUuid);
  if (askedAtMs - stop.stoppedAtMs < PERMIT_STOP_MS) return;
  await database.writeExclusive(stop.saleUuid, async (transaction) => {
    await lockSale(transaction, database.dialect, stop.saleUuid);
    await endStop(transaction, stop);
  });
}

async function isRemoved({ sales }: Pick<Upstreams, "sales">, saleUuid: string): Promise<boolean> {
  try {
    const { sale } = await sales.getSale({ saleUuid }, { timeoutMs: CALL_TIMEOUT_MS });
    return sale?.status === SaleStatus.WITHDRAWN;
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) return true;
    throw error;
  }
}
