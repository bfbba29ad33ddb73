import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { SvmNode } from "../../../test/support/chains/svm-node.ts";
import { SVM_SALE_UUID, svmChain } from "../../../test/support/chains/svm-reader-fixture.ts";
import type { SvmChain } from "../base/chain.ts";
import { SourceFault } from "../base/source-fault.ts";
import type { JsonRpcUrl } from "../nodes/json-rpc-url.ts";
import { CallTooLarge } from "./call-too-large.ts";
import { FailoverTransport } from "./failover-transport.ts";

const neverAborted = new AbortController().signal;
const payload = { jsonrpc: "2.0", id: "1", method: "getSlot", params: [{ minContextSlot: 5n }] };
const healthy = () => undefined;

/** Two nodes, the clock and the waits of a transport over both. */
class Nodes implements AsyncDisposable {
  readonly first: SvmNode;
  readonly second: SvmNode;
  readonly waits: number[] = [];
  millis = 0;

  private constructor(first: SvmNode, second: SvmNode) {
    this.first = first;
    this.second = second;
  }

  static async start(): Promise<Nodes> {
    return new Nodes(await SvmNode.start(SVM_SALE_UUID), await SvmNode.start(SVM_SALE_UUID));
  }

  get host(): string {
    return new URL(this.first.url).host;
  }

  transport(change: Partial<SvmChain> = {}, maxAnswerBytes = 1_000_000): FailoverTransport {
    return new FailoverTransport(svmChain(this.first, change), {
      maxAnswerBytes,
      now: () => this.millis,
      wait: async (millis) => {
        this.waits.push(millis);
        this.millis += millis;
      },
    });
  }

  both(): FailoverTransport {
    return this.transport({ urls: [this.first.url, this.second.url] });
  }

  asked(): readonly number[] {
    return [this.first.requests.length, this.second.requests.length];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.first.stop(), this.second.stop()]);
  }
}

describe("faults", () => {
  it.each([
    ["http_401", "mend", " refuses access (HTTP 401): check the key or the user in its URL"],
    ["http_410", "mend", " does not serve this request (HTTP 410): check the path of its URL and the node's plan"],
    ["http_500", "wait", " answered HTTP 500"],
    ["cut_json", "wait", ": its answer isn't JSON-RPC, or was cut short"],
    ["no_json", "wait", ": its answer isn't JSON-RPC, or was cut short"],
    ["json_rpc_error", "wait", " answered an error (error -32603)"],
    ["hang", "wait", ": no answer within 50 ms"],
  ] as const)("%s", async (fault, remedy, text) => {
    await using nodes = await Nodes.start();
    nodes.first.beforeAnswer = () => fault;
    const url = `${nodes.first.url.replace("//", "//user:pass@")}/v2/s3cret?api-key=s3cret`;
    const sent = nodes.transport({ urls: [url], requestTimeoutMs: 50 }).send(payload, neverAborted);
    await expect(sent).rejects.toMatchObject({ remedy, message: `${nodes.host}${text}` });
  });

  it("a URL without a listener", async () => {
    await using nodes = await Nodes.start();
    const transport = nodes.transport({ urls: ["http://127.0.0.1:1/key"] });
    await expect(transport.send(payload, neverAborted)).rejects.toThrow("127.0.0.1:1: it can't be reached");
  });

  it("an answer beyond the bound is not read to its end", async () => {
    await using nodes = await Nodes.start();
    nodes.first.beforeAnswer = () => "endless";
    const sent = nodes.transport({}, 50_000).send(payload, neverAborted);
    await expect(sent).rejects.toMatchObject({
      remedy: "mend",
      message: expect.stringContaining("more than 50000 bytes"),
    });
  });

  it("a node that ignores the wanted slot lags", async () => {
    await using nodes = await Nodes.start();
    nodes.first.beforeAnswer = () => "stale";
    const params = [[nodes.first.saleAccount], { minContextSlot: 101n }];
    const sent = nodes.transport().send({ ...payload, method: "getMultipleAccounts", params }, neverAborted);
    await expect(sent).rejects.toThrow("lags: it is at slot 100, 101 was read before");
  });
});

