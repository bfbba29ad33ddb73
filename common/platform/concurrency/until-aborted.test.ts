import { describe, expect, it } from "vitest";
import { untilAborted } from "./until-aborted.ts";

const gone = new Error("gone");

describe("untilAborted", () => {
  it("passes on the result, and the failure, of the work", async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(untilAborted(Promise.reject(new Error("failed")), signal)).rejects.toThrow("failed");
  });

  it("ends with the signal's reason, also if it was aborted before", async () => {
    const leaving = new AbortController();
    const waiting = expect(untilAborted(new Promise(() => {}), leaving.signal)).rejects.toBe(gone);
    leaving.abort(gone);
    await waiting;
    await expect(untilAborted(new Promise(() => {}), AbortSignal.abort(gone))).rejects.toBe(gone);
  });
});
