import { describe, expect, it } from "vitest";
import type { JsonRpcUrl } from "../nodes/json-rpc-url.ts";
import { CLOCK_ACCOUNT } from "./clock-account.ts";
import { SharedAccounts } from "./shared-accounts.ts";
import type { SvmRpc } from "./svm-rpc.ts";

const URL_OF_NODE = { host: "node" } as JsonRpcUrl;
const { signal } = new AbortController();

type Node = (addresses: readonly string[]) => unknown;

const honest: Node = (addresses) => ({
  context: { slot: 7n },
  value: addresses.map((address) => `data of ${address}`),
});

/** A node that answers about accounts, and the calls that it got. */
function world(node: Node = honest) {
  const calls: { readonly addresses: readonly string[]; readonly minSlot: bigint }[] = [];
  const state = { node, millis: 0 };
  const rpc = (async (options?: { onAnswer?: (url: JsonRpcUrl) => void }) => ({
    getMultipleAccounts: (addresses: readonly string[], config: { readonly minContextSlot: bigint }) => ({
      send: async () => {
        calls.push({ addresses, minSlot: config.minContextSlot });
        const answer = state.node(addresses);
        options?.onAnswer?.(URL_OF_NODE);
        return answer;
      },
    }),
  })) as unknown as SvmRpc;
  const accounts = new SharedAccounts({ commitment: "confirmed" }, rpc, () => state.millis);
  const ask = (...addresses: readonly string[]) =>
    Promise.all(addresses.map((address, index) => accounts.withClock(address, BigInt(Math.min(index, 7)), signal)));
  return { calls, state, accounts, ask };
}

const failing: Node = () => {
  throw new Error("refused");
};

describe("accounts that are asked for at one moment", () => {
  it("are one call at a slot that most of them take, and each has its own with the clock", async () => {
    const { calls, ask } = world();
    const parts = await ask("a", "b", "c");
    expect(calls).toEqual([{ addresses: [CLOCK_ACCOUNT, "a", "b", "c"], minSlot: 1n }]);
    expect(parts).toEqual(
      ["a", "b", "c"].map((address) => ({
        url: URL_OF_NODE,
        answer: { context: { slot: 7n }, value: [`data of ${CLOCK_ACCOUNT}`, `data of ${address}`] },
      })),
    );
  });

  it.each([
    ["the answer's", 7n, true],
    ["later than the answer's", 8n, false],
  ])("are given only to those whose slot they reach: %s", async (_, minSlot, isGiven) => {
    const { calls, accounts } = world();
    const slots = [3n, 4n, minSlot];
    const asked = slots.map((slot) => accounts.withClock(`${slot}`, slot, signal));
    expect((await Promise.all(asked)).map((part) => part !== undefined)).toEqual([true, true, isGiven]);
    expect(calls.map((call) => call.minSlot)).toEqual([4n]);
  });

  it("are asked for alone where there is one, or 99 others", async () => {
    const { calls, ask } = world();
    expect(await ask("a")).toEqual([undefined]);
    const parts = await ask(...Array.from({ length: 100 }, (_, index) => `${index}`));
    expect(parts.map((part) => part === undefined)).toEqual([...Array(99).fill(false), true]);
    expect(calls.map(({ addresses }) => addresses.length)).toEqual([100]);
  });

  it.each<[string, Node]>([
    ["fails", failing],
    ["lists fewer", ([clock]) => ({ context: { slot: 7n }, value: [clock] })],
    ["lists none", () => ({ context: { slot: 7n } })],
    ["names no slot", (addresses) => ({ value: addresses })],
  ])("are asked for alone where the answer %s", async (_, node) => {
    const { ask } = world(node);
    expect(await ask("a", "b")).toEqual([undefined, undefined]);
  });

  it("are asked for in smaller calls for ten minutes after one has failed", async () => {
    const { calls, state, ask } = world(failing);
    const addresses = Array.from({ length: 8 }, (_, index) => `${index}`);
    await ask(...addresses);
    state.node = honest;
    calls.length = 0;
    expect((await ask(...addresses)).every((part) => part !== undefined)).toBe(true);
    expect(calls.map((call) => call.addresses.length)).toEqual([3, 3, 3, 3]);
    state.millis += 10 * 60_000;
    await ask(...addresses);
    expect(calls.at(-1)?.addresses).toHaveLength(9);
  });

  it("don't wait for a caller that has left", async () => {
    const { calls, accounts } = world();
    const leaving = new AbortController();
    const left = accounts.withClock("a", 0n, leaving.signal).catch(() => "left");
    const others = Promise.all(["b", "c"].map((address) => accounts.withClock(address, 0n, signal)));
    leaving.abort();
    expect(await left).toBe("left");
    expect((await others).map((part) => part?.answer.value[1])).toEqual(["data of b", "data of c"]);
    expect(calls.map(({ addresses }) => addresses)).toEqual([[CLOCK_ACCOUNT, "b", "c"]]);
  });

  it("are asked for in calls as large as ever after all callers of one have left", async () => {
    const { calls, state, accounts, ask } = world();
    const leaving = new AbortController();
    state.node = () => {
      leaving.abort();
      throw new Error("aborted");
    };
    const addresses = Array.from({ length: 8 }, (_, index) => `${index}`);
    await Promise.allSettled(addresses.map((address) => accounts.withClock(address, 0n, leaving.signal)));
    state.node = honest;
    await ask(...addresses);
    expect(calls.map((call) => call.addresses.length)).toEqual([9, 9]);
  });
});
