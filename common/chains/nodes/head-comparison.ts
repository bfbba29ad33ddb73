import { InterruptibleWait } from "../../platform/concurrency/interruptible-wait.ts";
import type { NodeHead } from "../base/node-head.ts";

const INTERVAL_MS = 15_000;

/** The newest block or slot of a node, according to the node itself. */
export interface ReportedHead {
  readonly height: bigint;
  /** Whether the node can serve that head: a height alone proves nothing. Rejects if the node doesn't answer. */
  isServed(signal: AbortSignal): Promise<boolean>;
}

/** One of a chain's nodes, as far as a comparison of heads needs it. */
export interface ComparedNode {
  /** The only part of its URL that may be shown. */
  readonly host: string;
  /** Asks the node once. Rejects if it doesn't answer. */
  head(signal: AbortSignal): Promise<ReportedHead>;
  /** Marks the node as unhealthy: then it is asked only if all are. */
  setUnhealthy(isUnhealthy: boolean): void;
}

export interface HeadComparisonOptions {
  /** Blocks or slots that a node may be behind the others. */
  readonly maxLag: bigint;
  readonly unit: "blocks" | "slots";
}

interface NodeState {
  /** The last height that it reported. */
  readonly height?: bigint;
  readonly behindBy: bigint;
  readonly problem: "none" | "behind" | "not served";
}

const UNKNOWN: NodeState = { behindBy: 0n, problem: "none" };

/**
 * Finds nodes that answer but no longer follow the chain: they are more than `maxLag` behind another node, and haven't
 * moved since the previous comparison. Such a node is unhealthy until it has caught up. That holds even if the others stop
 * answering, because sales must not go back to its old state. A single node isn't compared: nobody can know whether the
 * node is stuck or the chain.
 */
export class HeadComparison {
  readonly #nodes: readonly ComparedNode[];
  readonly #options: HeadComparisonOptions;
  readonly #stopping = new AbortController();
  readonly #interval = new InterruptibleWait();
  #states: readonly NodeState[];
  /** The newest height of the last comparison between several nodes. */
  #best = 0n;
  #following: Promise<void> | undefined;

  constructor(nodes: readonly ComparedNode[], options: HeadComparisonOptions) {
    this.#nodes = nodes;
    this.#options = options;
    this.#states = nodes.map(() => UNKNOWN);
  }

  /** Compares now, and then every 15 seconds. A second call changes nothing. */
  follow(): void {
    if (this.#nodes.length > 1) this.#following ??= this.#follow(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  /** The nodes as of the last comparison, in the operator's order. */
  heads(): readonly NodeHead[] {
    return this.#nodes.map(({ host }, index) => {
      const { height = 0n, behindBy, problem } = this.#states[index] ?? UNKNOWN;
      const { unit } = this.#options;
      if (problem === "behind") return { host, behindBy, problem: `${host} is ${behindBy} ${unit} behind other nodes` };
      if (problem === "none") return { host, behindBy };
      return { host, behindBy, problem: `${host} says that its head is ${height}, but can't serve it` };
    });
  }

  /** Asks each node for its head, and once more if that is far ahead. Throws only the signal's reason. */
  async compare(signal: AbortSignal): Promise<void> {
    const answers = await Promise.all(this.#nodes.map((node) => node.head(signal).catch(() => undefined)));
    const reported = answers.filter((head) => head !== undefined);
    const unproven = await this.#unproven(reported, signal);
    signal.throwIfAborted();
    const believed = reported.filter((head) => !unproven.has(head));
    const isAlone = believed.length < 2;
    if (!isAlone) this.#best = highestFirst(believed)[0]?.height ?? 0n;
    this.#states = this.#states.map((before, index) => {
      const head = answers[index];
      if (head === undefined) return before;
      const problem = unproven.get(head);
      if (problem !== undefined) return { height: head.height, behindBy: 0n, problem };
      return this.#stateAfter(before, head.height, isAlone);
    });
    this.#markUnhealthy();
  }

  /**
   * Heads that are far above the lowest one and not proven, each with whether the node denied having it or didn't answer.
   * Checks from the highest head down to the first one that is proven.
   */
  async #unproven(reported: readonly ReportedHead[], signal: AbortSignal) {
    const sorted = highestFirst(reported);
    const lowest = sorted.at(-1)?.height ?? 0n;
    const unproven = new Map<ReportedHead, "not served" | "none">();
    for (const head of sorted) {
      if (head.height - lowest <= this.#options.maxLag) break;
      const isServed = await head.isServed(signal).catch(() => undefined);
      if (isServed) break;
      unproven.set(head, isServed === false ? "not served" : "none");
    }
    return unproven;
  }

  /** @param isAlone whether no other head can be believed. Then the only possible change is that the node has caught up. */
  #stateAfter(before: NodeState, height: bigint, isAlone: boolean): NodeState {
    const behindBy = this.#best > height ? this.#best - height : 0n;
    const isStuck = before.height !== undefined && height <= before.height;
    const isSuspect = before.problem === "behind" || (isStuck && !isAlone);
    return { height, behindBy, problem: isSuspect && behindBy > this.#options.maxLag ? "behind" : "none" };
  }

  /** Marks nodes that are behind, and those that can't serve their head. The latter only if a better node is left. */
  #markUnhealthy(): void {
    const isAnyHealthy = this.#states.some(({ problem }) => problem === "none");
    this.#nodes.forEach((node, index) => {
      const { problem } = this.#states[index] ?? UNKNOWN;
      node.setUnhealthy(problem === "behind" || (problem === "not served" && isAnyHealthy));
    });
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.compare(signal).catch(() => undefined);
      await this.#interval.wait(INTERVAL_MS, signal);
    }
  }
}

function highestFirst(heads: readonly ReportedHead[]): readonly ReportedHead[] {
  return heads.toSorted((a, b) => (a.height > b.height ? -1 : 1));
}

/** Adds other problems of the same nodes, in their order. */
export function withProblems(
  heads: readonly NodeHead[],
  problems: readonly (string | undefined)[],
): readonly NodeHead[] {
  return heads.map((head, index) => {
    const all = [head.problem, problems[index]].filter((problem) => problem !== undefined);
    return all.length === 0 ? head : { ...head, problem: all.join(", and ") };
  });
}

/** Adds the methods that the same nodes refuse, in their order. */
export function withRefusedMethods(
  heads: readonly NodeHead[],
  methods: readonly (readonly string[])[],
): readonly NodeHead[] {
  return heads.map((head, index) => {
    const refusedMethods = methods[index] ?? [];
    return refusedMethods.length === 0 ? head : { ...head, refusedMethods };
  });
}
