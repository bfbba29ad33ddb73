import { describe, expect, it } from "vitest";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import { blockTime, CHAIN_ID, EvmNode } from "../../../test/support/chains/evm-node.ts";
import { evmChain, ManualClock } from "../../../test/support/chains/evm-reader-fixture.ts";
import type { EvmChain } from "../base/chain.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { HeadTracker } from "./head-tracker.ts";

const signal = new AbortController().signal;

class TrackerFixture implements AsyncDisposable {
  readonly chain: FakeEvmChain;
  readonly node: EvmNode;
  readonly clock = new ManualClock();
  readonly tracker: HeadTracker;

  private constructor(chain: FakeEvmChain, node: EvmNode, change: Partial<EvmChain>) {
    this.chain = chain;
    this.node = node;
    const config = evmChain([node.url], change);
    this.tracker = new HeadTracker(config, new EvmEndpoint(config, this.clock), this.clock.now);
  }

  static async start(change: Partial<EvmChain> = {}): Promise<TrackerFixture> {
    const chain = new FakeEvmChain();
    for (let number = 1; number <= 10; number += 1) chain.mine();
    return new TrackerFixture(chain, await EvmNode.start(chain), change);
  }

  async readable(): Promise<bigint> {
    return (await this.tracker.current(signal)).readable.number;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tracker.stop();
    await this.node[Symbol.asyncDispose]();
  }
}

/** Replaces the newest blocks by as many others. */
function replace(chain: FakeEvmChain, depth: number): void {
  chain.drop(depth);
  for (let block = 0; block < depth; block += 1) chain.mine();
}

