import { describe, expect, it } from "vitest";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import { CHAIN_ID, EvmNode } from "../../../test/support/chains/evm-node.ts";
import { evmChain, ManualClock } from "../../../test/support/chains/evm-reader-fixture.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { FinalBlocks } from "./final-blocks.ts";

const { signal } = new AbortController();

/** Final blocks by the word of nodes, each of which has a chain of its own that begins alike. */
class Nodes implements AsyncDisposable {
  readonly nodes: readonly EvmNode[];
  readonly clock = new ManualClock();
  final: FinalBlocks;

  private constructor(nodes: readonly EvmNode[]) {
    this.nodes = nodes;
    this.final = this.#begin();
  }

  /** @param heads the newest block of each; the fake nodes call the block two below it final. */
  static async start(...heads: readonly number[]): Promise<Nodes> {
    return new Nodes(await Promise.all(heads.map(async (head) => EvmNode.start(grown(new FakeEvmChain(), head)))));
  }

  /** Forgets everything, as a restart does. */
  restart(): void {
    this.final = this.#begin();
  }

  #begin(): FinalBlocks {
    const endpoint = new EvmEndpoint(evmChain(this.nodes.map(({ url }) => url)), this.clock);
    return new FinalBlocks(endpoint, "fake", this.clock.now);
  }

  /** The final block, or the fault's text. */
  async read(): Promise<bigint | string> {
    return this.final.read(signal).then(
      ({ number }) => number,
      (error: unknown) => (error as Error).message,
    );
  }

  node(index: number): EvmNode {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  }

  /** Replaces a node's blocks from a height on. */
  fork(index: number, from: number, head: number): void {
    const { chain } = this.node(index);
    chain.drop(Number(chain.head.number) + 1 - from);
    grown(chain, head);
  }

  grow(...heads: readonly number[]): void {
    for (const [index, head] of heads.entries()) grown(this.node(index).chain, head);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()));
  }
}

function grown(chain: FakeEvmChain, head: number): FakeEvmChain {
  while (chain.head.number < BigInt(head)) chain.mine();
  return chain;
}

/** Reads until the patience with nodes that lag is over. */
async function readsUntilFault(nodes: Nodes): Promise<readonly (bigint | string)[]> {
  const seen: (bigint | string)[] = [];
  while (typeof seen.at(-1) !== "string") seen.push(await nodes.read());
  return seen;
}

