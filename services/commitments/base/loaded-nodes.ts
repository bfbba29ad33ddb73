import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { TickWidth } from "../../../common/sale/definition/tick-width.ts";
import type { CountingClass } from "../../../common/sale/figures/counting-class.ts";
import { byTickDescending, type TickNode } from "../../../common/sale/figures/tick-node.ts";
import {
  isRoot,
  levelOf,
  lowestTickOf,
  type NodeKey,
  type NodeSum,
  parentOf,
} from "../../../common/sale/figures/tick-tree.ts";
import { bigintOf } from "./encoding.ts";
import type { TickNodeTable } from "./schema.ts";

/** Nodes of a sale to be read, for each of the counting classes. */
export interface NodeSelection {
  /** The width of the sale's keys. */
  readonly width: TickWidth;
  readonly classes: readonly CountingClass[];
  readonly keys: readonly NodeKey[];
  /** Nodes whose children are to be read. */
  readonly childrenOf: readonly NodeKey[];
  /** Tick below which sums are to be read: the nodes of `rangesBelow`. */
  readonly below?: bigint | undefined;
}

export type NodeRow = Pick<TickNodeTable, "standing" | "node" | "amount" | "commitments" | "demand">;

/** Decodes the sum of a node, with the demand if it was read. */
export function sumOfRow(row: Pick<NodeRow, "amount" | "commitments"> & Partial<Pick<NodeRow, "demand">>): NodeSum {
  const { amount, commitments, demand = null } = row;
  return {
    amount: BigInt(amount),
    commitments: bigintOf(commitments),
    demand: demand === null ? undefined : BigInt(demand),
  };
}

/** Decodes a node of one counting class. */
export function tickNodeOf(row: NodeRow): TickNode {
  const key = hexOfBytes(row.node);
  return { level: levelOf(key), lowestTick: lowestTickOf(key), ...sumOfRow(row) };
}

/** The key above the root. */
const NOTHING = "";

/** A node with its sum, which is changed in place: an apply changes nine of them, or 21. */
interface LoadedNode extends TickNode, NodeSum {
  amount: bigint;
  commitments: bigint;
  demand: bigint | undefined;
}

/** The children of one node. */
class Siblings {
  readonly #nodes: LoadedNode[] = [];
  #isOrdered = true;

  add(node: LoadedNode): void {
    this.#nodes.push(node);
    this.#isOrdered = false;
  }

  /** The nodes by tick descending: the order in which the clearing price is searched. */
  get ordered(): readonly LoadedNode[] {
    if (!this.#isOrdered) this.#nodes.sort(byTickDescending);
    this.#isOrdered = true;
    return this.#nodes;
  }
}

/** The nodes of one counting class. */
class ClassNodes {
  readonly byKey = new Map<NodeKey, LoadedNode>();
  /** Siblings by the node above them. */
  readonly #siblings = new Map<NodeKey, Siblings>();

  /** Inserts a node without commitments. */
  insert(key: NodeKey): LoadedNode {
    const node = { level: levelOf(key), lowestTick: lowestTickOf(key), amount: 0n, commitments: 0n, demand: undefined };
    this.byKey.set(key, node);
    entryOf(this.#siblings, aboveOf(key), () => new Siblings()).add(node);
    return node;
  }

  childrenOf(parent: NodeKey): readonly LoadedNode[] {
    return this.#siblings.get(parent)?.ordered ?? [];
  }
}

/** The sums by price of one sale, as far as they were read. */
export class LoadedNodes {
  readonly #nodes = new Map<CountingClass, ClassNodes>();
  /** The keys that were read, by counting class; with a `/` the keys whose children were read, with a `<` the ticks below which all was. */
  readonly #read = new Map<CountingClass, Set<string>>();
  readonly #isWhole: boolean;
  #size = 0;

  private constructor(isWhole: boolean) {
    this.#isWhole = isWhole;
  }

  /** Makes an object that knows no nodes. */
  static none(): LoadedNodes {
    return new LoadedNodes(false);
  }

  /** Makes an object that knows all nodes of a sale: those that aren't among the rows are empty. */
  static whole(rows: readonly NodeRow[]): LoadedNodes {
    const nodes = new LoadedNodes(true);
    nodes.#add(rows);
    return nodes;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The number of nodes. */
  get size(): number {
    return this.#size;
  }

  /** Adds the rows that a selection has found. */
  note({ classes, keys, childrenOf, below }: NodeSelection, rows: readonly NodeRow[]): void {
    for (const countingClass of classes) {
      const read = entryOf(this.#read, countingClass, () => new Set<string>());
      for (const key of keys) read.add(key);
      for (const parent of childrenOf) read.add(`${parent}/`);
      if (below !== undefined) read.add(`<${below}`);
    }
    this.#add(rows);
  }

  /** Returns the part of a selection that isn't known for all of its counting classes. */
  missing({ classes, keys, childrenOf, below }: NodeSelection): Omit<NodeSelection, "width" | "classes"> {
    const isMissing = (name: string) =>
      classes.some((countingClass) => this.#read.get(countingClass)?.has(name) !== true);
    return {
      keys: keys.filter((key) => isMissing(key) && (isRoot(key) || isMissing(`${parentOf(key)}/`))),
      childrenOf: childrenOf.filter((parent) => isMissing(`${parent}/`)),
      below: below !== undefined && isMissing(`<${below}`) ? below : undefined,
    };
  }

  /** Returns the present sum of a node. The object changes with the node. */
  get(countingClass: CountingClass, key: NodeKey): NodeSum | undefined {
    return this.#nodes.get(countingClass)?.byKey.get(key);
  }

  /** Adds a change to the sum of a node, whose present sum must be known; a node without commitments has none. */
  add(countingClass: CountingClass, key: NodeKey, { amount, commitments, demand }: NodeSum): void {
    const nodes = entryOf(this.#nodes, countingClass, () => new ClassNodes());
    const node = nodes.byKey.get(key) ?? this.#insert(nodes, key);
    node.amount += amount;
    node.commitments += commitments;
    if (demand !== undefined) node.demand = (node.demand ?? 0n) + demand;
  }

  /** Returns the children of a node that aren't empty, by tick descending. */
  children(countingClass: CountingClass, parent: NodeKey): readonly TickNode[] {
    const nodes = this.#nodes.get(countingClass)?.childrenOf(parent) ?? [];
    return nodes.filter(({ commitments }) => commitments > 0n);
  }

  #insert(nodes: ClassNodes, key: NodeKey): LoadedNode {
    this.#size += 1;
    return nodes.insert(key);
  }

  /** Adds nodes, except those that are known: they may have been changed since they were read. */
  #add(rows: readonly NodeRow[]): void {
    for (const row of rows) {
      const countingClass = bigintOf(row.standing);
      const key = hexOfBytes(row.node);
      if (this.get(countingClass, key) === undefined) this.add(countingClass, key, sumOfRow(row));
    }
  }
}

function aboveOf(key: NodeKey): NodeKey {
  return isRoot(key) ? NOTHING : parentOf(key);
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const created = make();
  map.set(key, created);
  return created;
}
