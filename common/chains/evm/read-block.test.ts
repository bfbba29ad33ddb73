import { expect, it } from "vitest";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import { EvmNode } from "../../../test/support/chains/evm-node.ts";
import { evmChain } from "../../../test/support/chains/evm-reader-fixture.ts";
import { positionOf } from "./block.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { isCanonical } from "./read-block.ts";

it("asks in one request whether several blocks are part of the chain", async () => {
  const chain = new FakeEvmChain();
  for (let number = 0; number < 9; number += 1) chain.mine({});
  await using node = await EvmNode.start(chain);
  const endpoint = new EvmEndpoint(evmChain([node.url]));
  const { signal } = new AbortController();
  const ask = (hash: string | undefined, height: bigint) => {
    const [url] = endpoint.urls;
    if (url === undefined) throw new Error("the chain has no URL");
    return isCanonical(
      endpoint,
      { ...positionOf(chain.head), height, ...(hash !== undefined && { hash }) },
      url,
      signal,
    );
  };
  expect(await ask(undefined, chain.head.number)).toBe(true);
  const before = node.posts;
  const answers = [ask(undefined, chain.head.number), ask(chain.at(5n)?.hash, 5n), ask("0".repeat(64), 4n)];
  expect(await Promise.all(answers)).toEqual([true, true, false]);
  expect(node.posts - before).toBe(1);
});