describe("final blocks", () => {
  it("of one URL are what it says; of several, what two of them have", async () => {
    await using one = await Nodes.start(10);
    expect(await one.read()).toBe(8n);
    await using three = await Nodes.start(10, 30, 20);
    expect(await three.read()).toBe(18n);
    three.grow(40);
    expect(await three.read()).toBe(28n);
    expect(three.final.problems()).toEqual([undefined, undefined, undefined]);
  });

  it("aren't asked for more than once, as long as they stay", async () => {
    await using nodes = await Nodes.start(10, 10);
    await nodes.read();
    const asked = nodes.node(0).requests.length;
    await nodes.read();
    expect(nodes.node(0).requests).toHaveLength(asked + 1);
  });

  it("go on without a URL that is behind, and without one that calls another block final", async () => {
    await using nodes = await Nodes.start(20, 20, 20);
    await nodes.read();
    nodes.fork(0, 12, 40);
    nodes.grow(40, 30, 30);
    expect(await nodes.read()).toBe(28n);
    expect(nodes.final.problems()).toEqual([expect.stringContaining(nodes.node(0).host), undefined, undefined]);
    expect(nodes.final.isContradicted).toBe(false);
    nodes.grow(40, 50, 50);
    expect(await nodes.read()).toBe(48n);
    await using late = await Nodes.start(30, 30, 12);
    expect(await late.read()).toBe(28n);
    expect(late.final.problems()).toEqual([undefined, undefined, undefined]);
  });

  it("go on once a URL has left a block that nobody else had confirmed", async () => {
    await using nodes = await Nodes.start(10, 8);
    expect(await nodes.read()).toBe(6n);
    nodes.grow(10, 10);
    for (const index of [0, 1]) nodes.fork(index, 7, 12);
    for (let read = 0; read < 6; read += 1) expect(await nodes.read()).toBe(10n);
  });

  it("have the chain ID of a URL asked again that takes one back", async () => {
    await using nodes = await Nodes.start(20, 20, 20);
    await nodes.read();
    nodes.fork(0, 12, 40);
    nodes.node(0).behaviour.chainId = 1;
    nodes.grow(40, 30, 30);
    await nodes.read();
    nodes.grow(40, 32, 32);
    expect(await nodes.read()).toBe(30n);
    expect(nodes.node(0).requests.at(-1)?.method).toBe("eth_chainId");
    nodes.node(0).behaviour.chainId = CHAIN_ID;
  });

  it.each([
    ["a lower one", 12, 12],
    ["another one of the same height", 17, 20],
    ["another, higher one", 17, 40],
  ])("of one URL never go back to %s: a fault, until it says again what it said before", async (_, from, head) => {
    await using nodes = await Nodes.start(20);
    expect(await nodes.read()).toBe(18n);
    const { chain } = nodes.node(0);
    const kept = Array.from({ length: 21 }, (_unused, height) => chain.at(BigInt(height)));
    nodes.fork(0, from, head);
    const seen = await readsUntilFault(nodes);
    expect(new Set(seen.slice(0, -1))).toEqual(new Set(head === 12 ? [18n] : []));
    expect(seen.at(-1)).toContain(head === 12 ? "taken back" : "another block 18 than the one that was read as final");
    expect(nodes.final.isContradicted).toBe(head !== 12);
    nodes.node(0).behaviour.interfere = ({ method, params: [name] }) => {
      const block = kept[name === "finalized" ? 18 : Number(name)];
      if (method !== "eth_getBlockByNumber" || block === undefined) return undefined;
      const { number, hash, parentHash } = block;
      const result = { number: `0x${number.toString(16)}`, hash: `0x${hash}`, parentHash: `0x${parentHash}` };
      return { kind: "result", result };
    };
    expect(await nodes.read()).toBe(18n);
    expect(nodes.final.isContradicted).toBe(false);
  });

  it("are kept if two URLs contradict them, and that is a fault at once", async () => {
    await using nodes = await Nodes.start(20, 20, 20);
    await nodes.read();
    nodes.fork(0, 12, 40);
    nodes.fork(1, 12, 40);
    expect(await nodes.read()).toContain("another block 18 than the one that was read as final");
    expect(nodes.final.isContradicted).toBe(true);
    nodes.grow(50, 50, 50);
    expect(await nodes.read()).toContain("the figures stay as they are");
  });

  it("are a fault after some reads if only one of two URLs answers, which says why", async () => {
    await using nodes = await Nodes.start(20, 20);
    await nodes.read();
    nodes.grow(30, 30);
    nodes.node(1).behaviour.interfere = () => ({ kind: "status", status: 500 });
    const seen = await readsUntilFault(nodes);
    expect(seen.slice(0, -1)).toEqual([18n, 18n, 18n, 18n]);
    expect(seen.at(-1)).toContain(
      `confirmed by 2 of its 2 URLs: ${nodes.node(1).host}: it answered with HTTP status 500`,
    );
  });

  it("don't wait for a URL that failed recently if two others are left", async () => {
    await using nodes = await Nodes.start(20, 20, 20);
    nodes.node(2).behaviour.interfere = () => ({ kind: "status", status: 500 });
    await nodes.read();
    const asked = nodes.node(2).requests.length;
    nodes.grow(30, 30);
    expect(await nodes.read()).toBe(28n);
    expect(nodes.node(2).requests).toHaveLength(asked);
    nodes.clock.advance(60_000);
    await nodes.read();
    expect(nodes.node(2).requests.length).toBeGreaterThan(asked);
  });
});

