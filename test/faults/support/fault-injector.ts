import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Random } from "../../../services/demo/bidders/random.ts";

/** A fault. `inject` causes it and repairs it again before it resolves. */
export interface Fault {
  readonly name: string;
  inject(): Promise<void>;
}

/** The number of requests between two faults, and the longest delay after the last of them, about the time of an apply. */
const REQUESTS = { least: 20, most: 80 };
const LONGEST_LAG_MS = 25;

/** Injects one fault after another while requests are in flight, each after a random number of requests. */
export class FaultInjector {
  readonly #random: Random;
  readonly #requests = new EventTarget();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Counts a request. Call it for every request that is sent. */
  requestSent(): void {
    this.#requests.dispatchEvent(new Event("sent"));
  }

  /** Injects the faults. Resolves when the last one is repaired; rejects when `signal` aborts between two faults. */
  async run(faults: readonly Fault[], signal: AbortSignal): Promise<void> {
    for (const fault of faults) {
      const requests = this.#random.integer(REQUESTS.least, REQUESTS.most);
      for (let sent = 0; sent < requests; sent += 1) await once(this.#requests, "sent", { signal });
      await delay(this.#random.integer(0, LONGEST_LAG_MS), undefined, { signal });
      await fault.inject();
    }
  }
}

/** Returns the items in random order. */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(random.integer(0, rest.length - 1), 1));
}

/** Returns another generator, so that the random choices of one actor don't depend on the speed of others. */
export function fork(random: Random): Random {
  return new Random(random.integer(0, 2 ** 32 - 1));
}

/** Returns the number of faults of each name, as text. */
export function countedByName(faults: readonly Fault[]): string {
  const counts = new Map<string, number>();
  for (const { name } of faults) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(", ");
}
