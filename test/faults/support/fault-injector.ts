import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Random } from "../../../services/demo/random.ts";

/** Something that goes wrong, and is mended again before `strike` ends. */
export interface Fault {
  readonly name: string;
  strike(): Promise<void>;
}

/** Requests between two faults, and how long after the last of them the fault comes: about as long as an apply takes. */
const REQUESTS = { least: 20, most: 80 };
const LONGEST_LAG_MS = 25;

/** Lets one fault after another happen while requests are under way, each after a random number of requests. */
export class FaultInjector {
  readonly #random: Random;
  readonly #requests = new EventTarget();

  constructor(random: Random) {
    this.#random = random;
  }

  /** To be called whenever a request is sent. */
  requestSent(): void {
    this.#requests.dispatchEvent(new Event("sent"));
  }

  /** Done when the last fault is mended. Rejects when `signal` aborts while no fault is under way. */
  async run(faults: readonly Fault[], signal: AbortSignal): Promise<void> {
    for (const fault of faults) {
      const requests = this.#random.integer(REQUESTS.least, REQUESTS.most);
      for (let sent = 0; sent < requests; sent += 1) await once(this.#requests, "sent", { signal });
      await delay(this.#random.integer(0, LONGEST_LAG_MS), undefined, { signal });
      await fault.strike();
    }
  }
}

/** The same faults in a random order. */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(random.integer(0, rest.length - 1), 1));
}

/** Another generator, so that what one actor draws doesn't depend on how fast the others are. */
export function fork(random: Random): Random {
  return new Random(random.integer(0, 2 ** 32 - 1));
}

/** For people: how often each of them. */
export function countedByName(faults: readonly Fault[]): string {
  const counts = new Map<string, number>();
  for (const { name } of faults) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(", ");
}
