import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LongSnapshot } from "./long-snapshot.ts";
import { RunningExports } from "./running-exports.ts";

const call = new AbortController().signal;

function exportsOf(maxExports = 4) {
  const database = { openSnapshot: async () => ({ close: async () => {} }) as unknown as LongSnapshot<unknown> };
  return new RunningExports({ database, maxExports, maxMs: 900_000 });
}

describe("RunningExports", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("lets a person have one at a time, operators as many as there may be", async () => {
    const exports = exportsOf();
    const first = await exports.begin(call, "a");
    await expect(exports.begin(call, "a")).rejects.toMatchObject({
      code: "resource_exhausted",
      message: "another export of yours is under way; try again when it has ended",
    });
    await exports.begin(call, "b");
    await exports.begin(call);
    await exports.begin(call);
    await expect(exports.begin(call)).rejects.toMatchObject({ code: "resource_exhausted" });
    await first.end();
    await first.end();
    expect(exports.running).toBe(3);
    await exports.begin(call, "a");
    await expect(exports.begin(call, "c")).rejects.toMatchObject({ code: "resource_exhausted" });
  });

  it("has room for a person again whose export couldn't begin", async () => {
    const openSnapshot = vi.fn(async () => ({ close: async () => {} }));
    openSnapshot.mockRejectedValueOnce(new Error("scripted"));
    const database = { openSnapshot } as unknown as { openSnapshot(): Promise<LongSnapshot<unknown>> };
    const exports = new RunningExports({ database, maxExports: 1, maxMs: 900_000 });
    await expect(exports.begin(call, "a")).rejects.toThrow("scripted");
    await exports.begin(call, "a");
    expect(exports.running).toBe(1);
  });

  it("ends one whose reader takes nothing for thirty seconds", async () => {
    const exports = exportsOf();
    const { signal, offered, taken } = await exports.begin(call, "a");
    // What the database takes its time for isn't the reader's.
    await vi.advanceTimersByTimeAsync(120_000);
    for (let message = 0; message < 3; message++) {
      offered();
      await vi.advanceTimersByTimeAsync(29_999);
      taken();
    }
    offered();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(signal.reason).toMatchObject({ code: "deadline_exceeded" });
    expect(exports.running).toBe(0);
    await exports.begin(call, "a");
  });
});
