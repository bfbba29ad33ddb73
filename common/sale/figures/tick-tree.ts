import type { TickWidth } from "../definition/tick-width.ts";
import type { CountingClass } from "./counting-class.ts";

/**
 * Sums of amounts over ranges of ticks, as a radix tree. Ticks have W bytes, the sale's width: level 0 is the root (every tick), a
 * node of level L covers the 256^(W-L) ticks that share its first L bytes, level W is a single tick. A fixed-price sale has only the
 * root.
 */
export const ROOT_LEVEL = 0;

/** The sum over the commitments of one counting class below a node. */
export interface NodeSum {
  readonly amount: bigint;
  readonly commitments: bigint;
  /** The sum of the demand; absent in a sale that counts none. */
  readonly demand?: bigint | undefined;
}

/** The level (2 hex digits) and the lowest tick of the node's range (2W hex digits). Sorts by level, then by tick. */
export type NodeKey = string;

const LEVEL_DIGITS = 2;

const LEVELS = Array.from({ length: 256 }, (_, level) => level.toString(16).padStart(LEVEL_DIGITS, "0"));

/** Returns the key of a node. @param tick any tick of its range */
export function nodeKey(width: TickWidth, level: number, tick: bigint): NodeKey {
  return keyOf(level, tick.toString(16).padStart(2 * width, "0"));
}

export function rootKey(width: TickWidth): NodeKey {
  return nodeKey(width, ROOT_LEVEL, 0n);
}

export function isRoot(key: NodeKey): boolean {
  return levelOf(key) === ROOT_LEVEL;
}

/** @param ticks digits of any tick of the node's range */
function keyOf(level: number, ticks: string): NodeKey {
  const digits = level * 2;
  return `${LEVELS[level]}${ticks.slice(0, digits)}${"0".repeat(ticks.length - digits)}`;
}

export function levelOf(key: NodeKey): number {
  return Number.parseInt(key.slice(0, LEVEL_DIGITS), 16);
}

export function lowestTickOf(key: NodeKey): bigint {
  return BigInt(`0x${key.slice(LEVEL_DIGITS)}`);
}

/** Returns the key of the node above. The root has none. */
export function parentOf(key: NodeKey, level: number = levelOf(key)): NodeKey {
  return keyOf(level - 1, key.slice(LEVEL_DIGITS));
}

/** The changes that a batch of commitments makes to the sums, by counting class and node. */
export class TickChanges {
  readonly #width: TickWidth;
  readonly #ticksMatter: boolean;
  readonly #byClass = new Map<CountingClass, Map<bigint, NodeSum>>();

  /** @param ticksMatter whether sums by tick are needed, or only those over all ticks. */
  constructor(width: TickWidth, ticksMatter: boolean) {
    this.#width = width;
    this.#ticksMatter = ticksMatter;
  }

  /** Adds a commitment to a counting class. Negative classes count nowhere. @param demand absent in a sale that counts none */
  add(countingClass: CountingClass, tick: bigint, amount: bigint, demand?: bigint): void {
    this.#change(countingClass, tick, { amount, commitments: 1n, demand });
  }

  /** Removes a commitment that was added before from its counting class. */
  remove(countingClass: CountingClass, tick: bigint, amount: bigint, demand?: bigint): void {
    this.#change(countingClass, tick, { amount: -amount, commitments: -1n, demand: demand && -demand });
  }

  /** Returns the changes that aren't zero, by counting class. */
  byClass(): ReadonlyMap<CountingClass, ReadonlyMap<NodeKey, NodeSum>> {
    const changes = new Map<CountingClass, ReadonlyMap<NodeKey, NodeSum>>();
    for (const [countingClass, ticks] of this.#byClass) {
      const nodes = this.#ticksMatter
        ? sumsOfTree(this.#width, ticks)
        : new Map([[rootKey(this.#width), sumOfAll(ticks.values())]]);
      const real = new Map([...nodes].filter(([, sum]) => !isNothing(sum)));
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

function isNothing({ amount, commitments, demand = 0n }: NodeSum): boolean {
  return amount === 0n && commitments === 0n && demand === 0n;
}

/** Adds up all nodes above the ticks, level by level, each from the one below. */
function sumsOfTree(width: TickWidth, ticks: ReadonlyMap<bigint, NodeSum>): ReadonlyMap<NodeKey, NodeSum> {
  let level = new Map([...ticks].map(([tick, sum]) => [nodeKey(width, width, tick), sum]));
  const tree = new Map(level);
  for (let depth: number = width; depth > ROOT_LEVEL; depth -= 1) {
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

/** Adds two sums; a missing one is zero. */
export function plus(left: NodeSum | undefined, right: NodeSum): NodeSum {
  if (left === undefined) return right;
  const { demand } = left;
  return {
    amount: left.amount + right.amount,
    commitments: left.commitments + right.commitments,
    demand: demand === undefined ? right.demand : demand + (right.demand ?? 0n),
  };
}
