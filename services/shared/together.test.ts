import { describe, expect, it } from "vitest";
import { together } from "./together.ts";

describe("together", () => {
  it("answers all results in the order of the work, whichever ends first", async () => {
    const slow = Promise.withResolvers<string>();
    const results = together(slow.promise, Promise.resolve(2n));
    slow.resolve("one");
    expect(await results).toEqual(["one", 2n]);
  });

  it("answers nothing for no work", async () => {
    expect(await together()).toEqual([]);
  });

  it("waits for the rest after one has failed", async () => {
    const rest = Promise.withResolvers<void>();
    let restHasEnded = false;
    const failure = together(
      Promise.reject(new Error("boom")),
      rest.promise.then(() => {
        restHasEnded = true;
      }),
    ).catch((error: unknown) => ({ error, restHasEnded }));
    setImmediate(() => rest.resolve());
    expect(await failure).toEqual({ error: new Error("boom"), restHasEnded: true });
  });

  it("throws the first failure in the order of the work, not of time", async () => {
    const late = Promise.withResolvers<never>();
    const failure = together(Promise.resolve(1), late.promise, Promise.reject(new Error("early")));
    setImmediate(() => late.reject(new Error("late")));
    await expect(failure).rejects.toThrow("late");
  });
});
