import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { highestTicks, type TickWidth, tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { activeClasses, type CountingClass } from "../../../common/sale/figures/counting-class.ts";
import type { TickNode } from "../../../common/sale/figures/tick-node.ts";
import {
  levelOf,
  lowestTickOf,
  type NodeKey,
  type NodeSum,
  nodeKey,
  plus,
} from "../../../common/sale/figures/tick-tree.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { sumOfRow } from "../base/loaded-nodes.ts";
import { readWholeRows } from "../base/read-sale.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { type LevelRequest, type PriceLevel, priceLevels } from "./price-levels.ts";

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
    const width = tickWidth(sale.definition);
    const curve = priceLevels(width, maxLevels);
    let step = curve.next();
    while (step.done !== true) {
      const { level, limit } = step.value;
      // A node may have a row of each counting class.
      const wanted = { saleUuid, width, classes, level, limit: limit * classes.length };
      step = curve.next(await readActiveNodes(transaction, wanted));
    }
    return { sale, state, levels: step.value };
  });
}

/** The nodes of one level of a sale's tree, at most `limit` rows. */
interface LevelOfSale extends LevelRequest {
  readonly saleUuid: string;
  readonly width: TickWidth;
  readonly classes: readonly CountingClass[];
}

interface ActiveNode extends TickNode {
  readonly commitments: bigint;
}

/** Reads the nodes of a level, with the counting classes added up, by tick ascending. */
async function readActiveNodes(
  transaction: Tx,
  { saleUuid, width, classes, level, limit }: LevelOfSale,
): Promise<readonly ActiveNode[]> {
  const [first, last] = [nodeKey(width, level, 0n), nodeKey(width, level, highestTicks(width))];
  const rows = await transaction
    .selectFrom("tick_node")
    .select(["node", "amount", "commitments"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("standing", "in", classes)
    .where((where) => where.between("node", bytesOfHex(first), bytesOfHex(last)))
    .orderBy("node")
    .limit(limit)
    .execute();
  return addUp(rows);
}

function addUp(rows: readonly { node: Uint8Array; amount: string; commitments: bigint | string }[]): ActiveNode[] {
  const sums = new Map<NodeKey, NodeSum>();
  for (const row of rows) {
    const key = hexOfBytes(row.node);
    sums.set(key, plus(sums.get(key), sumOfRow(row)));
  }
  return [...sums].map(([key, sum]) => ({ level: levelOf(key), lowestTick: lowestTickOf(key), ...sum }));
}