describe("the pause after a failure", () => {
  it("repeats requests whose fault may pass, a few times and ever more slowly", async () => {
    await using nodes = await Nodes.start();
    nodes.first.beforeAnswer = () => "http_500";
    await expect(nodes.transport().send(payload, neverAborted)).rejects.toThrow(SourceFault);
    expect(nodes.waits).toHaveLength(3);
    for (const [index, longest] of [250, 500, 1_000].entries()) {
      expect(nodes.waits[index]).toBeGreaterThanOrEqual(longest / 2);
      expect(nodes.waits[index]).toBeLessThanOrEqual(longest);
    }
    expect(nodes.asked()).toEqual([4, 0]);
  });

  it("doesn't repeat requests whose fault somebody must mend", async () => {
    await using nodes = await Nodes.start();
    nodes.first.beforeAnswer = () => "http_401";
    await expect(nodes.transport().send(payload, neverAborted)).rejects.toMatchObject({ remedy: "mend" });
    expect(nodes.asked()).toEqual([1, 0]);
  });

  it("waits as long as Retry-After says", async () => {
    await using nodes = await Nodes.start();
    nodes.first.beforeAnswer = () => (nodes.first.requests.length === 1 ? "http_429" : undefined);
    await expect(nodes.transport().send(payload, neverAborted)).resolves.toMatchObject({ result: 100 });
    expect(nodes.waits).toEqual([2_000]);
  });

  it("asks no node during Retry-After, and reports the remaining time", async () => {
    await using nodes = await Nodes.start();
    nodes.first.beforeAnswer = () => "http_429";
    const transport = nodes.transport();
    await expect(transport.send(payload, neverAborted)).rejects.toMatchObject({ retryAfterMs: 2_000 });
    const asked = nodes.first.requests.length;
    nodes.first.beforeAnswer = healthy;
    await expect(transport.send(payload, neverAborted)).resolves.toBeDefined();
    expect(nodes.waits.at(-1)).toBe(2_000);
    expect(nodes.first.requests.length).toBe(asked + 1);
  });

  it("is not cut short by another request that fails without a wish", async () => {
    await using nodes = await Nodes.start();
    const stop = new AbortController();
    const begun = [0, 1, 2].map(() => Promise.withResolvers<number>());
    let waits = 0;
    const wait = async (millis: number, signal: AbortSignal) => {
      begun[waits++]?.resolve(millis);
      await once(signal, "abort");
      throw signal.reason;
    };
    const transport = new FailoverTransport(svmChain(nodes.first), { now: () => 0, wait });
    nodes.first.beforeAnswer = async () => {
      if (nodes.first.requests.length === 1) return "http_429";
      await begun[0]?.promise;
      return "json_rpc_error";
    };
    const sent = [transport.send(payload, stop.signal), transport.send(payload, stop.signal)];
    await begun[1]?.promise;
    sent.push(transport.send(payload, stop.signal));
    expect(await begun[2]?.promise).toBe(2_000);
    expect(nodes.asked()).toEqual([2, 0]);
    stop.abort();
    await Promise.allSettled(sent);
  });

  it("ends with the signal", async () => {
    await using nodes = await Nodes.start();
    const stop = new AbortController();
    nodes.first.beforeAnswer = () => {
      stop.abort(new Error("stopped"));
      return "hang";
    };
    await expect(nodes.transport().send(payload, stop.signal)).rejects.toThrow("stopped");
  });
});

describe("several URLs", () => {
  it("the next one answers, and stays the first for a while", async () => {
    await using nodes = await Nodes.start();
    const transport = nodes.both();
    nodes.first.beforeAnswer = () => "http_401";
    await transport.send(payload, neverAborted);
    nodes.first.beforeAnswer = healthy;
    await transport.send(payload, neverAborted);
    expect(nodes.asked()).toEqual([1, 2]);
    nodes.millis += 30_001;
    await transport.send(payload, neverAborted);
    expect(nodes.asked()).toEqual([2, 2]);
    expect(nodes.waits).toEqual([]);
  });

  it("the fault names each, and must be mended only if all must be", async () => {
    await using nodes = await Nodes.start();
    nodes.first.beforeAnswer = () => "http_401";
    nodes.second.beforeAnswer = () => "http_500";
    const message = `${nodes.host} refuses access (HTTP 401): check the key or the user in its URL; ${new URL(nodes.second.url).host} answered HTTP 500`;
    const sorted = (text: string) => text.split("; ").toSorted();
    const fault = await nodes
      .both()
      .send(payload, neverAborted)
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({ remedy: "wait" });
    expect(sorted((fault as SourceFault).message)).toEqual(sorted(message));
  });
});

describe("concurrency", () => {
  it("never exceeds the chain's limit", async () => {
    await using nodes = await Nodes.start();
    let current = 0;
    let most = 0;
    const transport = new FailoverTransport(svmChain(nodes.first, { maxConcurrency: 3 }));
    nodes.first.beforeAnswer = async () => {
      current += 1;
      most = Math.max(most, current);
      await setImmediate();
      current -= 1;
      return undefined;
    };
    await Promise.all(Array.from({ length: 20 }, () => transport.send(payload, neverAborted)));
    expect(nodes.asked()[0]).toBe(20);
    expect(most).toBeLessThanOrEqual(3);
    expect(most).toBeGreaterThan(1);
  });
});

describe("a call that is refused for its size", () => {
  it.each(["http_413", "invalid_params", "account_bound"] as const)(
    "(%s) is asked of the other URLs, not again, and the node stays the first",
    async (fault) => {
      await using nodes = await Nodes.start();
      const transport = nodes.both();
      nodes.first.beforeAnswer = () => fault;
      await transport.send(payload, neverAborted);
      expect(nodes.asked()).toEqual([1, 1]);
      nodes.second.beforeAnswer = () => fault;
      await expect(transport.send(payload, neverAborted)).rejects.toThrow(CallTooLarge);
      expect(nodes.asked()).toEqual([2, 2]);
      nodes.first.beforeAnswer = healthy;
      await transport.send(payload, neverAborted);
      expect(nodes.asked()).toEqual([3, 2]);
    },
  );
});

