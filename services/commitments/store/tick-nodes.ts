import type { Selectable } from "kysely";
import { selectByKeys } from "../../shared/db/select-by-keys.ts";
import { upsertRows } from "../../shared/db/upsert.ts";
import { bytesOfHex, hexOfBytes } from "../../shared/hex.ts";
import { type ChildrenRequest, clearingTick } from "../domain/clearing-price.ts";
import type { SaleDefinition } from "../domain/sale.ts";
import type { SaleState } from "../domain/sale-state.ts";
import { activeStandings, type Standing } from "../domain/standing.ts";
import { highestTick, type TickNode } from "../domain/tick-node.ts";
import {
  LEAF_LEVEL,
  levelOf,
  lowestTickOf,
  type NodeKey,
  type NodeSum,
  nodeKey,
  plus,
  ROOT_KEY,
  type TickChanges,
} from "../domain/tick-tree.ts";
import { inBatches } from "./batches.ts";
import { bigintOf } from "./encoding.ts";
import type { Tx } from "./sale-rows.ts";
import type { CommitmentsDatabase, CommitmentsSchema, TickNodeTable } from "./schema.ts";

const NODE_TARGET = { table: "tick_node", keys: ["sale", "standing", "node"], values: ["amount", "commitments"] };

/** Adds changes to the stored sums. A node below which nothing is left is deleted. */
export async function addTickChanges(
  database: CommitmentsDatabase,
  transaction: Tx,
  saleUuid: string,
  changes: TickChanges,
): Promise<void> {
  const sale = bytesOfHex(saleUuid);
  for (const [standing, sums] of changes.byStanding()) {
    for (const batch of inBatches([...sums])) {
      const stored = await readNodes(
        database,
        transaction,
        sale,
        standing,
        batch.map(([key]) => key),
      );
      const next = batch.map(([key, change]) => ({ node: bytesOfHex(key), sum: plus(stored.get(key), change) }));
      const kept = next.filter(({ sum }) => sum.commitments > 0n);
      const rows = kept.map(({ node, sum }) => [sale, standing, node, sum.amount.toString(), sum.commitments]);
      await upsertRows(transaction, database.dialect, NODE_TARGET, rows);
      const emptied = next.filter(({ sum }) => sum.commitments <= 0n).map(({ node }) => node);
      await deleteNodes(transaction, sale, standing, emptied);
    }
  }
}

const NODE_COLUMNS = ["node", "amount", "commitments"] as const;

type NodeRow = Pick<Selectable<TickNodeTable>, (typeof NODE_COLUMNS)[number]>;

async function readNodes(
  { dialect }: CommitmentsDatabase,
  transaction: Tx,
  sale: Buffer,
  standing: Standing,
  keys: readonly NodeKey[],
): Promise<ReadonlyMap<NodeKey, NodeSum>> {
  const rows = await selectByKeys<NodeRow, CommitmentsSchema>(
    transaction,
    dialect,
    { table: "tick_node", columns: NODE_COLUMNS, where: { sale, standing }, key: "node" },
    keys.map(bytesOfHex),
  );
  return new Map(rows.map((row) => [hexOfBytes(row.node), sumOf(row)]));
}

async function deleteNodes(transaction: Tx, sale: Buffer, standing: Standing, nodes: readonly Buffer[]): Promise<void> {
  if (nodes.length === 0) return;
  await transaction
    .deleteFrom("tick_node")
    .where("sale", "=", sale)
    .where("standing", "=", standing)
    .where("node", "in", nodes)
    .execute();
}

function sumOf(row: { amount: string; commitments: bigint | string }): NodeSum {
  return { amount: BigInt(row.amount), commitments: bigintOf(row.commitments) };
}

/** Total (normalised) and number of the active commitments of a sale. */
export async function sumOfActive(
  transaction: Tx,
  saleUuid: string,
  definition: SaleDefinition,
  state: SaleState,
): Promise<NodeSum> {
  const rows = await transaction
    .selectFrom("tick_node")
    .select(["amount", "commitments"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("standing", "in", activeStandings(state, definition.cancelledKeepsAmounts))
    .where("node", "=", bytesOfHex(ROOT_KEY))
    .execute();
  return rows.map(sumOf).reduce(plus, { amount: 0n, commitments: 0n });
}

/** A range of nodes: those of one level with ticks from `lowestTick` to `highestTick`. */
interface NodeRange {
  readonly level: number;
  readonly lowestTick: bigint;
  readonly highestTick: bigint;
}

export interface ActiveNode extends TickNode {
  readonly commitments: bigint;
}

/** The non-empty nodes within ranges, the active standings added up, by level and tick ascending; at most `limit` rows. */
export async function readActiveNodes(
  transaction: Tx,
  saleUuid: string,
  standings: readonly Standing[],
  ranges: readonly NodeRange[],
  limit?: number,
): Promise<readonly ActiveNode[]> {
  const query = transaction
    .selectFrom("tick_node")
    .select(["node", "amount", "commitments"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("standing", "in", standings)
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
    sums.set(key, plus(sums.get(key), sumOf(row)));
  }
  return [...sums].map(([key, sum]) => ({ level: levelOf(key), lowestTick: lowestTickOf(key), ...sum }));
}

/** The clearing tick of an auction that isn't a draft, found by one descent; nothing for any other sale. */
export async function clearingTickOf(
  transaction: Tx,
  saleUuid: string,
  definition: SaleDefinition,
  state: SaleState,
): Promise<{ readonly clearingTick?: bigint }> {
  if (definition.pricing.kind !== "auction" || state.status === "draft") return {};
  const standings = activeStandings(state, definition.cancelledKeepsAmounts);
  const load = (ranges: readonly NodeRange[]) => readActiveNodes(transaction, saleUuid, standings, ranges);
  const guess = state.clearingTick ?? definition.pricing.floorTicks;
  const known = await loadPath(load, guess);
  const descent = clearingTick(definition.pricing, definition.priceTick);
  let step = descent.next();
  while (step.done !== true) {
    const range = childrenRange(step.value);
    step = descent.next(known.get(rangeName(range)) ?? (await load([range])));
  }
  return { clearingTick: step.value };
}

/** The children of every node above `tick`, in one statement: the clearing price seldom moves far. */
async function loadPath(
  load: (ranges: readonly NodeRange[]) => Promise<readonly ActiveNode[]>,
  tick: bigint,
): Promise<ReadonlyMap<string, readonly ActiveNode[]>> {
  const levels = Array.from({ length: LEAF_LEVEL }, (_, index) => index + 1);
  const ranges = levels.map((level) => childrenRange({ level, lowestTick: lowestOfParent(level, tick) }));
  const nodes = await load(ranges);
  return new Map(ranges.map((range) => [rangeName(range), nodes.filter(({ level }) => level === range.level)]));
}

function lowestOfParent(level: number, tick: bigint): bigint {
  return lowestTickOf(nodeKey(level - 1, tick));
}

function childrenRange({ level, lowestTick }: ChildrenRequest): NodeRange {
  return { level, lowestTick, highestTick: highestTick({ level: level - 1, lowestTick }) };
}

function rangeName({ level, lowestTick }: NodeRange): string {
  return nodeKey(level, lowestTick);
}
