import { InterruptibleWait } from "../../shared/concurrency/interruptible-wait.ts";
import type { NodeHead } from "../source/source-reader.ts";

/** A node is asked for its head this often. */
const INTERVAL_MS = 15_000;

/** What a node says to be its newest block or slot. */
export interface HeadClaim {
  readonly height: bigint;
  /** Whether the node can be asked for it too: a height alone proves nothing. Rejects where it doesn't tell. */
  isGiven(signal: AbortSignal): Promise<boolean>;
}

/** One of a chain's nodes, as far as their heads are compared. */
export interface ComparedNode {
  /** The only part of its URL that may be shown. */
  readonly host: string;
  /** Asked once: rejects where it doesn't tell. */
  head(signal: AbortSignal): Promise<HeadClaim>;
  /** While it is aside, it isn't asked what others can be asked. */
  setAside(isAside: boolean): void;
}

export interface HeadComparisonOptions {
  /** Blocks or slots that a node may be behind the others. */
  readonly maxLag: bigint;
  readonly unit: "blocks" | "slots";
}

interface Standing {
  /** What it last told. */
  readonly height?: bigint;
  readonly behindBy: bigint;
  readonly trouble: "none" | "behind" | "not given";
}

const UNKNOWN: Standing = { behindBy: 0n, trouble: "none" };

/**
 * Finds nodes that answer as if all were well, but no longer follow the chain: more than `maxLag` behind another one, and
 * where they were at the comparison before. Such a node is put aside until it has caught up, also with where the others
 * were when they went silent: sales must not go back to what it knows. A single node is asked nothing: whether it stands
 * still or the chain does, nobody can tell.
 */
export class HeadComparison {
  readonly #nodes: readonly ComparedNode[];
  readonly #options: HeadComparisonOptions;
  readonly #stopping = new AbortController();
  readonly #pause = new InterruptibleWait();
  #standings: readonly Standing[];
  /** The newest height on which nodes could be compared. */
  #best = 0n;
  #following: Promise<void> | undefined;

  constructor(nodes: readonly ComparedNode[], options: HeadComparisonOptions) {
    this.#nodes = nodes;
    this.#options = options;
    this.#standings = nodes.map(() => UNKNOWN);
  }

  /** Compares now and every 15 seconds from now on. A second call changes nothing. */
  follow(): void {
    if (this.#nodes.length > 1) this.#following ??= this.#follow(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  /** As the last comparison found them, in the operator's order. */
  heads(): readonly NodeHead[] {
    return this.#nodes.map(({ host }, index) => {
      const { height = 0n, behindBy, trouble } = this.#standings[index] ?? UNKNOWN;
      const { unit } = this.#options;
      if (trouble === "behind") return { host, behindBy, trouble: `${host} is ${behindBy} ${unit} behind other nodes` };
      if (trouble === "none") return { host, behindBy };
      return { host, behindBy, trouble: `${host} says that its head is ${height}, but can't give it` };
    });
  }

  /** Asks each node for its head, and once more where that is far ahead. Throws the signal's reason only. */
  async compare(signal: AbortSignal): Promise<void> {
    const claims = await Promise.all(this.#nodes.map((node) => node.head(signal).catch(() => undefined)));
    const told = claims.filter((claim) => claim !== undefined);
    const unproven = await this.#unproven(told, signal);
    signal.throwIfAborted();
    const believed = told.filter((claim) => !unproven.has(claim));
    const isAlone = believed.length < 2;
    if (!isAlone) this.#best = highestFirst(believed)[0]?.height ?? 0n;
    this.#standings = this.#standings.map((before, index) => {
      const claim = claims[index];
      if (claim === undefined) return before;
      const trouble = unproven.get(claim);
      if (trouble !== undefined) return { height: claim.height, behindBy: 0n, trouble };
      return this.#standing(before, claim.height, isAlone);
    });
    this.#putAside();
  }

  /** Heads far above the lowest one, up to the first that is proven: whether the node has denied its head, or doesn't tell. */
  async #unproven(told: readonly HeadClaim[], signal: AbortSignal) {
    const sorted = highestFirst(told);
    const lowest = sorted.at(-1)?.height ?? 0n;
    const unproven = new Map<HeadClaim, "not given" | "none">();
    for (const claim of sorted) {
      if (claim.height - lowest <= this.#options.maxLag) break;
      const isGiven = await claim.isGiven(signal).catch(() => undefined);
      if (isGiven) break;
      unproven.set(claim, isGiven === false ? "not given" : "none");
    }
    return unproven;
  }

  /** @param isAlone nobody else's head can be believed: then it is only looked whether the node has caught up. */
  #standing(before: Standing, height: bigint, isAlone: boolean): Standing {
    const behindBy = this.#best > height ? this.#best - height : 0n;
    const standsStill = before.height !== undefined && height <= before.height;
    const isSuspect = before.trouble === "behind" || (standsStill && !isAlone);
    return { height, behindBy, trouble: isSuspect && behindBy > this.#options.maxLag ? "behind" : "none" };
  }

  /** A node that denies its head is still better than one that is behind. */
  #putAside(): void {
    const isAnyWell = this.#standings.some(({ trouble }) => trouble === "none");
    this.#nodes.forEach((node, index) => {
      const { trouble } = this.#standings[index] ?? UNKNOWN;
      node.setAside(trouble === "behind" || (trouble === "not given" && isAnyWell));
    });
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.compare(signal).catch(() => undefined);
      await this.#pause.wait(INTERVAL_MS, signal);
    }
  }
}

function highestFirst(claims: readonly HeadClaim[]): readonly HeadClaim[] {
  return claims.toSorted((a, b) => (a.height > b.height ? -1 : 1));
}
