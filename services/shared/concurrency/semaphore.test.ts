import { describe, expect, it } from "vitest";
import { Semaphore } from "./semaphore.ts";

const forever = new AbortController().signal;

/** Work that ends when it is told to, and notes when it began. */
function pieces() {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const piece = (number: number) => () =>
    new Promise<number>((resolve) => {
      begun.push(number);
      ends.set(number, () => resolve(number));
    });
  return { begun, piece, end: (number: number) => ends.get(number)?.() };
}

/** Lets all that is ready go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("Semaphore", () => {
  it("runs at most its count at once, in the order of arrival", async () => {
    const semaphore = new Semaphore(2);
    const { begun, piece, end } = pieces();
    const results = [1, 2, 3, 4].map((number) => semaphore.run(piece(number), forever));
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

  it("gets the slot of failing work back", async () => {
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

  it("lets go of who leaves while waiting, and of nobody else", async () => {
    const semaphore = new Semaphore(1);
    const { begun, piece, end } = pieces();
    const leaving = new AbortController();
    const first = semaphore.run(piece(1), forever);
    const second = semaphore.run(piece(2), leaving.signal);
    const third = semaphore.run(piece(3), forever);
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

  it("doesn't begin what is aborted already", async () => {
    const semaphore = new Semaphore(1);
    const { begun, piece } = pieces();
    await expect(semaphore.run(piece(1), AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(begun).toEqual([]);
  });

  it("leaves work that has begun to itself when its signal is aborted", async () => {
    const semaphore = new Semaphore(1);
    const { piece, end } = pieces();
    const leaving = new AbortController();
    const waited = semaphore.run(piece(1), forever);
    const running = semaphore.run(piece(2), leaving.signal);
    await settle();
    end(1);
    await waited;
    await settle();
    leaving.abort();
    end(2);
    expect(await running).toBe(2);
  });
});
