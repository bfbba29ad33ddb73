import { describe, expect, it } from "vitest";
import { KeyQueue } from "./keyed-mutex.ts";

describe("KeyQueue", () => {
  it("runs the work of a key one after another, in the order of arrival, also after a failure", async () => {
    const queue = new KeyQueue();
    const events: string[] = [];
    const first = Promise.withResolvers<void>();
    const work = (name: string, until: Promise<void>) => async () => {
      events.push(`${name} begins`);
      await until;
      events.push(`${name} ends`);
      return name;
    };
    const results = [
      queue.run("sale", work("a", first.promise)),
      queue.run("sale", () => Promise.reject(new Error("b"))),
      queue.run("sale", work("c", Promise.resolve())),
    ];
    first.resolve();
    const settled = await Promise.allSettled(results);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(events).toEqual(["a begins", "a ends", "c begins", "c ends"]);
  });

  it("lets different keys run side by side", async () => {
    const queue = new KeyQueue();
    const other = Promise.withResolvers<string>();
    const blocked = queue.run("one", () => other.promise);
    expect(await queue.run("two", async () => "done")).toBe("done");
    other.resolve("one is done");
    expect(await blocked).toBe("one is done");
  });
});
