import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CallBatches, type RpcCall } from "./call-batches.ts";
import type { NodeTime } from "./node-time.ts";
import { RpcFault } from "./rpc-fault.ts";

const { signal } = new AbortController();

/** A URL that answers each call with its contract or block, and records what it is asked. */
class FakeUrl {
  now = 0;
  largestBatch = Number.POSITIVE_INFINITY;
  /** The answer to a larger batch. */
  refusal = new RpcFault("unavailable", "a batch is refused");
  readonly asked: (string | readonly string[])[] = [];
  /** Effects of a contract's call, alone or in a batch. */
  readonly behaviour = new Map<string, (isAlone: boolean) => void>();
  readonly batches = new CallBatches({
    now: () => this.now,
    alone: (call, nodeTime) => {
      this.asked.push(contractOf(call));
      return timed(nodeTime, () => this.#alone(call));
    },
    together: (calls, nodeTime) => {
      this.asked.push(calls.map(contractOf));
      return timed(nodeTime, async () => this.#together(calls));
    },
  });

  ask(...contracts: readonly string[]): Promise<readonly unknown[]> {
    return Promise.all(contracts.map((to) => this.call(to).catch((error: unknown) => error)));
  }

  headers(...blocks: readonly string[]): Promise<readonly unknown[]> {
    const call = { method: "eth_getBlockByNumber", signal, limitMs: undefined };
    return Promise.all(blocks.map((block) => this.batches.call({ ...call, params: [block, false] }, undefined)));
  }

  call(to: string, callSignal = signal, nodeTime?: NodeTime, limitMs?: number): Promise<unknown> {
    const call = { method: "eth_call", params: [{ to }], signal: callSignal, limitMs };
    return this.batches.call(call, nodeTime);
  }

  #together(calls: readonly RpcCall[]): readonly (() => unknown)[] {
    if (calls.length > this.largestBatch) throw this.refusal;
    const isSlow = calls.some((call) => this.behaviour.get(contractOf(call)) === slow);
    if (isSlow) throw new RpcFault("timeout", "no answer within 2000 ms");
    return calls.map((call) => () => this.#answer(call, false));
  }

  async #alone(call: RpcCall): Promise<string> {
    const isSlow = this.behaviour.get(contractOf(call)) === slow;
    // The others have their answers meanwhile.
    if (isSlow) await setImmediate();
    if (isSlow) this.now += 5_000;
    return this.#answer(call, true);
  }

  #answer(call: RpcCall, isAlone: boolean): string {
    this.behaviour.get(contractOf(call))?.(isAlone);
    return contractOf(call);
  }
}

const slow = () => undefined;
const fail = (kind: RpcFault["kind"]) => () => {
  throw new RpcFault(kind, `it is ${kind}`);
};

function timed<Result>(nodeTime: NodeTime | undefined, work: () => Promise<Result>): Promise<Result> {
  return nodeTime?.count(work) ?? work();
}

function contractOf({ params: [first] }: RpcCall): string {
  return typeof first === "string" ? first : (first as { readonly to: string }).to;
}

