import { describe, expect, it } from "vitest";
import { Semaphore } from "./semaphore.ts";

const forever = new AbortController().signal;

/** Work that ends when the test ends it, and notes when it began. */
function manualWork() {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const work = (number: number) => () =>
    new Promise<number>((resolve) => {
      begun.push(number);
      ends.set(number, () => resolve(number));
    });
  return { begun, work, end: (number: number) => ends.get(number)?.() };
}

/** Lets all pending callbacks run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("Semaphore", () => {
  it("runs at most its count at once, in the order of arrival", async () => {
    const semaphore = new Semaphore(2);
    const { begun, work, end } = manualWork();
    const results = [1, 2, 3, 4].map((number) => semaphore.run(work(number), forever));
    await settle();
    expect(begun).toEqual([1, 2]);
    end(2);
    await settle();
    expect(begun).toEqual([1, 2, 3]);
    end(1);
    end(3);
    await settle();
    expect(begun).toEqual([1, 2, 3, 4]);
    end(4);
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4]);
  });

  it("frees the place of work that fails", async () => {
    const semaphore = new Semaphore(1);
    const fail = () => semaphore.run(() => Promise.reject(new Error("failed")), forever);
    await expect(fail()).rejects.toThrow("failed");
    await expect(fail()).rejects.toThrow("failed");
    const thrown = semaphore.run(() => {
      throw new Error("thrown");
    }, forever);
    await expect(thrown).rejects.toThrow("thrown");
    expect(await semaphore.run(async () => "ran", forever)).toBe("ran");
  });

  it("rejects only the work that is aborted while it waits", async () => {
    const semaphore = new Semaphore(1);
    const { begun, work, end } = manualWork();
    const leaving = new AbortController();
    const first = semaphore.run(work(1), forever);
    const second = semaphore.run(work(2), leaving.signal);
    const third = semaphore.run(work(3), forever);
    leaving.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    end(1);
    await first;
    await settle();
    expect(begun).toEqual([1, 3]);
    end(3);
    expect(await third).toBe(3);
    expect(await semaphore.run(async () => "free", forever)).toBe("free");
  });

  it("doesn't begin work that is aborted already", async () => {
    const semaphore = new Semaphore(1);
    const { begun, work } = manualWork();
    await expect(semaphore.run(work(1), AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(begun).toEqual([]);
  });

  it("doesn't interrupt work that has begun when its signal is aborted", async () => {
    const semaphore = new Semaphore(1);
    const { work, end } = manualWork();
    const leaving = new AbortController();
    const waited = semaphore.run(work(1), forever);
    const running = semaphore.run(work(2), leaving.signal);
    await settle();
    end(1);
    await waited;
    await settle();
    leaving.abort();
    end(2);
    expect(await running).toBe(2);
  });
});
