import { setImmediate } from "node:timers/promises";
import type { TraceContext } from "../tracing/trace-context.ts";
import { recordedTrace, withTrace } from "../tracing/tracing.ts";
import { outsideOfCalls } from "./call-signal.ts";

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly trace: TraceContext | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatcherOptions {
  /**
   * Lets the event loop turn once before each batch, so that it has all items that arrive at the same moment, such as the results
   * of another batch. For work that costs much more for a batch than for an item.
   */
  readonly gathers?: boolean;
}

const MAX_BATCH = 64;

/**
 * Collects the items that arrive while a batch runs, and then runs them as the next batch, like a database's group
 * commit: an item never waits for others to arrive, and batches grow with the load. Items keep their order of arrival.
 * In traces, a batch is part of the first of its calls that is traced.
 */
export class Batcher<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #gathers: boolean;
  #waiting: Waiting<Item, Result>[] = [];
  #busy = false;

  /** @param work returns a result for each item, in their order. If it throws, all items of the batch fail. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, { gathers = false }: BatcherOptions = {}) {
    this.#work = work;
    this.#gathers = gathers;
  }

  /**
   * Runs one item. The number of waiting items has no bound of its own: the server bounds the number of calls.
   *
   * @throws what the work throws
   */
  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, trace: recordedTrace(), resolve, reject });
      if (!this.#busy) void outsideOfCalls(() => this.#drain());
    });
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      if (this.#gathers) await setImmediate();
      await this.#settle(this.#waiting.splice(0, MAX_BATCH));
    }
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
