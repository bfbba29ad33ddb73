import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CheckTarget, SourceCheck } from "../../../common/contracts/chain-connection.ts";
import { SourceChecks } from "./source-checks.ts";

const forever = new AbortController().signal;
const FOUND: SourceCheck = { readable: true, problems: [], commitmentCount: 0n, paymentTokens: [], height: 1n };

/** Chains whose nodes answer on command. */
function chains() {
  const asked: string[] = [];
  const pending = new Map<string, PromiseWithResolvers<SourceCheck>>();
  const get = (chain: string) => ({
    check: ({ address }: CheckTarget) => {
      asked.push(`${chain} ${address}`);
      const answer = Promise.withResolvers<SourceCheck>();
      pending.set(`${chain} ${address}`, answer);
      return answer.promise;
    },
  });
  const answer = (key: string, height = 1n) => pending.get(key)?.resolve({ ...FOUND, height });
  const fail = (key: string) => pending.get(key)?.reject(new Error("scripted"));
  return { asked, answer, fail, get };
}

/** Lets everything that is ready continue. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("SourceChecks", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("checks two addresses of a chain at once, and refuses its eleventh", async () => {
    const nodes = chains();
    const checks = new SourceChecks(nodes);
    const many = Array.from({ length: 10 }, (_, number) =>
      checks.check({ chain: "one", address: `0x${number}` }, forever),
    );
    await expect(checks.check({ chain: "one", address: "0x10" }, forever)).rejects.toMatchObject({
      code: "resource_exhausted",
      retryAfterSeconds: 5,
    });
    const elsewhere = checks.check({ chain: "two", address: "0x10" }, forever);
    await settle();
    expect(nodes.asked).toEqual(["one 0x0", "one 0x1", "two 0x10"]);
    nodes.answer("two 0x10");
    await elsewhere;
    for (let number = 0; number < 10; number++) {
      nodes.answer(`one 0x${number}`);
      await settle();
    }
    expect(await Promise.all(many)).toHaveLength(10);
    const another = checks.check({ chain: "one", address: "0x10" }, forever);
    await settle();
    nodes.answer("one 0x10");
    expect(await another).toEqual(FOUND);
  });

  it("shares a result that isn't worth keeping, and checks again for the next caller", async () => {
    const nodes = chains();
    const checks = new SourceChecks(nodes, { clock: Date, isKept: ({ height }) => height > 1n });
    const target = { chain: "one", address: "0x0" };
    const both = [checks.check(target, forever), checks.check(target, forever)];
    await settle();
    nodes.answer("one 0x0", 1n);
    expect((await Promise.all(both)).map(({ height }) => height)).toEqual([1n, 1n]);
    await vi.advanceTimersByTimeAsync(2);
    const next = checks.check(target, forever);
    await settle();
    nodes.answer("one 0x0", 2n);
    expect((await next).height).toBe(2n);
    await vi.advanceTimersByTimeAsync(9_000);
    expect((await checks.check(target, forever)).height).toBe(2n);
    expect(nodes.asked).toHaveLength(2);
  });

  it("keeps a result for ten seconds, and no longer", async () => {
    const nodes = chains();
    const checks = new SourceChecks(nodes, { clock: Date });
    const both = [
      checks.check({ chain: "one", address: "0x0" }, forever),
      checks.check({ chain: "one", address: "0x0" }, forever),
    ];
    await vi.advanceTimersByTimeAsync(12_000);
    nodes.answer("one 0x0", 7n);
    expect((await Promise.all(both)).map(({ height }) => height)).toEqual([7n, 7n]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await checks.check({ chain: "one", address: "0x0" }, forever)).height).toBe(7n);
    expect(nodes.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    const anew = checks.check({ chain: "one", address: "0x0" }, forever);
    await settle();
    nodes.answer("one 0x0", 8n);
    expect((await anew).height).toBe(8n);
  });

  it("keeps a bounded number of results, and no failure", async () => {
    const nodes = chains();
    const checks = new SourceChecks(nodes, { maxCached: 1 });
    const ask = async (address: string) => {
      const check = checks.check({ chain: "one", address }, forever);
      await settle();
      nodes.answer(`one ${address}`);
      await check;
    };
    await ask("0x0");
    await ask("0x1");
    await ask("0x0");
    expect(nodes.asked).toEqual(["one 0x0", "one 0x1", "one 0x0"]);
    const failing = expect(checks.check({ chain: "one", address: "0x2" }, forever)).rejects.toThrow("scripted");
    await settle();
    nodes.fail("one 0x2");
    await failing;
    await ask("0x2");
    expect(nodes.asked.filter((key) => key === "one 0x2")).toHaveLength(2);
  });

  it("lets a caller leave, and still answers the others", async () => {
    const nodes = chains();
    const checks = new SourceChecks(nodes);
    const leaving = new AbortController();
    const left = expect(checks.check({ chain: "one", address: "0x0" }, leaving.signal)).rejects.toThrow("gone");
    const stays = checks.check({ chain: "one", address: "0x0" }, forever);
    await settle();
    leaving.abort(new Error("gone"));
    await left;
    nodes.answer("one 0x0");
    expect(await stays).toEqual(FOUND);
  });

  it("gives up a check that takes too long, and all of them when it is closed", async () => {
    const nodes = chains();
    const checks = new SourceChecks(nodes);
    const slow = expect(checks.check({ chain: "one", address: "0x0" }, forever)).rejects.toMatchObject({
      code: "deadline_exceeded",
      message: "the nodes of chain one take too long; try again later",
    });
    await vi.advanceTimersByTimeAsync(15_000);
    await slow;
    const rest = Array.from({ length: 4 }, (_, number) =>
      expect(checks.check({ chain: "one", address: `0x${number}` }, forever)).rejects.toThrow("the indexer stops"),
    );
    await settle();
    checks.close();
    await Promise.all(rest);
  });
});
