import { describe, expect, it } from "vitest";
import type { BidExits } from "../../../common/contracts/bid-exits.ts";
import { ExitReads } from "./exit-reads.ts";

const { signal } = new AbortController();
const FIRST = { chain: "one", address: "0xA1", contractFamily: "cca" } as const;
const SECOND = { ...FIRST, address: "0xb2" };

/** Chains whose nodes answer on command. */
function chains() {
  const asked: string[] = [];
  let pending = Promise.withResolvers<BidExits | undefined>();
  const clock = { now: () => millis };
  let millis = 0;
  const get = () => ({
    bidExits: ({ address }: { readonly address: string }) => {
      asked.push(address);
      pending = Promise.withResolvers();
      return pending.promise;
    },
  });
  return {
    asked,
    reads: new ExitReads({ get }, { clock }),
    pass: (passed: number) => (millis += passed),
    answer: (height: bigint) => pending.resolve({ height, of: () => undefined }),
    fail: () => pending.reject(new Error("the node is gone")),
  };
}

/** Lets everything that is ready continue. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("ExitReads", () => {
  it("waits for the first read of an auction, which all callers share, and then answers from what is known", async () => {
    const { asked, reads, answer } = chains();
    const both = [reads.get(FIRST, signal), reads.get({ ...FIRST, address: "0xa1" }, signal)];
    answer(7n);
    expect((await Promise.all(both)).map((exits) => exits?.height)).toEqual([7n, 7n]);
    expect((await reads.get(FIRST, signal))?.height).toBe(7n);
    expect(asked).toEqual(["0xA1"]);
  });

  it("reads again after ten seconds, or 20 times what the last read took, without making anybody wait", async () => {
    const { asked, reads, answer, pass } = chains();
    const first = reads.get(FIRST, signal);
    pass(3_000);
    answer(7n);
    await first;
    pass(59_999);
    await reads.get(FIRST, signal);
    expect(asked).toHaveLength(1);
    pass(1);
    expect((await reads.get(FIRST, signal))?.height).toBe(7n);
    expect(asked).toHaveLength(2);
    answer(8n);
    await settle();
    pass(9_999);
    expect((await reads.get(FIRST, signal))?.height).toBe(8n);
    expect(asked).toHaveLength(2);
    pass(1);
    await reads.get(FIRST, signal);
    expect(asked).toHaveLength(3);
  });

  it("reads one auction of a chain at a time, and knows nothing of others meanwhile", async () => {
    const { asked, reads, answer } = chains();
    const first = reads.get(FIRST, signal);
    expect(await reads.get(SECOND, signal)).toBeUndefined();
    answer(7n);
    await first;
    expect(asked).toEqual(["0xA1"]);
    const second = reads.get(SECOND, signal);
    answer(9n);
    expect((await second)?.height).toBe(9n);
  });

  it("rests after a read that failed, too, and keeps what was known", async () => {
    const { asked, reads, answer, fail, pass } = chains();
    const first = reads.get(FIRST, signal);
    fail();
    expect(await first).toBeUndefined();
    expect(await reads.get(FIRST, signal)).toBeUndefined();
    expect(asked).toHaveLength(1);
    pass(10_000);
    const again = reads.get(FIRST, signal);
    answer(7n);
    await again;
    pass(10_000);
    await reads.get(FIRST, signal);
    fail();
    await settle();
    expect((await reads.get(FIRST, signal))?.height).toBe(7n);
  });

  it("lets a caller leave, and ends with the process", async () => {
    const { reads } = chains();
    const leaving = new AbortController();
    const left = expect(reads.get(FIRST, leaving.signal)).rejects.toThrow("gone");
    const stays = reads.get(FIRST, signal);
    leaving.abort(new Error("gone"));
    await left;
    reads.close();
    expect(await stays).toBeUndefined();
  });
});
