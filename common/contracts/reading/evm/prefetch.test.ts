import { describe, expect, it } from "vitest";
import { prefetch } from "./prefetch.ts";

const never = new AbortController().signal;

/** Tasks that end on command, and a record of what happened to them. */
class Tasks {
  readonly begun: number[] = [];
  readonly aborted: number[] = [];
  readonly #ends = new Map<number, PromiseWithResolvers<number>>();

  *make(count: number): Generator<(signal: AbortSignal) => Promise<number>, void, undefined> {
    for (let number = 0; number < count; number += 1) yield (signal) => this.#begin(number, signal);
  }

  end(number: number): void {
    this.#ends.get(number)?.resolve(number);
  }

  fail(number: number): void {
    this.#ends.get(number)?.reject(new Error(`task ${number}`));
  }

  #begin(number: number, signal: AbortSignal): Promise<number> {
    const ending = Promise.withResolvers<number>();
    this.begun.push(number);
    this.#ends.set(number, ending);
    signal.addEventListener("abort", () => {
      this.aborted.push(number);
      ending.reject(signal.reason);
    });
    return ending.promise;
  }
}

describe("prefetch", () => {
  it("keeps so many tasks running and returns results in order", async () => {
    const tasks = new Tasks();
    const results = prefetch(tasks.make(5), 2, never);
    const first = results.next();
    expect(tasks.begun).toEqual([0, 1]);
    tasks.end(1);
    tasks.end(0);
    expect((await first).value).toBe(0);
    expect(tasks.begun).toEqual([0, 1, 2]);
    expect((await results.next()).value).toBe(1);
    expect(tasks.begun).toEqual([0, 1, 2, 3]);
    await results.return();
  });

  it("ends after the last one", async () => {
    const tasks = new Tasks();
    const results: number[] = [];
    const snapshot = (async () => {
      for await (const result of prefetch(tasks.make(3), 3, never)) results.push(result);
    })();
    for (const number of [2, 0, 1]) tasks.end(number);
    await snapshot;
    expect(results).toEqual([0, 1, 2]);
  });

  it("aborts running tasks if the iteration ends or a task fails", async () => {
    const left = new Tasks();
    const results = prefetch(left.make(5), 3, never);
    const first = results.next();
    left.end(0);
    await first;
    await results.return();
    expect(left.aborted).toEqual(expect.arrayContaining([1, 2, 3]));

    const failed = new Tasks();
    const failing = prefetch(failed.make(5), 2, never).next();
    failed.fail(0);
    await expect(failing).rejects.toThrow("task 0");
    expect(failed.aborted).toContain(1);
  });

  it("ends with its signal", async () => {
    const stopping = new AbortController();
    const next = prefetch(new Tasks().make(2), 2, stopping.signal).next();
    stopping.abort(new Error("stopped"));
    await expect(next).rejects.toThrow("stopped");
  });
});
