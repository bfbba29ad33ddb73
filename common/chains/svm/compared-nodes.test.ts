import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { SvmNode } from "../../../test/support/chains/svm-node.ts";
import { SVM_SALE_UUID, svmChain } from "../../../test/support/chains/svm-reader-fixture.ts";
import { connectSvmChain } from "../../contracts/connecting/svm/connect-svm-chain.ts";
import { HeadComparison } from "../nodes/head-comparison.ts";
import { comparedNodes } from "./compared-nodes.ts";
import { FailoverTransport } from "./failover-transport.ts";

const { signal } = new AbortController();

/** Two nodes, of which the first no longer follows the chain of the second. */
class StuckFirst implements AsyncDisposable {
  readonly first: SvmNode;
  readonly second: SvmNode;
  readonly transport: FailoverTransport;
  readonly comparison: HeadComparison;

  private constructor(first: SvmNode, second: SvmNode) {
    this.first = first;
    this.second = second;
    const chain = svmChain(first, { urls: [first.url, second.url] });
    this.transport = new FailoverTransport(chain, { now: () => 0, wait: async () => {} });
    this.comparison = new HeadComparison(comparedNodes(chain, this.transport, 25n), { maxLag: 50n, unit: "slots" });
  }

  static async start(): Promise<StuckFirst> {
    const nodes = new StuckFirst(await SvmNode.start(SVM_SALE_UUID), await SvmNode.start(SVM_SALE_UUID));
    reach(nodes.second, 200);
    return nodes;
  }

  async compareTwice(): Promise<void> {
    await this.comparison.compare(signal);
    await this.comparison.compare(signal);
  }

  /** The slot of the first node that answers. */
  async slot(): Promise<unknown> {
    const answer = await this.transport.send({ jsonrpc: "2.0", id: "1", method: "getSlot", params: [] }, signal);
    return Reflect.get(answer, "result");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.first.stop(), this.second.stop()]);
  }
}

function reach(node: SvmNode, slot: number): void {
  while (node.state.slot < slot) node.advance();
}

describe("a Solana node that no longer follows its cluster", () => {
  it("is not asked until it follows again", async () => {
    await using nodes = await StuckFirst.start();
    expect(await nodes.slot()).toBe(100);
    await nodes.compareTwice();
    expect(await nodes.slot()).toBe(200);
    expect(nodes.comparison.heads()).toMatchObject([
      { behindBy: 100n, problem: expect.stringMatching(/^127\.0\.0\.1:\d+ is 100 slots behind other nodes$/) },
      { behindBy: 0n },
    ]);
    reach(nodes.first, 199);
    await nodes.comparison.compare(signal);
    expect(await nodes.slot()).toBe(199);
  });

  it("isn't asked even if the others fail, until it has caught up", async () => {
    await using nodes = await StuckFirst.start();
    await nodes.compareTwice();
    nodes.second.beforeAnswer = () => "http_500";
    await nodes.comparison.compare(signal);
    await expect(nodes.slot()).rejects.toThrow("HTTP 500");
    reach(nodes.first, 190);
    await nodes.comparison.compare(signal);
    expect(await nodes.slot()).toBe(190);
  });

  it("is asked if all are unhealthy", async () => {
    await using nodes = await StuckFirst.start();
    for (const url of nodes.transport.urls) nodes.transport.setUnhealthy(url, true);
    expect(await nodes.slot()).toBe(100);
  });

  it.each(["behind", "stale", "no_context", "null_result", "json_rpc_error"] as const)(
    "stays healthy beside one that reports a slot that it can't serve: %s",
    async (fault) => {
      await using nodes = await StuckFirst.start();
      const { second } = nodes;
      second.states.push({ ...second.state, slot: 100_000 });
      second.beforeAnswer = (method) => (method === "getSlot" ? undefined : fault);
      await nodes.compareTwice();
      expect(await nodes.slot()).toBe(100);
      expect(second.requests).toContain("getLatestBlockhash");
    },
  );

  it("asks each node once for a comparison, and once more if it is far ahead", async () => {
    await using nodes = await StuckFirst.start();
    await nodes.comparison.compare(signal);
    expect([nodes.first.requests, nodes.second.requests]).toEqual([["getSlot"], ["getSlot", "getLatestBlockhash"]]);
  });

  it("is looked for from the first read of a sale on", async () => {
    await using nodes = await StuckFirst.start();
    const connection = connectSvmChain(svmChain(nodes.first, { urls: [nodes.first.url, nodes.second.url] }));
    connection.onHead(() => {})();
    while (connection.nodeHeads()[0]?.behindBy !== 100n) await setImmediate();
    await connection.close();
  });
});
