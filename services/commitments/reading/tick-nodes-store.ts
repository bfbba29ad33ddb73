import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { CountingClass } from "../../../common/sale/figures/counting-class.ts";
import type { TickNode } from "../../../common/sale/figures/tick-node.ts";
import {
  levelOf,
  lowestTickOf,
  type NodeKey,
  type NodeSum,
  nodeKey,
  plus,
} from "../../../common/sale/figures/tick-tree.ts";
import { sumOfRow } from "../base/loaded-nodes.ts";
import type { Tx } from "../base/sale-rows.ts";

/** The nodes of one level with ticks from `lowestTick` to `highestTick`. */
interface NodeRange {
  readonly level: number;
  readonly lowestTick: bigint;
  readonly highestTick: bigint;
}

export interface ActiveNode extends TickNode {
  readonly commitments: bigint;
}

/** Reads the nodes within ranges, with the counting classes added up, by level and tick ascending; at most `limit` rows. */
export async function readActiveNodes(
  transaction: Tx,
  saleUuid: string,
  classes: readonly CountingClass[],
  ranges: readonly NodeRange[],
  limit?: number,
): Promise<readonly ActiveNode[]> {
  const query = transaction
    .selectFrom("tick_node")
    .select(["node", "amount", "commitments"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("standing", "in", classes)
    .where((where) =>
      where.or(
        ranges.map(({ level, lowestTick, highestTick }) =>
          where.between("node", bytesOfHex(nodeKey(level, lowestTick)), bytesOfHex(nodeKey(level, highestTick))),
        ),
      ),
    )
    .orderBy("node");
  const rows = await (limit === undefined ? query : query.limit(limit)).execute();
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
