import pLimit, { type LimitFunction } from "p-limit";

/** A counting semaphore: at most `count` calls of `run` work at once, in the order of arrival. */
export class Semaphore {
  readonly #limit: LimitFunction;

  constructor(count: number) {
    this.#limit = pLimit(count);
  }

  /**
   * Runs `work` when a place is free.
   *
   * @throws the signal's reason if it is aborted while the work waits
   */
  async run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const leave = () => aborted.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    const done = this.#limit(async () => {
      signal.throwIfAborted();
      signal.removeEventListener("abort", leave);
      return work();
    });
    return Promise.race([done, aborted.promise]);
  }
}