describe("a call that is too large for one URL while another one doesn't answer", () => {
  it("is asked of the other one again, and then halved, at once if that one has been away before", async () => {
    await using nodes = await Nodes.start();
    const transport = nodes.both();
    nodes.first.beforeAnswer = () => "http_413";
    nodes.second.beforeAnswer = () => (nodes.second.requests.length === 1 ? "http_500" : undefined);
    await transport.send(payload, neverAborted);
    expect(nodes.asked()).toEqual([1, 2]);
    nodes.second.beforeAnswer = () => "http_500";
    await expect(transport.send(payload, neverAborted)).rejects.toMatchObject({
      name: "CallTooLarge",
      mayBeTaken: true,
    });
    expect(nodes.asked()).toEqual([2, 6]);
    await expect(transport.send(payload, neverAborted)).rejects.toBeInstanceOf(CallTooLarge);
    expect(nodes.asked()).toEqual([3, 7]);
  });
});

describe("the cluster of a read", () => {
  it("is asked of the URLs that have answered it, and of no other", async () => {
    await using nodes = await Nodes.start();
    const transport = nodes.transport({
      urls: [nodes.first.url, nodes.second.url],
      genesisHash: nodes.first.genesisHash,
    });
    const [, second] = transport.urls;
    if (second === undefined) throw new Error("there are two URLs");
    const used = new Set<JsonRpcUrl>();
    await transport.send(payload, neverAborted, { onAnswer: (url) => used.add(url) });
    await transport.sendTo(second, payload, neverAborted);
    const before = nodes.asked();
    await transport.confirmCluster(used, neverAborted);
    expect(nodes.asked()).toEqual([(before[0] ?? 0) + 1, before[1]]);
  });

  it("is asked after the pause that the URL asks for, and a longer one fails the read", async () => {
    await using nodes = await Nodes.start();
    const transport = nodes.transport({ genesisHash: nodes.first.genesisHash });
    await transport.send(payload, neverAborted);
    let asked = 0;
    nodes.first.beforeAnswer = () => {
      asked += 1;
      return asked === 1 ? "http_429" : undefined;
    };
    await transport.confirmCluster(new Set(transport.urls), neverAborted);
    expect(nodes.waits).toEqual([2_000]);
    nodes.first.retryAfterSeconds = 100;
    nodes.first.beforeAnswer = () => "http_429";
    const confirmed = () => transport.confirmCluster(new Set(transport.urls), neverAborted);
    await expect(confirmed()).rejects.toMatchObject({ retryAfterMs: 100_000 });
    const sent = nodes.asked();
    await expect(confirmed()).rejects.toMatchObject({ remedy: "wait" });
    expect(nodes.asked()).toEqual(sent);
  });
});

describe("a method that is refused", () => {
  const listing = { ...payload, method: "getProgramAccounts", params: [] };

  it.each(["http_401", "http_429", "rate_limited"] as const)("(%s) doesn't block the others", async (fault) => {
    await using nodes = await Nodes.start();
    nodes.first.retryAfterSeconds = 100;
    nodes.first.beforeAnswer = (method) => (method === "getProgramAccounts" ? fault : undefined);
    const transport = nodes.both();
    for (const url of transport.urls.slice(0, 1)) {
      await expect(transport.sendTo(url, listing, neverAborted)).rejects.toThrow(url.host);
    }
    await transport.send(payload, neverAborted);
    expect(nodes.asked()).toEqual([2, 0]);
  });

  it("five times in a row counts as not offered, is shown, and is tried again", async () => {
    await using nodes = await Nodes.start();
    const warnings: string[] = [];
    nodes.first.beforeAnswer = (method) => (method === "getProgramAccounts" ? "http_401" : undefined);
    const transport = new FailoverTransport(svmChain(nodes.first), {
      now: () => nodes.millis,
      warn: (problem) => warnings.push(problem),
    });
    for (let index = 0; index < 6; index += 1) {
      await expect(transport.send(listing, neverAborted)).rejects.toThrow("refuses");
      await transport.send(payload, neverAborted);
      nodes.millis += 1;
    }
    expect(transport.refusedMethods()).toEqual([["getProgramAccounts"]]);
    expect(warnings).toEqual([expect.stringContaining("it refuses getProgramAccounts again and again")]);
    expect(nodes.first.requests.filter((method) => method === "getProgramAccounts")).toHaveLength(5);
    nodes.first.beforeAnswer = healthy;
    nodes.millis += 600_000;
    await transport.send(listing, neverAborted);
    expect(transport.refusedMethods()).toEqual([[]]);
  });
});
