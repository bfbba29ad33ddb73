import { describe, expect, it } from "vitest";
import { OrderedTasks } from "./ordered-tasks.ts";

/** Tasks that the test ends, with the previous tasks that they were given. */
function tasksByHand() {
  const tasks = new OrderedTasks();
  const begun: { readonly end: () => void; readonly fail: (error: Error) => void; readonly isFirst: boolean }[] = [];
  const begin = () =>
    tasks.begin(async (before) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      begun.push({ end: resolve, fail: reject, isFirst: before === undefined });
      await before;
      await promise;
    });
  return { tasks, begun, begin };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("ordered tasks", () => {
  it("run two at once; the third begins when the first is done", async () => {
    const { begun, begin } = tasksByHand();
    await begin();
    await begin();
    const third = begin();
    await turn();
    expect(begun.map(({ isFirst }) => isFirst)).toEqual([true, false]);
    begun[0]?.end();
    await third;
    expect(begun.map(({ isFirst }) => isFirst)).toEqual([true, false, false]);
  });

  it("get no previous task if all others are done", async () => {
    const { begun, begin } = tasksByHand();
    await begin();
    begun[0]?.end();
    await turn();
    await begin();
    expect(begun.map(({ isFirst }) => isFirst)).toEqual([true, true]);
  });

  it("are done when the last one is", async () => {
    const { tasks, begun, begin } = tasksByHand();
    await tasks.done();
    await begin();
    await begin();
    let isDone = false;
    const done = tasks.done().then(() => {
      isDone = true;
    });
    begun[1]?.end();
    await turn();
    expect(isDone).toBe(false);
    begun[0]?.end();
    await done;
  });

  it("don't begin once one has failed", async () => {
    const { tasks, begun, begin } = tasksByHand();
    await begin();
    await begin();
    const third = begin();
    const failure = new Error("refused");
    begun[0]?.fail(failure);
    await expect(third).rejects.toBe(failure);
    await expect(begin()).rejects.toBe(failure);
    await expect(tasks.done()).rejects.toBe(failure);
    await tasks.settled();
    expect(begun).toHaveLength(2);
  });

  it("don't begin if the only running one has failed", async () => {
    const { begun, begin } = tasksByHand();
    await begin();
    const failure = new Error("refused");
    begun[0]?.fail(failure);
    await turn();
    await expect(begin()).rejects.toBe(failure);
    expect(begun).toHaveLength(1);
  });
});
