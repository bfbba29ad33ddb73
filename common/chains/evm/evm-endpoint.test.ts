import { describe, expect, it, vi } from "vitest";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import { EvmNode, type Interference } from "../../../test/support/chains/evm-node.ts";
import { evmChain, ManualClock } from "../../../test/support/chains/evm-reader-fixture.ts";
import { freePort } from "../../../test/support/processes/free-port.ts";
import type { EvmChain } from "../base/chain.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";

const signal = new AbortController().signal;

/** Two nodes of one chain and the endpoint that prefers the first one. */
class Pair implements AsyncDisposable {
  readonly first: EvmNode;
  readonly second: EvmNode;
  readonly clock = new ManualClock();
  readonly endpoint: EvmEndpoint;

  private constructor(first: EvmNode, second: EvmNode, change: Partial<EvmChain>) {
    this.first = first;
    this.second = second;
    this.endpoint = new EvmEndpoint(evmChain([first.url, second.url], change), this.clock);
  }

  static async start(change: Partial<EvmChain> = {}): Promise<Pair> {
    const chain = new FakeEvmChain();
    return new Pair(await EvmNode.start(chain), await EvmNode.start(chain), change);
  }

  ask(): Promise<unknown> {
    return this.endpoint.request("eth_getBlockByNumber", ["latest", false], signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.first[Symbol.asyncDispose](), this.second[Symbol.asyncDispose]()]);
  }
}

async function pairWith(first: Interference, second: Interference, change: Partial<EvmChain> = {}): Promise<Pair> {
  const pair = await Pair.start(change);
  pair.first.behaviour.interfere = () => first;
  pair.second.behaviour.interfere = () => second;
  return pair;
}

const refused: Interference = { kind: "status", status: 500 };
const outOfGas: Interference = { kind: "error", code: -32000, message: "out of gas" };

