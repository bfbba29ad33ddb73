import pLimit, { type LimitFunction } from "p-limit";

/** A counting semaphore: at most `count` calls of `run` work at once, in the order of arrival. */
export class Semaphore {
  readonly #limit: LimitFunction;

  constructor(count: number) {
    this.#limit = pLimit(count);
  }

  /** Runs `work` when a place is free. Throws the signal's reason if it is aborted before; work that runs isn't touched. */
  run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    void this.#limit(async () => {
      signal.removeEventListener("abort", leave);
      if (!signal.aborted) await work().then(resolve, reject);
    }).catch(reject);
    return promise;
  }
}
