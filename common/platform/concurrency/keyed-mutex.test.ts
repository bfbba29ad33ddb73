import { describe, expect, it } from "vitest";
import { KeyedMutex } from "./keyed-mutex.ts";

describe("KeyedMutex", () => {
  it("runs the work of a key one after another, in the order of arrival, also after a failure", async () => {
    const mutex = new KeyedMutex();
    const events: string[] = [];
    const first = Promise.withResolvers<void>();
    const work = (name: string, until: Promise<void>) => async () => {
      events.push(`${name} begins`);
      await until;
      events.push(`${name} ends`);
      return name;
    };
    const results = [
      mutex.runExclusive("sale", work("a", first.promise)),
      mutex.runExclusive("sale", () => Promise.reject(new Error("b"))),
      mutex.runExclusive("sale", work("c", Promise.resolve())),
    ];
    first.resolve();
    const settled = await Promise.allSettled(results);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(events).toEqual(["a begins", "a ends", "c begins", "c ends"]);
  });

  it("lets different keys run side by side", async () => {
    const mutex = new KeyedMutex();
    const other = Promise.withResolvers<string>();
    const blocked = mutex.runExclusive("one", () => other.promise);
    expect(await mutex.runExclusive("two", async () => "done")).toBe("done");
    expect([mutex.isLocked("one"), mutex.isLocked("two")]).toEqual([true, false]);
    other.resolve("one is done");
    expect(await blocked).toBe("one is done");
    expect(mutex.isLocked("one")).toBe(false);
  });
});
