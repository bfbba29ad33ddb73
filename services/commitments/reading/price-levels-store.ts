import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { UINT64_MAX } from "../../../common/sale/definition/uint.ts";
import { activeClasses } from "../../../common/sale/figures/counting-class.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { readWholeRows } from "../base/read-sale.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { type PriceLevel, priceLevels } from "./price-levels.ts";
import { readActiveNodes } from "./tick-nodes-store.ts";

export interface PriceLevelsRead extends SaleWithState {
  readonly levels: readonly PriceLevel[];
}

/**
 * Reads the demand curve of an auction, in at most `maxLevels` levels.
 *
 * @throws ServiceError `not_found`, `failed_precondition` for a sale that isn't an auction, `unavailable`.
 */
export async function readPriceLevels(
  database: CommitmentsDatabase,
  saleUuid: string,
  maxLevels: number,
): Promise<PriceLevelsRead> {
  return database.snapshot(async (transaction) => {
    const { sale, state } = await readWholeRows(transaction, saleUuid);
    const { pricing, cancelledKeepsAmounts } = sale.definition;
    if (pricing.kind !== "auction") throw new ServiceError("failed_precondition", "the sale isn't an auction");
    const classes = activeClasses(state, cancelledKeepsAmounts);
    const curve = priceLevels(maxLevels);
    let step = curve.next();
    while (step.done !== true) {
      const { level, limit } = step.value;
      const everything = [{ level, lowestTick: 0n, highestTick: UINT64_MAX }];
      // A node may have a row of each counting class.
      step = curve.next(await readActiveNodes(transaction, saleUuid, classes, everything, limit * classes.length));
    }
    return { sale, state, levels: step.value };
  });
}
