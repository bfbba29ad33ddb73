import { setTimeout as wait } from "node:timers/promises";

/** A wait that an event can end early. An event that comes while nobody waits ends the next wait at once. */
export class InterruptibleWait {
  #ended = false;
  #current: AbortController | undefined;

  end(): void {
    this.#ended = true;
    this.#current?.abort();
  }

  /** Ends after `millis`, by `end()` or with the signal; never throws. */
  async wait(millis: number, signal: AbortSignal): Promise<void> {
    if (!this.#ended && !signal.aborted) {
      this.#current = new AbortController();
      const either = AbortSignal.any([signal, this.#current.signal]);
      await wait(millis, undefined, { signal: either }).catch(() => undefined);
      this.#current = undefined;
    }
    this.#ended = false;
  }
}
