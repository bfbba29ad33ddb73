import { setTimeout as delay } from "node:timers/promises";
import { componentOf, type DistributedRelease, isReady, PORTS } from "./distributed-release.ts";

/** Milliseconds between two looks at the pods. */
const POLL_MS = 200;

/** The least number of ready pods that each component had, until it is stopped. Pods that are about to end don't count. */
export class LeastReady {
  readonly #release: DistributedRelease;
  readonly #least = new Map(Object.keys(PORTS).map((component) => [component, Number.POSITIVE_INFINITY]));
  readonly #running: Promise<void>;
  #stopped = false;

  constructor(release: DistributedRelease) {
    this.#release = release;
    this.#running = this.#watch();
    // Who stops it gets the error.
    this.#running.catch(() => undefined);
  }

  /** @throws Error if the pods could not be read */
  async stop(): Promise<Readonly<Record<string, number>>> {
    this.#stopped = true;
    await this.#running;
    return Object.fromEntries(this.#least);
  }

  async #watch(): Promise<void> {
    do {
      const ready = (await this.#release.runningPods()).filter(isReady).map(componentOf);
      for (const [component, least] of this.#least) {
        this.#least.set(component, Math.min(least, ready.filter((each) => each === component).length));
      }
      await delay(POLL_MS);
    } while (!this.#stopped);
  }
}
