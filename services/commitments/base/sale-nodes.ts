import { CompiledQuery } from "kysely";
import { inBatches } from "../../../common/platform/db/batches.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import { deleteByKeys, selectByKeys } from "../../../common/platform/db/sql/by-keys.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { HexBytes, hexBytes, type StatementRow } from "../../../common/platform/db/sql/hex-bytes.ts";
import { tableTarget, withoutValue } from "../../../common/platform/db/sql/table-target.ts";
import { upsertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { TickWidth } from "../../../common/sale/definition/tick-width.ts";
import type { ChildrenRequest } from "../../../common/sale/figures/clearing-price.ts";
import type { CountingClass } from "../../../common/sale/figures/counting-class.ts";
import { amountBelow, highestTick, rangesBelow, type TickNode } from "../../../common/sale/figures/tick-node.ts";
import {
  isRoot,
  levelOf,
  lowestTickOf,
  type NodeKey,
  type NodeSum,
  nodeKey,
  parentOf,
  plus,
  ROOT_LEVEL,
  rootKey,
  type TickChanges,
} from "../../../common/sale/figures/tick-tree.ts";
import { LoadedNodes, type NodeRow, type NodeSelection, sumOfRow } from "./loaded-nodes.ts";
import type { TickNodeTable } from "./schema.ts";

const NODE_TARGET = tableTarget<TickNodeTable>("tick_node", {
  sale: "key",
  standing: "key",
  node: "key",
  amount: "value",
  commitments: "value",
  demand: "value",
});
const WITHOUT_DEMAND = withoutValue(NODE_TARGET, "demand");
const NODE_COLUMNS = ["standing", "node", "amount", "commitments", "demand"] as const;
const EMPTY: NodeSum = { amount: 0n, commitments: 0n };

/** Selects the root, and all nodes that a descent to `tick` reads: the clearing price seldom moves far. */
export function pathTo(width: TickWidth, tick: bigint): Pick<NodeSelection, "width" | "keys" | "childrenOf"> {
  return {
    width,
    keys: [rootKey(width)],
    childrenOf: Array.from({ length: width }, (_, level) => nodeKey(width, level, tick)),
  };
}

/** Returns the keys of the nodes above ticks, and of the ticks themselves. */
export function nodesAbove(width: TickWidth, ticks: Iterable<bigint>): readonly NodeKey[] {
  const keys = new Set<NodeKey>([rootKey(width)]);
  for (const tick of ticks) {
    for (let level: number = width; level > ROOT_LEVEL; level--) keys.add(nodeKey(width, level, tick));
  }
  return [...keys];
}

/** Builds the statement that reads nodes, for `LoadedNodes.note`. */
export function selectNodes(
  dialect: SqlDialect,
  saleUuid: string,
  { width, classes, keys, childrenOf, below }: NodeSelection,
): CompiledQuery<NodeRow> {
  const bound = new BoundValues(dialect);
  const isSale = `sale = ${bound.one(bytesOfHex(saleUuid))} and standing in ${bound.list(classes)}`;
  const conditions = keys.length === 0 ? [] : [`node in ${bound.list(keys.map(bytesOfHex))}`];
  const children = childrenOf.map((parent) => childrenOfNode(width, parent));
  const ranges = [...children, ...(below === undefined ? [] : rangesBelow(width, below))];
  for (const [first, last] of ranges) {
    conditions.push(`node between ${bound.one(bytesOfHex(first))} and ${bound.one(bytesOfHex(last))}`);
  }
  const text = `select ${NODE_COLUMNS.join(", ")} from tick_node where ${isSale} and (${conditions.join(" or ")})`;
  return CompiledQuery.raw(text, bound.parameters);
}

/** Builds the statement that reads all nodes of a sale, at most `limit`, for `LoadedNodes.whole`. */
export function selectAllNodes(dialect: SqlDialect, saleUuid: string, limit: number): CompiledQuery<NodeRow> {
  const nodes = { columns: NODE_COLUMNS, where: {}, key: "sale", limit } as const;
  return selectByKeys(dialect, NODE_TARGET, nodes, [bytesOfHex(saleUuid)]);
}

/** Adds up the rows of `selectNodes` that are of all ticks. */
export function sumOfRoots(rows: readonly NodeRow[]): NodeSum {
  return rows
    .filter(({ node }) => isRoot(hexOfBytes(node)))
    .map(sumOfRow)
    .reduce(plus, EMPTY);
}

function childrenOfNode(width: TickWidth, parent: NodeKey): readonly [NodeKey, NodeKey] {
  const level = levelOf(parent);
  const lowestTick = lowestTickOf(parent);
  const last = highestTick(width, { level, lowestTick });
  return [nodeKey(width, level + 1, lowestTick), nodeKey(width, level + 1, last)];
}

/**
 * The sums by price of a sale while it is changed, with the changes so far. Sums that aren't known are read when they are
 * needed.
 */
export class SaleNodes {
  known: LoadedNodes;
  readonly #dialect: SqlDialect;
  readonly #saleUuid: string;
  #width: TickWidth;
  readonly #read: (query: CompiledQuery<NodeRow>) => Promise<readonly NodeRow[]>;

  /** @param read executes a query in the transaction that holds the lock */
  constructor(
    dialect: SqlDialect,
    saleUuid: string,
    width: TickWidth,
    known: LoadedNodes,
    read: (query: CompiledQuery<NodeRow>) => Promise<readonly NodeRow[]>,
  ) {
    this.#dialect = dialect;
    this.#saleUuid = saleUuid;
    this.#width = width;
    this.known = known;
    this.#read = read;
  }

  /** Adds changes to the sums. @returns the statements that store them */
  async add(changes: TickChanges): Promise<readonly CompiledQuery[]> {
    const statements: CompiledQuery[] = [];
    for (const [countingClass, added] of changes.byClass()) {
      await this.#note(countingClass, added);
      for (const keys of inBatches([...added.keys()])) statements.push(...this.#store(countingClass, keys));
    }
    return statements;
  }

  /** Adds changes to the sums that stay in this process. */
  async note(changes: TickChanges): Promise<void> {
    for (const [countingClass, added] of changes.byClass()) await this.#note(countingClass, added);
  }

  async #note(countingClass: CountingClass, added: ReadonlyMap<NodeKey, NodeSum>): Promise<void> {
    await this.#require([countingClass], [...added.keys()], []);
    for (const [key, change] of added) this.known.add(countingClass, key, change);
  }

  /** Forgets all sums, as all rows of the sale were deleted. @param width of the sums to come */
  clear(width: TickWidth): void {
    this.#width = width;
    this.known = LoadedNodes.whole([]);
  }

  /** Returns the normalised total and the number of the commitments of counting classes. */
  async total(classes: readonly CountingClass[]): Promise<NodeSum> {
    const root = rootKey(this.#width);
    await this.#require(classes, [root], []);
    return classes.map((countingClass) => this.known.get(countingClass, root) ?? EMPTY).reduce(plus, EMPTY);
  }

  /** Returns the normalised total of the commitments of counting classes below a tick. */
  async amountBelow(classes: readonly CountingClass[], tick: bigint): Promise<bigint> {
    const parents = rangesBelow(this.#width, tick).map(([first]) => parentOf(first));
    if (parents.length > 0) await this.#require(classes, [], [], tick);
    const nodes = parents.flatMap((parent) =>
      classes.flatMap((countingClass) => this.known.children(countingClass, parent)),
    );
    return amountBelow(this.#width, tick, nodes);
  }

  /** Reads the nodes of a descent to a tick that aren't known. */
  async requirePath(classes: readonly CountingClass[], tick: bigint): Promise<void> {
    if (this.known.isWhole) return;
    const { keys, childrenOf } = pathTo(this.#width, tick);
    await this.#require(classes, keys, childrenOf);
  }

  /** Returns the non-empty children of a node, with the counting classes added up. */
  async children(
    classes: readonly CountingClass[],
    { level, lowestTick }: ChildrenRequest,
  ): Promise<readonly TickNode[]> {
    const parent = nodeKey(this.#width, level - 1, lowestTick);
    await this.#require(classes, [], [parent]);
    const [children = [], ...others] = classes.map((countingClass) => this.known.children(countingClass, parent));
    return others.length === 0 ? children : addUp([children, ...others].flat());
  }

  async #require(
    classes: readonly CountingClass[],
    keys: readonly NodeKey[],
    childrenOf: readonly NodeKey[],
    below?: bigint,
  ): Promise<void> {
    if (this.known.isWhole) return;
    const width = this.#width;
    const missing = this.known.missing({ width, classes, keys, childrenOf, below });
    const [first = [], ...others] = inBatches(missing.keys);
    if (missing.childrenOf.length + first.length > 0 || missing.below !== undefined) {
      await this.#select({ ...missing, width, classes, keys: first });
    }
    for (const batch of others) await this.#select({ width, classes, keys: batch, childrenOf: [] });
  }

  async #select(selection: NodeSelection): Promise<void> {
    this.known.note(selection, await this.#read(selectNodes(this.#dialect, this.#saleUuid, selection)));
  }

  /** Builds the statements that store nodes. Those without commitments are deleted. */
  *#store(countingClass: CountingClass, keys: readonly NodeKey[]): Generator<CompiledQuery> {
    const sale = hexBytes(this.#saleUuid);
    const rows: StatementRow<TickNodeTable>[] = [];
    const emptied: HexBytes[] = [];
    for (const key of keys) {
      const { amount, commitments, demand } = this.known.get(countingClass, key) ?? EMPTY;
      const node = new HexBytes(key);
      if (commitments > 0n) {
        const sums = { amount: amount.toString(), commitments, demand: demand?.toString() ?? null };
        rows.push({ sale, standing: countingClass, node, ...sums });
      } else emptied.push(node);
    }
    // All nodes of a sale have a demand, or none has.
    const target = rows[0]?.demand === null ? WITHOUT_DEMAND : NODE_TARGET;
    if (rows.length > 0) yield upsertStatement(this.#dialect, target, rows);
    const where = { sale: bytesOfHex(this.#saleUuid), standing: countingClass };
    const nodes = { where, key: "node" } as const;
    if (emptied.length > 0) yield deleteByKeys(this.#dialect, NODE_TARGET, nodes, emptied);
  }
}

function addUp(nodes: readonly TickNode[]): readonly TickNode[] {
  const sums = new Map<bigint, TickNode>();
  for (const node of nodes) {
    const { amount = 0n, demand } = sums.get(node.lowestTick) ?? {};
    const both = node.demand === undefined ? demand : node.demand + (demand ?? 0n);
    sums.set(node.lowestTick, { ...node, amount: amount + node.amount, demand: both });
  }
  return [...sums.values()];
}
