import type { CountingClass } from "./counting-class.ts";

/**
 * Sums of amounts over ranges of ticks, as a radix tree: level 0 is the root (every tick), a node of level L covers the
 * 256^(8-L) ticks that share its first L bytes, level 8 is a single tick. A fixed-price sale has only the root.
 */
export const ROOT_LEVEL = 0;
export const LEAF_LEVEL = 8;

/** What the commitments of one counting class below a node add up to. */
export interface NodeSum {
  readonly amount: bigint;
  readonly commitments: bigint;
}

/** Level (2 hex digits), then the lowest tick of the node's range (16 hex digits). Sorts by level, then by tick. */
export type NodeKey = string;

export const ROOT_KEY: NodeKey = nodeKey(ROOT_LEVEL, 0n);

/** @param tick any tick of the node's range. */
export function nodeKey(level: number, tick: bigint): NodeKey {
  const digits = level * 2;
  return `0${level}${tick.toString(16).padStart(16, "0").slice(0, digits)}${"0".repeat(16 - digits)}`;
}

export function levelOf(key: NodeKey): number {
  return Number.parseInt(key.slice(0, 2), 16);
}

export function lowestTickOf(key: NodeKey): bigint {
  return BigInt(`0x${key.slice(2)}`);
}

/** The key of the node above; of any node but the root. */
export function parentOf(key: NodeKey, level: number = levelOf(key)): NodeKey {
  const digits = (level - 1) * 2;
  return `0${level - 1}${key.slice(2, 2 + digits)}${"0".repeat(16 - digits)}`;
}

/** The changes that a batch of commitments makes to the sums, by counting class and node. */
export class TickChanges {
  readonly #ticksMatter: boolean;
  readonly #byClass = new Map<CountingClass, Map<bigint, NodeSum>>();

  /** @param ticksMatter whether sums by tick are needed, or only those over all ticks. */
  constructor(ticksMatter: boolean) {
    this.#ticksMatter = ticksMatter;
  }

  /** A commitment begins to count under `countingClass`. Negative classes count nowhere. */
  add(countingClass: CountingClass, tick: bigint, amount: bigint): void {
    this.#change(countingClass, tick, { amount, commitments: 1n });
  }

  /** A commitment that was added before no longer counts under `countingClass`. */
  remove(countingClass: CountingClass, tick: bigint, amount: bigint): void {
    this.#change(countingClass, tick, { amount: -amount, commitments: -1n });
  }

  /** The changes that aren't nothing, by counting class. */
  byClass(): ReadonlyMap<CountingClass, ReadonlyMap<NodeKey, NodeSum>> {
    const changes = new Map<CountingClass, ReadonlyMap<NodeKey, NodeSum>>();
    for (const [countingClass, ticks] of this.#byClass) {
      const nodes = this.#ticksMatter ? sumsOfTree(ticks) : new Map([[ROOT_KEY, sumOfAll(ticks.values())]]);
      const real = new Map([...nodes].filter(([, sum]) => sum.amount !== 0n || sum.commitments !== 0n));
      if (real.size > 0) changes.set(countingClass, real);
    }
    return changes;
  }

  #change(countingClass: CountingClass, tick: bigint, change: NodeSum): void {
    if (countingClass < 0n) return;
    const ticks = this.#byClass.get(countingClass) ?? new Map<bigint, NodeSum>();
    this.#byClass.set(countingClass, ticks);
    ticks.set(tick, plus(ticks.get(tick), change));
  }
}

/** The sums of all nodes above the ticks: level by level, each from the one below. */
function sumsOfTree(ticks: ReadonlyMap<bigint, NodeSum>): ReadonlyMap<NodeKey, NodeSum> {
  let level = new Map([...ticks].map(([tick, sum]) => [nodeKey(LEAF_LEVEL, tick), sum]));
  const tree = new Map(level);
  for (let depth = LEAF_LEVEL; depth > ROOT_LEVEL; depth -= 1) {
    const above = new Map<NodeKey, NodeSum>();
    for (const [key, sum] of level) {
      const parent = parentOf(key, depth);
      above.set(parent, plus(above.get(parent), sum));
    }
    for (const [key, sum] of above) tree.set(key, sum);
    level = above;
  }
  return tree;
}

function sumOfAll(sums: Iterable<NodeSum>): NodeSum {
  let total: NodeSum = { amount: 0n, commitments: 0n };
  for (const sum of sums) total = plus(total, sum);
  return total;
}

/** The sum of two nodes; a missing one is empty. */
export function plus(left: NodeSum | undefined, right: NodeSum): NodeSum {
  if (left === undefined) return right;
  return { amount: left.amount + right.amount, commitments: left.commitments + right.commitments };
}
