import { describe, expect, it } from "vitest";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import { EvmNode } from "../../../test/support/chains/evm-node.ts";
import { evmChain } from "../../../test/support/chains/evm-reader-fixture.ts";
import type { Block } from "./block.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { RecentHeaders } from "./recent-headers.ts";

const { signal } = new AbortController();

function chainOf(blocks: number): FakeEvmChain {
  const chain = new FakeEvmChain();
  for (let number = 0; number < blocks; number += 1) chain.mine({});
  return chain;
}

function headersAt(node: EvmNode): RecentHeaders {
  return new RecentHeaders(new EvmEndpoint(evmChain([node.url])));
}

function asked(node: EvmNode): number {
  return node.requests.filter(({ method }) => method === "eth_getBlockByNumber").length;
}

function numbers(headers: readonly Block[] | undefined): readonly number[] | undefined {
  return headers?.map(({ number }) => Number(number));
}

describe("the headers of a chain's newest blocks", () => {
  it("are read once, however many readers ask", async () => {
    const chain = chainOf(9);
    await using node = await EvmNode.start(chain);
    const headers = headersAt(node);
    await headers.between(chain.head.number - 2n, chain.head, signal);
    const before = asked(node);
    const all = await Promise.all([3n, 5n, 3n].map((height) => headers.between(height, chain.head, signal)));
    expect(all.map(numbers)).toEqual([
      [8, 7, 6, 5, 4],
      [8, 7, 6],
      [8, 7, 6, 5, 4],
    ]);
    chain.mine({});
    expect(numbers(await headers.between(5n, chain.head, signal))).toEqual([9, 8, 7, 6]);
    expect(asked(node) - before).toBe(5);
  });

  it("travel in one request where several are unknown", async () => {
    const chain = chainOf(9);
    await using node = await EvmNode.start(chain);
    const headers = headersAt(node);
    await headers.between(chain.head.number - 2n, chain.head, signal);
    const before = node.posts;
    expect(numbers(await headers.between(3n, chain.head, signal))).toEqual([8, 7, 6, 5, 4]);
    expect(node.posts - before).toBe(1);
  });

  it("are read anew where the chain was re-organised", async () => {
    const chain = chainOf(9);
    await using node = await EvmNode.start(chain);
    const headers = headersAt(node);
    const before = await headers.between(4n, chain.head, signal);
    chain.drop(3);
    for (let block = 0; block < 3; block += 1) chain.mine({ stage: 3 });
    const after = await headers.between(4n, chain.head, signal);
    expect(numbers(after)).toEqual(numbers(before));
    expect(after?.map(({ hash }) => hash)).toEqual([8n, 7n, 6n, 5n].map((height) => chain.at(height)?.hash));
  });

  it("are kept above the highest one that was re-organised away", async () => {
    const chain = chainOf(9);
    await using node = await EvmNode.start(chain);
    const headers = headersAt(node);
    await headers.between(4n, chain.head, signal);
    chain.drop(3);
    for (let block = 0; block < 5; block += 1) chain.mine({ stage: 3 });
    const before = asked(node);
    expect(numbers(await headers.between(4n, chain.head, signal))).toEqual([10, 9, 8, 7, 6, 5]);
    // 10 and 9, which are new; then 8 to 5, of which 8 was another one.
    expect(asked(node) - before).toBe(6);
  });

  it("are missing where they don't lead to the block, as on a node of another fork, until they do", async () => {
    const chain = chainOf(9);
    await using node = await EvmNode.start(chain);
    const headers = headersAt(node);
    const elsewhere = { ...chain.head, parentHash: "0".repeat(64) };
    expect(await headers.between(4n, elsewhere, signal)).toBeUndefined();
    expect(numbers(await headers.between(4n, chain.head, signal))).toEqual([8, 7, 6, 5]);
  });

  it("are missing where a node doesn't answer, or where there are more than 32", async () => {
    const chain = chainOf(40);
    await using node = await EvmNode.start(chain);
    const headers = headersAt(node);
    expect(await headers.between(chain.head.number - 34n, chain.head, signal)).toBeUndefined();
    expect(await headers.between(chain.head.number - 33n, chain.head, signal)).toHaveLength(32);
    node.behaviour.interfere = () => ({ kind: "status", status: 500 });
    expect(await headersAt(node).between(chain.head.number - 3n, chain.head, signal)).toBeUndefined();
  });
});
