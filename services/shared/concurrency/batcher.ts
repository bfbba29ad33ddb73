import { AsyncLocalStorage } from "node:async_hooks";

import type { TraceContext } from "../tracing/trace-context.ts";
import { recordedTrace, withTrace } from "../tracing/tracing.ts";

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly trace: TraceContext | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 64;

/**
 * Does in one go what arrives while other work of its kind is under way, as a database does with commits: nothing waits
 * for company, and the busier it is, the larger the batches. Items keep their order of arrival. In traces,
 * a batch is part of the first of its calls that is traced.
 */
export class Batcher<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** A batch is not part of the call that happens to start it, and doesn't end with it. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #waiting: Waiting<Item, Result>[] = [];
  #busy = false;

  /** @param work answers with a result for each item, in their order; where it throws, all of them fail. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#work = work;
  }

  /** As many wait as there are calls under way, of which the server bounds the number. @throws what the work throws. */
  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, trace: recordedTrace(), resolve, reject });
      if (!this.#busy) void this.#outside(() => this.#drain());
    });
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) await this.#settle(this.#waiting.splice(0, MAX_BATCH));
    this.#busy = false;
  }

  async #settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const trace = batch.find((waiting) => waiting.trace !== undefined)?.trace;
      const results = await withTrace(trace, () => this.#work(batch.map(({ item }) => item)));
      if (results.length !== batch.length) throw new TypeError("a result is missing");
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
