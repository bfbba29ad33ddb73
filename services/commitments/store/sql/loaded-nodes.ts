import { hexOfBytes } from "../../../shared/encoding/hex.ts";
import type { CountingClass } from "../../domain/figures/counting-class.ts";
import { byTickDescending, type TickNode } from "../../domain/figures/tick-node.ts";
import {
  levelOf,
  lowestTickOf,
  type NodeKey,
  type NodeSum,
  parentOf,
  ROOT_KEY,
} from "../../domain/figures/tick-tree.ts";
import { bigintOf } from "./encoding.ts";
import type { TickNodeTable } from "./schema.ts";

/** Nodes of a sale to be read, of each of the counting classes. */
export interface NodeSelection {
  readonly classes: readonly CountingClass[];
  readonly keys: readonly NodeKey[];
  /** Those below these nodes, one level down. */
  readonly childrenOf: readonly NodeKey[];
}

export type NodeRow = Pick<TickNodeTable, "standing" | "node" | "amount" | "commitments">;

export function sumOfRow({ amount, commitments }: Pick<NodeRow, "amount" | "commitments">): NodeSum {
  return { amount: BigInt(amount), commitments: bigintOf(commitments) };
}

/** What is above the root. */
const NOTHING = "";

/** A node with its sum, which is changed in place: an apply changes nine of them. */
interface LoadedNode extends TickNode, NodeSum {
  amount: bigint;
  commitments: bigint;
}

/** The nodes below one, one level down. */
class Siblings {
  readonly #byKey = new Map<NodeKey, LoadedNode>();
  #ordered: readonly LoadedNode[] | undefined;

  get(key: NodeKey): LoadedNode | undefined {
    return this.#byKey.get(key);
  }

  add(key: NodeKey, { amount, commitments }: NodeSum): void {
    this.#byKey.set(key, { level: levelOf(key), lowestTick: lowestTickOf(key), amount, commitments });
    this.#ordered = undefined;
  }

  /** By tick descending, as who looks for the clearing price wants them. */
  get ordered(): readonly LoadedNode[] {
    this.#ordered ??= [...this.#byKey.values()].sort(byTickDescending);
    return this.#ordered;
  }
}

/** The sums by price of one sale, as far as they are known. */
export class LoadedNodes {
  /** By the node above. */
  readonly #sums = new Map<CountingClass, Map<NodeKey, Siblings>>();
  /** Of each counting class the keys that were read, and with a `/` those whose children were. */
  readonly #read = new Map<CountingClass, Set<string>>();
  readonly #isWhole: boolean;
  #size = 0;

  private constructor(isWhole: boolean) {
    this.#isWhole = isWhole;
  }

  /** Knows nothing yet. */
  static none(): LoadedNodes {
    return new LoadedNodes(false);
  }

  /** Knows all nodes of a sale: what isn't among the rows is empty. */
  static whole(rows: readonly NodeRow[]): LoadedNodes {
    const nodes = new LoadedNodes(true);
    nodes.#add(rows);
    return nodes;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Nodes that it holds. */
  get size(): number {
    return this.#size;
  }

  /** Takes note of the rows that a selection has found. */
  note({ classes, keys, childrenOf }: NodeSelection, rows: readonly NodeRow[]): void {
    for (const countingClass of classes) {
      const read = entryOf(this.#read, countingClass, () => new Set<string>());
      for (const key of keys) read.add(key);
      for (const parent of childrenOf) read.add(`${parent}/`);
    }
    this.#add(rows);
  }

  /** What of a selection isn't known of each of the counting classes. */
  missing({ classes, keys, childrenOf }: NodeSelection): Omit<NodeSelection, "classes"> {
    const isMissing = (name: string) =>
      classes.some((countingClass) => this.#read.get(countingClass)?.has(name) !== true);
    return {
      keys: keys.filter((key) => isMissing(key) && (key === ROOT_KEY || isMissing(`${parentOf(key)}/`))),
      childrenOf: childrenOf.filter((parent) => isMissing(`${parent}/`)),
    };
  }

  /** A sum as it is now; it changes with the node. */
  get(countingClass: CountingClass, key: NodeKey): NodeSum | undefined {
    return this.#sums.get(countingClass)?.get(aboveOf(key))?.get(key);
  }

  set(countingClass: CountingClass, key: NodeKey, sum: NodeSum): void {
    const sums = entryOf(this.#sums, countingClass, () => new Map<NodeKey, Siblings>());
    const siblings = entryOf(sums, aboveOf(key), () => new Siblings());
    const present = siblings.get(key);
    if (present === undefined) {
      siblings.add(key, sum);
      this.#size += 1;
    } else {
      present.amount = sum.amount;
      present.commitments = sum.commitments;
    }
  }

  /** The nodes below one that aren't empty, one level down, by tick descending. */
  children(countingClass: CountingClass, parent: NodeKey): readonly TickNode[] {
    const nodes = this.#sums.get(countingClass)?.get(parent)?.ordered ?? [];
    return nodes.filter(({ commitments }) => commitments > 0n);
  }

  /** What is known already may have been changed since it was read. */
  #add(rows: readonly NodeRow[]): void {
    for (const row of rows) {
      const countingClass = bigintOf(row.standing);
      const key = hexOfBytes(row.node);
      if (this.get(countingClass, key) === undefined) this.set(countingClass, key, sumOfRow(row));
    }
  }
}

function aboveOf(key: NodeKey): NodeKey {
  return key === ROOT_KEY ? NOTHING : parentOf(key);
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}
