import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import { EvmNode } from "../../../test/support/chains/evm-node.ts";
import { evmChain, ManualClock } from "../../../test/support/chains/evm-reader-fixture.ts";
import { connectEvmChain } from "../../contracts/connecting/evm/connect-evm-chain.ts";
import { HeadComparison } from "../nodes/head-comparison.ts";
import { comparedNodes } from "./compared-nodes.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { HeadTracker } from "./head-tracker.ts";

const { signal } = new AbortController();

/** Two nodes, of which the first no longer follows the chain of the second. */
class StuckFirst implements AsyncDisposable {
  readonly first: EvmNode;
  readonly second: EvmNode;
  readonly clock = new ManualClock();
  readonly endpoint: EvmEndpoint;
  readonly comparison: HeadComparison;
  readonly tracker: HeadTracker;

  private constructor(first: EvmNode, second: EvmNode) {
    this.first = first;
    this.second = second;
    const config = evmChain([first.url, second.url]);
    this.endpoint = new EvmEndpoint(config, this.clock);
    this.comparison = new HeadComparison(comparedNodes(this.endpoint, 5n), { maxLag: 10n, unit: "blocks" });
    this.tracker = new HeadTracker(config, this.endpoint, this.clock.now);
  }

  static async start(): Promise<StuckFirst> {
    const [stuck, chain] = [new FakeEvmChain(), new FakeEvmChain()];
    mine(stuck, 100n);
    mine(chain, 150n);
    return new StuckFirst(await EvmNode.start(stuck), await EvmNode.start(chain));
  }

  async compareTwice(): Promise<void> {
    await this.comparison.compare(signal);
    await this.comparison.compare(signal);
  }

  async head(): Promise<bigint> {
    return (await this.tracker.refresh()).newest.number;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tracker.stop();
    await Promise.all([this.first[Symbol.asyncDispose](), this.second[Symbol.asyncDispose]()]);
  }
}

function mine(chain: FakeEvmChain, to: bigint): void {
  while (chain.head.number < to) chain.mine();
}

describe("an EVM node that no longer follows its chain", () => {
  it("is not asked until it follows again", async () => {
    await using nodes = await StuckFirst.start();
    expect(await nodes.head()).toBe(100n);
    await nodes.compareTwice();
    expect(await nodes.head()).toBe(150n);
    const asked = nodes.first.requests.length;
    mine(nodes.second.chain, 160n);
    expect(await nodes.head()).toBe(160n);
    expect(nodes.first.requests).toHaveLength(asked);
    expect(nodes.comparison.heads()).toMatchObject([{ behindBy: 50n, host: nodes.first.host }, { behindBy: 0n }]);
    mine(nodes.first.chain, 161n);
    await nodes.comparison.compare(signal);
    expect(await nodes.head()).toBe(161n);
    expect(nodes.first.requests.length).toBeGreaterThan(asked);
  });

  it("isn't asked even if the others fail, until it has caught up", async () => {
    await using nodes = await StuckFirst.start();
    await nodes.compareTwice();
    nodes.second.behaviour.interfere = () => ({ kind: "status", status: 500 });
    await nodes.comparison.compare(signal);
    await expect(nodes.head()).rejects.toThrow("HTTP status 500");
    mine(nodes.first.chain, 145n);
    await nodes.comparison.compare(signal);
    expect(await nodes.head()).toBe(145n);
  });

  it("is asked if all are unhealthy", async () => {
    await using nodes = await StuckFirst.start();
    for (const url of nodes.endpoint.urls) nodes.endpoint.setUnhealthy(url, true);
    expect(await nodes.head()).toBe(100n);
  });

  it.each([
    ["says a head that it has no block of", "0xfffffff"],
    ["says a head that is no number", "far"],
  ])("stays healthy beside one that %s", async (_, number) => {
    await using nodes = await StuckFirst.start();
    const result = { number, hash: `0x${"1".repeat(64)}`, parentHash: `0x${"2".repeat(64)}` };
    nodes.second.behaviour.interfere = ({ params }) =>
      params[0] === "latest" ? { kind: "result", result } : undefined;
    await nodes.compareTwice();
    expect(await nodes.head()).toBe(100n);
  });

  it("is found to be behind even if some nodes behind the other's load balancer lag a little", async () => {
    await using nodes = await StuckFirst.start();
    const known = nodes.second.chain.head.number - 3n;
    nodes.second.behaviour.interfere = ({ method, params: [name] }) =>
      method === "eth_getBlockByNumber" && name !== "latest" && BigInt(String(name)) > known
        ? { kind: "result", result: null }
        : undefined;
    await nodes.compareTwice();
    expect(nodes.comparison.heads()[0]).toMatchObject({ behindBy: 50n, problem: expect.stringContaining("50 blocks") });
  });

  it("is asked once for a comparison, even if it fails", async () => {
    await using nodes = await StuckFirst.start();
    nodes.first.behaviour.interfere = ({ method }) =>
      method === "eth_chainId" ? undefined : { kind: "status", status: 500 };
    await nodes.compareTwice();
    expect(nodes.first.count("eth_getBlockByNumber")).toBe(2);
  });

  it("isn't asked while it limits the rate of requests", async () => {
    await using nodes = await StuckFirst.start();
    nodes.first.behaviour.interfere = ({ method }) =>
      method === "eth_chainId" ? undefined : { kind: "status", status: 429, headers: { "retry-after": "60" } };
    await nodes.compareTwice();
    expect(nodes.first.count("eth_getBlockByNumber")).toBe(1);
    expect(nodes.comparison.heads().map(({ behindBy }) => behindBy)).toEqual([0n, 0n]);
  });

  it("is looked for from the first read of a sale on", async () => {
    await using nodes = await StuckFirst.start();
    const connection = connectEvmChain(evmChain([nodes.first.url, nodes.second.url], { pollIntervalMs: 60_000 }));
    expect(connection.nodeHeads().map(({ host }) => host)).toEqual([nodes.first.host, nodes.second.host]);
    connection.onHead(() => {});
    while (connection.nodeHeads()[0]?.behindBy !== 50n) await setImmediate();
    await connection.close();
  });
});
