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
   * The longest wait after a batch until as many items are there as it had; never longer than that batch took. 0 by default.
   * Callers that come again as soon as they have their results share a batch again then. Otherwise they fall apart into small
   * batches, which cost as much as large ones.
   */
  readonly maxWaitMs?: number;
  /** The most items of a batch. 64 by default. */
  readonly maxBatch?: number;
}

const MAX_BATCH = 64;

/**
 * Collects the items that arrive while a batch runs, and then runs them as the next batch, like a database's group
 * commit: an item doesn't wait for others to arrive (but see `maxWaitMs`), and batches grow with the load. Before each batch
 * the event loop turns once, so that the batch has all items that arrive at the same moment, such as the results of another
 * batch: for work that costs much more for a batch than for an item. Items keep their order of arrival. In traces, a batch is
 * part of the first of its calls that is traced.
 */
export class Batcher<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #maxWaitMs: number;
  readonly #maxBatch: number;
  #waiting: Waiting<Item, Result>[] = [];
  #busy = false;
  /** Called when an item has come, while a batch waits for more. */
  #notice: (() => void) | undefined;
  #last = { size: 0, tookMs: 0, endedAtMs: 0 };

  /** @param work returns a result for each item, in their order. If it throws, all items of the batch fail. */
  constructor(
    work: (items: readonly Item[]) => Promise<readonly Result[]>,
    { maxWaitMs = 0, maxBatch = MAX_BATCH }: BatcherOptions = {},
  ) {
    this.#work = work;
    this.#maxWaitMs = maxWaitMs;
    this.#maxBatch = maxBatch;
  }

  /**
   * Runs one item. The number of waiting items has no bound of its own: the server bounds the number of calls.
   *
   * @throws what the work throws
   */
  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, trace: recordedTrace(), resolve, reject });
      this.#notice?.();
      if (!this.#busy) void outsideOfCalls(() => this.#drain());
    });
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      await setImmediate();
      if (this.#maxWaitMs > 0) await this.#waitForMore();
      const batch = this.#waiting.splice(0, this.#maxBatch);
      const beganAtMs = performance.now();
      await this.#settle(batch);
      const endedAtMs = performance.now();
      this.#last = { size: batch.length, tookMs: endedAtMs - beganAtMs, endedAtMs };
    }
    this.#busy = false;
  }

  async #waitForMore(): Promise<void> {
    const { size, tookMs, endedAtMs } = this.#last;
    const longestMs = Math.min(tookMs, this.#maxWaitMs) - (performance.now() - endedAtMs);
    if (this.#waiting.length >= size || longestMs <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, longestMs);
    this.#notice = () => {
      if (this.#waiting.length >= size) resolve();
    };
    await promise;
    clearTimeout(timer);
    this.#notice = undefined;
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