describe("a position that was read as final", () => {
  const position = ({ nodes: [node] }: Nodes, height: bigint) => ({ height, hash: node?.chain.at(height)?.hash ?? "" });

  it("holds after a restart as long as two URLs have it", async () => {
    await using nodes = await Nodes.start(20, 20, 20);
    const stored = position(nodes, 18n);
    nodes.fork(0, 12, 40);
    nodes.restart();
    await nodes.final.check(stored, signal);
    expect(nodes.final.isContradicted).toBe(false);
  });

  it("counts more than what URLs have said since a restart: once they have it again, they are believed", async () => {
    await using nodes = await Nodes.start(20, 20);
    const stored = position(nodes, 18n);
    await using others = await Nodes.start(20, 20);
    for (const index of [0, 1]) others.fork(index, 12, 40);
    const lie = (index: number) => {
      nodes.node(index).behaviour.interfere = ({ method, params: [name] }) => {
        if (method !== "eth_getBlockByNumber") return undefined;
        const { chain } = others.node(index);
        const block = name === "latest" ? chain.head : chain.at(name === "finalized" ? 38n : BigInt(String(name)));
        if (block === undefined) return undefined;
        const { number, hash, parentHash } = block;
        const result = { number: `0x${number.toString(16)}`, hash: `0x${hash}`, parentHash: `0x${parentHash}` };
        return { kind: "result", result };
      };
    };
    for (const index of [0, 1]) lie(index);
    expect(await nodes.read()).toBe(38n);
    await expect(nodes.final.check(stored, signal)).rejects.toThrow("read as final");
    expect(await nodes.read()).toBe(38n);
    for (const { behaviour } of nodes.nodes) behaviour.interfere = () => undefined;
    await nodes.final.check(stored, signal);
    expect(await nodes.read()).toBe(18n);
    for (const index of [0, 1]) lie(index);
    expect(await nodes.read()).toContain("another block 18");
  });

  it("is a fault if two URLs have another block there, and for as long", async () => {
    await using nodes = await Nodes.start(20, 20, 20);
    const [stored, kept] = [position(nodes, 18n), position(nodes, 11n)];
    nodes.fork(0, 12, 40);
    nodes.fork(1, 12, 40);
    nodes.restart();
    await expect(nodes.final.check(stored, signal)).rejects.toMatchObject({ remedy: "mend", isOfNodes: true });
    expect(nodes.final.isContradicted).toBe(true);
    await nodes.final.check(kept, signal);
    expect(nodes.final.isContradicted).toBe(true);
    nodes.grow(50, 50, 50);
    expect(await nodes.read()).toBe(48n);
    await using others = await Nodes.start(20, 20);
    await expect(others.final.check({ height: 30n, hash: "a" }, signal)).rejects.toMatchObject({
      remedy: "wait",
      message: expect.stringContaining("too few of its URLs have block 30"),
    });
    expect(others.final.isContradicted).toBe(false);
  });

  it("counts no longer than minutes after a sale has last asked, as that one may have been removed", async () => {
    await using nodes = await Nodes.start(20, 20, 20);
    const stored = position(nodes, 18n);
    nodes.fork(0, 12, 40);
    nodes.fork(1, 12, 40);
    nodes.restart();
    const expectContradicted = (isContradicted: boolean) => expect(nodes.final.isContradicted).toBe(isContradicted);
    await expect(nodes.final.check(stored, signal)).rejects.toThrow("read as final");
    nodes.clock.advance(200_000);
    await expect(nodes.final.check(stored, signal)).rejects.toThrow("read as final");
    nodes.clock.advance(200_000);
    expectContradicted(true);
    nodes.clock.advance(200_000);
    expectContradicted(false);
  });
});