describe("the calls of one moment", () => {
  it("are one batch, each with its own answer", async () => {
    const url = new FakeUrl();
    expect(await url.ask("a", "b", "c")).toEqual(["a", "b", "c"]);
    expect(url.asked).toEqual([["a", "b", "c"]]);
  });

  it("are no batch if there is only one", async () => {
    const url = new FakeUrl();
    expect(await url.ask("a")).toEqual(["a"]);
    expect(url.asked).toEqual(["a"]);
  });

  it("are several batches if there are many", async () => {
    const url = new FakeUrl();
    const contracts = Array.from({ length: 201 }, (_, index) => `${index}`);
    expect(await url.ask(...contracts)).toEqual(contracts);
    expect(url.asked.map((batch) => batch.length)).toEqual([100, 100, 3]);
  });

  it("don't share the refusal of one contract", async () => {
    const url = new FakeUrl();
    url.behaviour.set("b", fail("reverted"));
    expect(await url.ask("a", "b", "c")).toEqual(["a", expect.objectContaining({ kind: "reverted" }), "c"]);
    expect(url.asked).toEqual([["a", "b", "c"]]);
  });

  it("are asked alone where the answer may be about the batch", async () => {
    const url = new FakeUrl();
    url.behaviour.set("b", (isAlone) => {
      if (!isAlone) throw new RpcFault("timeout", "the batch took too long");
    });
    expect(await url.ask("a", "b", "c")).toEqual(["a", "b", "c"]);
    expect(url.asked).toEqual([["a", "b", "c"], "b"]);
  });

  it.each<RpcFault["kind"]>(["reverted", "unauthorised", "too_large"])(
    "are asked alone where the node refuses the whole batch as %s",
    async (kind) => {
      const url = new FakeUrl();
      url.largestBatch = 1;
      url.refusal = new RpcFault(kind, "batches are refused");
      expect(await url.ask("a", "b")).toEqual(["a", "b"]);
      expect(url.asked).toEqual([["a", "b"], "a", "b"]);
    },
  );

  it("aren't asked again at once where the node limits the rate of the whole batch", async () => {
    const url = new FakeUrl();
    url.largestBatch = 1;
    url.refusal = new RpcFault("rate_limited", "too many requests");
    expect(await url.ask("a", "b")).toEqual([url.refusal, url.refusal]);
    expect(url.asked).toEqual([["a", "b"]]);
  });

  it("aren't asked again at once by a node that limits rates, and then in smaller batches", async () => {
    const url = new FakeUrl();
    url.behaviour.set("b", fail("rate_limited"));
    const limited = expect.objectContaining({ kind: "rate_limited" });
    expect(await url.ask("a", "b", "c", "d", "e", "f", "g", "h")).toEqual(["a", limited, "c", "d", "e", "f", "g", "h"]);
    expect(await url.ask("a", "c", "d")).toEqual(["a", "c", "d"]);
    expect(url.asked.slice(1)).toEqual([["a", "c"], "d"]);
  });

  it("are in smaller and smaller batches where a node refuses them, until it is probed again", async () => {
    const url = new FakeUrl();
    url.largestBatch = 2;
    const contracts = Array.from({ length: 32 }, (_, index) => `${index}`);
    const sizes: number[] = [];
    for (let block = 0; block < 4; block += 1) {
      url.asked.length = 0;
      expect(await url.ask(...contracts)).toEqual(contracts);
      sizes.push(url.asked.length);
    }
    // One batch of 32 and 32 calls; four of 8 and 32 calls; then pairs.
    expect(sizes).toEqual([33, 36, 16, 16]);
    url.largestBatch = 100;
    url.batches.reset();
    url.asked.length = 0;
    await url.ask(...contracts);
    expect(url.asked).toEqual([contracts]);
  });

  it("aren't held up twice by a contract whose call takes too long", async () => {
    const url = new FakeUrl();
    url.behaviour.set("slow", slow);
    const contracts = ["a", "b", "c", "slow"];
    expect(await url.ask(...contracts)).toEqual(contracts);
    expect(url.asked).toEqual([contracts, "a", "b", "c", "slow"]);
    url.asked.length = 0;
    expect(await url.ask(...contracts)).toEqual(contracts);
    expect(url.asked).toEqual(["slow", ["a", "b", "c"]]);
    url.now += 600_000;
    url.behaviour.clear();
    url.asked.length = 0;
    await url.ask(...contracts);
    expect(url.asked).toEqual([contracts]);
  });

  it("for a header that takes too long leave the other headers together", async () => {
    const url = new FakeUrl();
    url.behaviour.set("0x1", slow);
    const blocks = ["0x1", "0x2", "0x3", "0x4"];
    await url.headers(...blocks);
    await setImmediate();
    url.asked.length = 0;
    expect(await url.headers(...blocks)).toEqual(blocks);
    expect(url.asked).toEqual(["0x1", ["0x2", "0x3", "0x4"]]);
  });

  it("are in smaller and smaller batches where a node is slow with all, and none is asked apart", async () => {
    const url = new FakeUrl();
    const contracts = Array.from({ length: 16 }, (_, index) => `${index}`);
    for (const contract of contracts) url.behaviour.set(contract, slow);
    await url.ask(...contracts);
    await setImmediate();
    url.behaviour.clear();
    url.asked.length = 0;
    expect(await url.ask(...contracts)).toEqual(contracts);
    expect(url.asked.map((batch) => batch.length)).toEqual([4, 4, 4, 4]);
  });

  it("stay as they are where a node answers none", async () => {
    const url = new FakeUrl();
    const contracts = ["a", "b", "c", "d"];
    url.largestBatch = 1;
    for (const contract of contracts) url.behaviour.set(contract, fail("unavailable"));
    await url.ask(...contracts);
    await setImmediate();
    url.behaviour.clear();
    url.largestBatch = 4;
    url.asked.length = 0;
    expect(await url.ask(...contracts)).toEqual(contracts);
    expect(url.asked).toEqual([contracts]);
  });

  it("aren't asked apart because their callers left", async () => {
    const url = new FakeUrl();
    const leaving = new AbortController();
    const contracts = ["a", "b", "c", "d"];
    // Its caller leaves while it is asked alone.
    url.behaviour.set("d", (isAlone) => {
      if (isAlone) leaving.abort(new Error("the lease is lost"));
      throw new RpcFault("unavailable", "no answer");
    });
    url.behaviour.set("c", fail("timeout"));
    await Promise.allSettled([...["a", "b", "c"].map((to) => url.call(to)), url.call("d", leaving.signal)]);
    // What was learnt comes after the answers.
    await setImmediate();
    url.behaviour.clear();
    url.asked.length = 0;
    expect(await url.ask(...contracts)).toEqual(contracts);
    expect(url.asked).toEqual(["c", ["a", "b", "d"]]);
  });

  it("with a shorter limit are apart, as a node may not answer second questions", async () => {
    const url = new FakeUrl();
    const second = (to: string) => url.call(to, signal, undefined, 4_000);
    await Promise.all([url.call("a"), second("a"), url.call("b"), second("b")]);
    expect(url.asked).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("end one by one with their signals", async () => {
    const url = new FakeUrl();
    const leaving = new AbortController();
    const [left, stayed] = [url.call("a", leaving.signal), url.call("b")];
    leaving.abort(new Error("the lease is lost"));
    await expect(left).rejects.toThrow("the lease is lost");
    expect(await stayed).toBe("b");
    expect(url.asked).toEqual(["b"]);
  });
});