describe("EvmEndpoint", () => {
  it("asks the first URL", async () => {
    await using pair = await Pair.start();
    await pair.ask();
    const asked = pair.first.requests.length;
    await pair.ask();
    expect(pair.first.requests.slice(asked).map(({ method }) => method)).toEqual(["eth_getBlockByNumber"]);
    expect(pair.second.requests).toHaveLength(0);
  });

  it("checks the chain ID again once that is asked for, and then uses no URL of another chain", async () => {
    await using pair = await Pair.start();
    await pair.ask();
    pair.first.behaviour.chainId = 1;
    await pair.ask();
    expect(pair.second.requests).toHaveLength(0);
    pair.endpoint.recheck();
    await pair.ask();
    expect(pair.first.requests.at(-1)?.method).toBe("eth_chainId");
    expect(pair.second.requests.at(-1)).toMatchObject({ method: "eth_getBlockByNumber", params: ["latest", false] });
  });

  it.each<[string, Interference]>([
    ["fails", refused],
    ["cuts its answer off", { kind: "truncated" }],
    ["is limited", { kind: "status", status: 429 }],
    ["wants another key", { kind: "status", status: 401 }],
    ["lags", { kind: "error", code: -32000, message: "header not found" }],
    ["can't do it", { kind: "error", code: -32601, message: "the method does not exist" }],
    ["answers something else", { kind: "status", status: 200, body: "<html>" }],
    ["answers another request", { kind: "status", status: 200, body: '{"jsonrpc":"2.0","id":999,"result":"0x7a69"}' }],
    ["sends elsewhere", { kind: "status", status: 302, headers: { location: "http://127.0.0.1:1/" } }],
  ])("asks the second URL if the first one %s, and then the second one first for a while", async (_, interference) => {
    await using pair = await Pair.start();
    pair.first.behaviour.interfere = ({ method }) => (method === "eth_chainId" ? undefined : interference);
    await expect(pair.ask()).resolves.toMatchObject({ number: "0x0" });
    pair.first.behaviour.interfere = () => undefined;
    const asked = pair.first.requests.length;
    if (!JSON.stringify(interference).includes("does not exist")) await pair.ask();
    expect(pair.first.requests).toHaveLength(asked);
    pair.clock.advance(60_000);
    await pair.ask();
    expect(pair.first.requests.length).toBeGreaterThan(asked);
  });

  it("asks the second URL if the first one doesn't answer in time", async () => {
    await using pair = await Pair.start({ requestTimeoutMs: 50 });
    pair.first.behaviour.interfere = () => ({ kind: "silence" });
    await expect(pair.ask()).resolves.toMatchObject({ number: "0x0" });
  });

  it("tries again before it gives up, and names the hosts without their paths", async () => {
    await using pair = await pairWith(refused, {
      kind: "error",
      code: -32000,
      message: "try https://x.example/key later",
    });
    const failure = pair.ask();
    await expect(failure).rejects.toMatchObject({ remedy: "wait", kind: "unavailable" });
    const message = await failure.catch(({ message }: Error) => message);
    expect(message).toContain(pair.first.host);
    expect(message).toContain(pair.second.host);
    expect(message).toContain("HTTP status 500");
    expect(message).not.toMatch(/secret|example/);
    expect(pair.first.requests).toHaveLength(3);
  });

  it("requires a change of the configuration if no URL is right", async () => {
    await using pair = await pairWith({ kind: "status", status: 403 }, { kind: "result", result: "0x1" });
    const failure = pair.ask();
    await expect(failure).rejects.toMatchObject({ remedy: "mend" });
    await expect(failure).rejects.toThrow("valid key");
    await expect(failure).rejects.toThrow("chain ID is 1, not 31337");
  });

  it("waits as long as a node asks for, if that is short", async () => {
    await using pair = await Pair.start();
    const limited: Interference = { kind: "status", status: 429, headers: { "retry-after": "2" } };
    pair.second.behaviour.interfere = () => ({ kind: "status", status: 401 });
    pair.first.behaviour.interfere = () => (pair.clock.now() < 2000 ? limited : undefined);
    await expect(pair.ask()).resolves.toMatchObject({ number: "0x0" });
    expect(pair.clock.now()).toBeGreaterThanOrEqual(2000);
    expect(pair.first.count("eth_chainId")).toBe(2);
  });

  it("passes on a longer wait, and asks no node meanwhile", async () => {
    const limited: Interference = { kind: "status", status: 429, headers: { "retry-after": "20" } };
    await using pair = await pairWith(limited, limited);
    await expect(pair.ask()).rejects.toMatchObject({ kind: "rate_limited", retryAfterMs: 20_000 });
    pair.clock.advance(5000);
    await expect(pair.ask()).rejects.toMatchObject({ kind: "rate_limited", retryAfterMs: 15_000 });
    expect(pair.first.requests).toHaveLength(1);
  });

  it.each<[string, Interference, string]>([
    ["a revert", { kind: "error", code: 3, message: "execution reverted" }, "reverted"],
    ["that a heavy call is too large", outOfGas, "too_large"],
  ])("treats %s as an answer", async (_, interference, kind) => {
    await using pair = await Pair.start();
    pair.first.behaviour.interfere = ({ method }) => (method === "eth_chainId" ? undefined : interference);
    const failure = pair.endpoint.answer("eth_getBlockByNumber", ["latest", false], signal, { heavy: true });
    await expect(failure).rejects.toMatchObject({ kind });
    expect(pair.second.requests).toHaveLength(0);
  });

  it("asks again if a call that can't be smaller is too large, and reports it if that lasts", async () => {
    await using pair = await pairWith(outOfGas, outOfGas);
    pair.first.behaviour.interfere = ({ method }) => (method === "eth_chainId" ? undefined : outOfGas);
    pair.second.behaviour.interfere = ({ method }) =>
      method !== "eth_chainId" && pair.second.requests.length < 3 ? outOfGas : undefined;
    await expect(pair.ask()).resolves.toMatchObject({ number: "0x0" });
    pair.second.behaviour.interfere = pair.first.behaviour.interfere;
    await expect(pair.ask()).rejects.toMatchObject({ kind: "too_large", remedy: "wait" });
  });

  it("doesn't repeat a heavy request that timed out", async () => {
    await using pair = await pairWith({ kind: "silence" }, { kind: "silence" }, { requestTimeoutMs: 50 });
    const failure = pair.endpoint.answer("eth_call", [], signal, { heavy: true });
    await expect(failure).rejects.toMatchObject({ kind: "timeout" });
    expect(pair.first.requests).toHaveLength(1);
  });

  it.each<[string, Interference]>([
    ["in a limit's words", { kind: "error", code: -32005, message: "eth_getLogs: daily request limit" }],
    ["with a status of limits", { kind: "status", status: 429 }],
    ["as missing", { kind: "error", code: -32601, message: "the method does not exist" }],
    ["as not paid for", { kind: "error", code: -32000, message: "unauthorized for this plan" }],
  ])(
    "asks for other methods without a wait where one is refused %s, and counts it as not offered",
    async (_, refusal) => {
      await using pair = await Pair.start();
      const warnings: string[] = [];
      const { now, delay } = pair.clock;
      const endpoint = new EvmEndpoint(evmChain([pair.first.url]), { now, delay, warn: (text) => warnings.push(text) });
      pair.first.behaviour.interfere = ({ method }) => (method === "eth_getLogs" ? refusal : undefined);
      const logs = () =>
        endpoint.answer("eth_getLogs", [{ fromBlock: "0x0", toBlock: "0x0" }], signal, { heavy: true });
      for (let read = 0; read < 5; read += 1) {
        await expect(logs()).rejects.toThrow();
        const before = pair.clock.now();
        await endpoint.request("eth_getBlockByNumber", ["latest", false], signal);
        expect(pair.clock.now()).toBe(before);
        pair.clock.advance(8000);
      }
      const asked = pair.first.count("eth_getLogs");
      const before = pair.clock.now();
      await expect(logs()).rejects.toMatchObject({ kind: "unsupported" });
      await expect(logs()).rejects.toThrow("it refuses eth_getLogs again and again");
      expect([pair.first.count("eth_getLogs"), pair.clock.now()]).toEqual([asked, before]);
      expect(warnings).toEqual([
        expect.stringContaining(`${pair.first.host}: it refuses eth_getLogs again and again (`),
      ]);
      expect(endpoint.refusedMethods()).toEqual([["eth_getLogs"]]);
      pair.first.behaviour.interfere = () => undefined;
      pair.clock.advance(600_000);
      await expect(logs()).resolves.toMatchObject({ result: [] });
      expect(endpoint.refusedMethods()).toEqual([[]]);
    },
  );

  it("sends credentials of the URL as a header", async () => {
    await using node = await EvmNode.start(new FakeEvmChain());
    const endpoint = new EvmEndpoint(evmChain([`http://user:p%40ss@${node.host}/?key=1`]));
    await endpoint.request("eth_chainId", [], signal);
    expect(node.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from("user:p@ss").toString("base64")}`);
  });

  it("names the host of a node that can't be reached", async () => {
    const endpoint = new EvmEndpoint(
      evmChain([`http://127.0.0.1:${await freePort()}/secret?key=1`]),
      new ManualClock(),
    );
    await expect(endpoint.request("eth_chainId", [], signal)).rejects.toThrow(
      /^127\.0\.0\.1:\d+: it can't be reached or broke off( \(ECONNREFUSED\))?$/,
    );
  });

  it("limits concurrent requests", async () => {
    await using pair = await Pair.start({ maxConcurrency: 2, requestTimeoutMs: 200 });
    await pair.ask();
    const asked = pair.first.requests.length;
    pair.first.behaviour.interfere = () => ({ kind: "silence" });
    const stopping = new AbortController();
    const all = Array.from({ length: 5 }, () => pair.endpoint.request("eth_chainId", [], stopping.signal));
    while (pair.first.requests.length < asked + 2) await new Promise(setImmediate);
    stopping.abort(new Error("stopped"));
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map((outcome) => outcome.status === "rejected" && String(outcome.reason))).toEqual(
      Array(5).fill("Error: stopped"),
    );
    expect(pair.first.requests).toHaveLength(asked + 2);
  });

  it("counts a request's own limit from its turn, and asks the next URL once it is over", async () => {
    await using pair = await Pair.start({ maxConcurrency: 1 });
    await pair.ask();
    const original = AbortSignal.timeout.bind(AbortSignal);
    const limits: AbortController[] = [];
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((millis) => {
      if (millis !== 4_000) return original(millis);
      limits.push(new AbortController());
      return limits.at(-1)?.signal ?? AbortSignal.abort();
    });
    pair.first.behaviour.interfere = () => ({ kind: "silence" });
    const asked = pair.first.requests.length;
    const stopping = new AbortController();
    const before = pair.endpoint.request("eth_chainId", [], stopping.signal);
    const answer = pair.endpoint.answer("eth_chainId", [], signal, { limitMs: 4_000, rounds: 1 });
    while (pair.first.requests.length === asked) await new Promise(setImmediate);
    expect(limits).toHaveLength(0);
    stopping.abort(new Error("stopped"));
    await expect(before).rejects.toThrow("stopped");
    while (pair.first.requests.length < asked + 2) await new Promise(setImmediate);
    limits[0]?.abort();
    const { url } = await answer.finally(() => timeout.mockRestore());
    expect(url.host).toBe(pair.second.host);
    const [silent] = pair.endpoint.urls;
    expect(silent && pair.endpoint.isBackingOff(silent, "eth_chainId")).toBe(true);
  });

  it("doesn't wait for longer than a request's own limit for the probe of a URL", async () => {
    await using pair = await Pair.start();
    pair.first.behaviour.interfere = () => ({ kind: "silence" });
    const original = setTimeout;
    const limits: (() => void)[] = [];
    vi.stubGlobal("setTimeout", (over: () => void, millis: number) =>
      millis === 4_000 ? limits.push(over) : original(over, millis),
    );
    const answer = pair.endpoint.answer("eth_chainId", [], signal, { limitMs: 4_000, rounds: 1 });
    while (pair.first.requests.length === 0) await new Promise(setImmediate);
    limits[0]?.();
    const { url } = await answer.finally(() => vi.unstubAllGlobals());
    expect(url.host).toBe(pair.second.host);
  });
});
