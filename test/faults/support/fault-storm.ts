import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../services/demo/random.ts";
import { countedByName, type Fault, fork, shuffled } from "./fault-injector.ts";

/** From the end of a fault to the next one. */
const SHORTEST_CALM_MS = 0;
const LONGEST_CALM_MS = 2_000;

/** Faults of several kinds at once: of each list one after another, in a random order. */
export class FaultStorm {
  readonly #lists: readonly (readonly Fault[])[];
  readonly #random: Random;
  readonly #struck: Fault[] = [];

  constructor(lists: readonly (readonly Fault[])[], random: Random) {
    this.#lists = lists;
    this.#random = random;
  }

  /** How many faults there were. */
  get count(): number {
    return this.#struck.length;
  }

  /** What has happened, for people. */
  get summary(): string {
    return countedByName(this.#struck.toSorted((left, right) => left.name.localeCompare(right.name)));
  }

  /**
   * Rages for a time, and up to three times as long until every list had each of its faults. Done when the last one is
   * mended; ends early where `over` aborts.
   */
  async rage(durationMs: number, over: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    const isOver = (isRepeat: boolean) =>
      over.aborted || performance.now() - startedAt >= durationMs * (isRepeat ? 1 : 3);
    await Promise.all(this.#lists.map((faults) => this.#strike(faults, isOver, fork(this.#random))));
  }

  async #strike(faults: readonly Fault[], isOver: (isRepeat: boolean) => boolean, random: Random): Promise<void> {
    for (;;) {
      for (const fault of shuffled(faults, random)) {
        if (isOver(this.#struck.includes(fault))) return;
        this.#struck.push(fault);
        await fault.strike();
        await delay(random.integer(SHORTEST_CALM_MS, LONGEST_CALM_MS));
      }
    }
  }
}
