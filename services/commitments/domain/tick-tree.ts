import type { Standing } from "./standing.ts";

/**
 * Sums of amounts over ranges of ticks, as a radix tree: level 0 is the root (every tick), a node of level L covers the
 * 256^(8-L) ticks that share its first L bytes, level 8 is a single tick. A fixed-price sale has only the root.
 */
export const ROOT_LEVEL = 0;
export const LEAF_LEVEL = 8;

/** What the commitments of one standing below a node add up to. */
export interface NodeSum {
  readonly amount: bigint;
  readonly commitments: bigint;
}

/** Level (2 hex digits), then the lowest tick of the node's range (16 hex digits). Sorts by level, then by tick. */
export type NodeKey = string;

export const ROOT_KEY: NodeKey = nodeKey(ROOT_LEVEL, 0n);

/** @param tick any tick of the node's range. */
export function nodeKey(level: number, tick: bigint): NodeKey {
  return keyOf(level, tick.toString(16).padStart(16, "0"));
}

function keyOf(level: number, tickHex: string): NodeKey {
  return `0${level}${tickHex.slice(0, level * 2)}${"0".repeat(16 - level * 2)}`;
}

export function levelOf(key: NodeKey): number {
  return Number.parseInt(key.slice(0, 2), 16);
}

export function lowestTickOf(key: NodeKey): bigint {
  return BigInt(`0x${key.slice(2)}`);
}

/** The nodes on the way from the root to a tick, both included. */
function path(tick: bigint, depth: number): NodeKey[] {
  const hex = tick.toString(16).padStart(16, "0");
  return Array.from({ length: depth + 1 }, (_, level) => keyOf(level, hex));
}

/** The changes that a batch of commitments makes to the sums, by standing and node. */
export class TickChanges {
  readonly #depth: number;
  readonly #byStanding = new Map<Standing, Map<NodeKey, NodeSum>>();

  /** @param ticksMatter whether sums by tick are needed, or only those over all ticks. */
  constructor(ticksMatter: boolean) {
    this.#depth = ticksMatter ? LEAF_LEVEL : ROOT_LEVEL;
  }

  /** A commitment begins to count under `standing`. Negative standings count nowhere. */
  add(standing: Standing, tick: bigint, amount: bigint): void {
    this.#change(standing, tick, { amount, commitments: 1n });
  }

  /** A commitment that was added before no longer counts under `standing`. */
  remove(standing: Standing, tick: bigint, amount: bigint): void {
    this.#change(standing, tick, { amount: -amount, commitments: -1n });
  }

  /** The changes that aren't nothing, by standing. */
  byStanding(): ReadonlyMap<Standing, ReadonlyMap<NodeKey, NodeSum>> {
    const changes = new Map<Standing, ReadonlyMap<NodeKey, NodeSum>>();
    for (const [standing, sums] of this.#byStanding) {
      const real = new Map([...sums].filter(([, sum]) => sum.amount !== 0n || sum.commitments !== 0n));
      if (real.size > 0) changes.set(standing, real);
    }
    return changes;
  }

  #change(standing: Standing, tick: bigint, change: NodeSum): void {
    if (standing < 0n) return;
    const sums = this.#byStanding.get(standing) ?? new Map<NodeKey, NodeSum>();
    this.#byStanding.set(standing, sums);
    for (const key of path(tick, this.#depth)) sums.set(key, plus(sums.get(key), change));
  }
}

/** The sum of two nodes; a missing one is empty. */
export function plus(left: NodeSum | undefined, right: NodeSum): NodeSum {
  if (left === undefined) return right;
  return { amount: left.amount + right.amount, commitments: left.commitments + right.commitments };
}
