import { describe, expect, it } from "vitest";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import { blockTime, EvmNode, type NodeBehaviour } from "../../../test/support/chains/evm-node.ts";
import { evmChain } from "../../../test/support/chains/evm-reader-fixture.ts";
import { BlockTimes } from "./block-times.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { RecentHeaders } from "./recent-headers.ts";

const { signal } = new AbortController();

function chainOf(blocks: number): FakeEvmChain {
  const chain = new FakeEvmChain();
  mine(chain, blocks);
  return chain;
}

function mine(chain: FakeEvmChain, blocks: number): void {
  for (let number = 0; number < blocks; number += 1) chain.mine({});
}

function timesAt(node: EvmNode, maxKept?: number): BlockTimes {
  const endpoint = new EvmEndpoint(evmChain([node.url]));
  return new BlockTimes(endpoint, new RecentHeaders(endpoint), maxKept);
}

/** Times by number. */
async function read(times: BlockTimes, { head }: FakeEvmChain, ...numbers: readonly bigint[]) {
  const timeOf = await times.of(new Set(numbers), head, signal);
  return new Map(numbers.map((number) => [number, timeOf(number)]));
}

const expected = (...numbers: readonly bigint[]) => new Map(numbers.map((number) => [number, blockTime(number)]));

/** Heights that were asked for since the last call of this. */
function asked(node: EvmNode): readonly number[] {
  const heights = node.requests
    .filter(({ method }) => method === "eth_getBlockByNumber")
    .map(({ params: [name] }) => Number(name))
    .filter((height) => !Number.isNaN(height));
  node.requests.length = 0;
  return heights.sort((a, b) => a - b);
}

async function started(blocks: number, behaviour: Partial<NodeBehaviour> = {}) {
  const chain = chainOf(blocks);
  const node = await EvmNode.start(chain, behaviour);
  const times = timesAt(node);
  await read(times, chain, chain.head.number);
  asked(node);
  return { chain, node, times };
}

describe("the times of a chain's blocks", () => {
  it("are those of the blocks' headers, the newest block's too", async () => {
    const { chain, node, times } = await started(100);
    await using _ = node;
    const numbers = [0n, 1n, 68n, 69n, 99n, 100n];
    expect(await read(times, chain, ...numbers)).toEqual(expected(...numbers));
    const timeOf = await times.of(new Set([98n, 2n]), chain.head, signal);
    expect(() => timeOf(97n)).toThrow("the time of block 97 isn't known");
  });

  it("are asked for together, and older ones once, before the block that is read", async () => {
    const { chain, node, times } = await started(100);
    await using _ = node;
    const before = node.posts;
    await read(times, chain, 10n, 20n, 30n);
    expect([asked(node), node.posts - before]).toEqual([[10, 20, 30, 100], 2]);
    expect(await read(times, chain, 10n, 20n, 40n)).toEqual(expected(10n, 20n, 40n));
    // With the newest that is kept.
    expect(asked(node)).toEqual([30, 40, 100]);
    await read(times, chain, 98n);
    expect(asked(node)).toEqual([98, 99]);
  });

  it("are forgotten where the chain no longer has the newest one that is kept", async () => {
    const { chain, node, times } = await started(100);
    await using _ = node;
    await read(times, chain, 10n, 50n);
    chain.drop(60);
    mine(chain, 100);
    asked(node);
    expect(await read(times, chain, 10n)).toEqual(expected(10n));
    expect(asked(node)).toEqual([10, 50, 140]);
    await read(times, chain, 10n);
    expect(asked(node)).toEqual([10]);
  });

  it("are kept for as many blocks as there is room for", async () => {
    const chain = chainOf(100);
    await using node = await EvmNode.start(chain);
    const times = timesAt(node, 2);
    await read(times, chain, 1n, 2n, 3n);
    asked(node);
    expect(await read(times, chain, 1n, 2n, 3n)).toEqual(expected(1n, 2n, 3n));
    expect(asked(node)).toEqual([1, 3, 100]);
  });

  it("are of the chain that the block ends, not of the one that the node has by now", async () => {
    const { chain, node, times } = await started(20);
    await using _ = node;
    const { head } = chain;
    chain.drop(5);
    mine(chain, 5);
    await expect(times.of(new Set([18n]), head, signal)).rejects.toThrow("blocks from 18 to 20, or not of one chain");
    expect(await read(times, chain, 18n)).toEqual(expected(18n));
  });

  it("are of no other chain than that of the block, however old they are", async () => {
    const { chain, node, times } = await started(100);
    await using _ = node;
    const { head } = chain;
    chain.drop(60);
    mine(chain, 100);
    await expect(times.of(new Set([10n]), head, signal)).rejects.toThrow("the nodes have another block 100 by now");
    expect(await read(times, chain, 10n)).toEqual(expected(10n));
  });

  it("aren't made up where the node doesn't say them", async () => {
    const { chain, node, times } = await started(50, {
      interfere: ({ params: [name] }, honest) =>
        name === "0x5" || name === "0x30"
          ? { kind: "result", result: { ...Object(honest), timestamp: "soon" } }
          : undefined,
    });
    await using _ = node;
    for (const number of [5n, 48n]) {
      await expect(read(times, chain, number)).rejects.toThrow(`the node doesn't say the time of block ${number}`);
    }
    await expect(times.of(new Set([60n]), { number: 99n, hash: "" }, signal)).rejects.toThrow("don't have block 60");
  });
});
