import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../services/demo/bidders/random.ts";
import { countedByName, type Fault, fork, shuffled } from "./fault-injector.ts";

/** The longest time between two faults of a list. */
const MAX_INTERVAL_MS = 2_000;

/** Injects faults of several lists concurrently, those of one list one after another in random order. */
export class ConcurrentFaults {
  readonly #lists: readonly (readonly Fault[])[];
  readonly #random: Random;
  readonly #injected: Fault[] = [];

  constructor(lists: readonly (readonly Fault[])[], random: Random) {
    this.#lists = lists;
    this.#random = random;
  }

  /** The number of injected faults. */
  get count(): number {
    return this.#injected.length;
  }

  /** A text about the injected faults. */
  get summary(): string {
    return countedByName(this.#injected.toSorted((left, right) => left.name.localeCompare(right.name)));
  }

  /**
   * Injects faults for a time, or up to three times as long until each fault was injected once. Resolves when the last fault is
   * repaired; ends early if `over` aborts.
   */
  async run(durationMs: number, over: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    const isOver = (isRepeat: boolean) =>
      over.aborted || performance.now() - startedAt >= durationMs * (isRepeat ? 1 : 3);
    await Promise.all(this.#lists.map((faults) => this.#inject(faults, isOver, fork(this.#random))));
  }

  async #inject(faults: readonly Fault[], isOver: (isRepeat: boolean) => boolean, random: Random): Promise<void> {
    for (;;) {
      for (const fault of shuffled(faults, random)) {
        if (isOver(this.#injected.includes(fault))) return;
        this.#injected.push(fault);
        await fault.inject();
        await delay(random.integer(0, MAX_INTERVAL_MS));
      }
    }
  }
}