describe("HeadTracker", () => {
  it.each<[Partial<EvmChain>, bigint]>([
    [{ confirmations: 0 }, 10n],
    [{ confirmations: 3 }, 7n],
    [{ confirmations: 30 }, 0n],
    [{ confirmations: "finalized" }, 8n],
  ])("with %j reads block %s", async (change, number) => {
    await using fixture = await TrackerFixture.start(change);
    const { newest, readable } = await fixture.tracker.current(signal);
    const { hash, parentHash } = fixture.chain.head;
    expect(newest).toEqual({ number: 10n, hash, parentHash, timeSeconds: blockTime(10n) });
    expect(readable.hash).toBe(fixture.chain.at(number)?.hash);
  });

  it("asks the node once per interval, and once for simultaneous callers", async () => {
    await using fixture = await TrackerFixture.start({ pollIntervalMs: 1000 });
    await fixture.readable();
    const asked = fixture.node.count("eth_getBlockByNumber");
    fixture.clock.advance(1000);
    await Promise.all([fixture.readable(), fixture.readable(), fixture.readable()]);
    fixture.clock.advance(999);
    await fixture.readable();
    expect(fixture.node.count("eth_getBlockByNumber")).toBe(asked + 1);
    fixture.chain.mine();
    fixture.clock.advance(1);
    expect(await fixture.readable()).toBe(11n);
  });

  it("ignores an older height for a while, because a node may lag", async () => {
    await using fixture = await TrackerFixture.start();
    await fixture.readable();
    fixture.chain.drop(2);
    const seen: bigint[] = [];
    for (let poll = 0; poll < 5; poll += 1) seen.push(await fixture.readable());
    expect(seen).toEqual([10n, 10n, 10n, 10n, 8n]);
  });

  it("ignores an older height however often it is announced within an interval", async () => {
    await using fixture = await TrackerFixture.start({ pollIntervalMs: 1000 });
    await fixture.readable();
    fixture.chain.drop(2);
    for (let announced = 0; announced < 20; announced += 1) await fixture.tracker.refresh();
    expect(await fixture.readable()).toBe(10n);
    fixture.chain.mine();
    fixture.chain.mine();
    expect((await fixture.tracker.refresh()).readable.hash).toBe(fixture.chain.head.hash);
  });

  it("starts counting again once a node that doesn't lag has answered", async () => {
    await using fixture = await TrackerFixture.start();
    const newest = fixture.chain.head.number;
    for (let poll = 0; poll < 20; poll += 1) {
      fixture.node.behaviour.interfere = ({ method, params: [name] }) =>
        poll % 4 === 0 || method !== "eth_getBlockByNumber" || name !== "latest"
          ? undefined
          : {
              kind: "result",
              result: { number: "0x3", hash: `0x${"1".repeat(64)}`, parentHash: `0x${"2".repeat(64)}` },
            };
      expect(await fixture.readable()).toBe(newest);
    }
  });

  it.each<[string, Partial<EvmChain>, (chain: FakeEvmChain) => void]>([
    ["at the same height", {}, (chain) => void replace(chain, 1)],
    ["at the next height", {}, (chain) => void [replace(chain, 1), chain.mine()]],
    ["many blocks later", {}, (chain) => void [replace(chain, 9), ...Array.from({ length: 5 }, () => chain.mine())]],
    ["at a lower height", {}, (chain) => void chain.drop(4)],
    ["below the newest block", { confirmations: 3 }, (chain) => void [replace(chain, 5), chain.mine()]],
  ])("asks for the chain ID again at a block that doesn't descend from the last one, %s", async (_, change, fork) => {
    await using fixture = await TrackerFixture.start(change);
    const before = await fixture.tracker.refresh();
    fork(fixture.chain);
    fixture.node.behaviour.chainId = 1;
    await expect(fixture.tracker.refresh()).rejects.toThrow("chain ID is 1, not 31337");
    expect(fixture.tracker.latest).toBe(before);
    // The same blocks on the right chain are a re-organisation.
    fixture.node.behaviour.chainId = CHAIN_ID;
    await fixture.tracker.refresh();
    expect(fixture.node.count("eth_chainId")).toBeGreaterThan(2);
  });

  it("doesn't ask for the chain ID again as long as blocks descend from the last one", async () => {
    await using fixture = await TrackerFixture.start();
    await fixture.tracker.refresh();
    const asked = fixture.node.count("eth_getBlockByNumber");
    for (const blocks of [0, 1, 1, 5]) {
      for (let block = 0; block < blocks; block += 1) fixture.chain.mine();
      await fixture.tracker.refresh();
    }
    expect(fixture.node.count("eth_chainId")).toBe(1);
    // Four polls, and one block of an earlier height where the parent wasn't the last block.
    expect(fixture.node.count("eth_getBlockByNumber")).toBe(asked + 5);
  });

  it("never goes back among final blocks, and says so after a while", async () => {
    await using fixture = await TrackerFixture.start({ confirmations: "finalized" });
    await fixture.readable();
    const older = fixture.chain.at(4n);
    const lower = { number: "0x4", hash: `0x${older?.hash}`, parentHash: `0x${older?.parentHash}` };
    const reasons: [unknown, string][] = [
      [null, "no block finalized yet"],
      [lower, "taken back a block that it called final"],
    ];
    for (const [result, reason] of reasons) {
      fixture.node.behaviour.interfere = ({ params }) =>
        params[0] === "finalized" ? { kind: "result", result } : undefined;
      for (let poll = 0; poll < 4; poll += 1) expect(await fixture.readable()).toBe(8n);
      await expect(fixture.readable()).rejects.toThrow(reason);
      expect(fixture.tracker.latest?.readable.number).toBe(8n);
      fixture.node.behaviour.interfere = () => undefined;
      expect(await fixture.readable()).toBe(8n);
    }
  });

  it("believes no final block that the node doesn't have", async () => {
    await using fixture = await TrackerFixture.start({ confirmations: "finalized" });
    const result = { number: "0x999999", hash: `0x${"1".repeat(64)}`, parentHash: `0x${"2".repeat(64)}` };
    fixture.node.behaviour.interfere = ({ params }) =>
      params[0] === "finalized" ? { kind: "result", result } : undefined;
    await expect(fixture.readable()).rejects.toThrow("no final block is confirmed");
    fixture.node.behaviour.interfere = () => undefined;
    expect(await fixture.readable()).toBe(8n);
  });

  it.each([[{}], ["0x1"], [{ number: "0xa", hash: "0x12", parentHash: "0x12" }], [[]]])(
    "refuses %j for a block",
    async (result) => {
      await using fixture = await TrackerFixture.start();
      await fixture.readable();
      fixture.node.behaviour.interfere = () => ({ kind: "result", result });
      await expect(fixture.readable()).rejects.toMatchObject({ name: "SourceFault", remedy: "wait" });
    },
  );

  it("calls back once per new block to read, until that is ended", async () => {
    await using fixture = await TrackerFixture.start({ confirmations: 1, pollIntervalMs: 1 });
    let calls = 0;
    let called = Promise.withResolvers<void>();
    const end = fixture.tracker.onHead(() => {
      calls += 1;
      called.resolve();
    });
    await called.promise;
    called = Promise.withResolvers();
    fixture.chain.mine();
    await called.promise;
    expect(calls).toBe(2);
    await fixture.tracker.refresh();
    end();
    fixture.chain.mine();
    await fixture.tracker.refresh();
    expect(calls).toBe(2);
  });

  it("lets a caller leave when its signal is aborted", async () => {
    await using fixture = await TrackerFixture.start({ requestTimeoutMs: 50 });
    fixture.node.behaviour.interfere = () => ({ kind: "silence" });
    const leaving = new AbortController();
    const waiting = fixture.tracker.current(leaving.signal);
    leaving.abort(new Error("left"));
    await expect(waiting).rejects.toThrow("left");
    await expect(fixture.tracker.refresh()).rejects.toThrow("no answer within 50 ms");
  });
});
