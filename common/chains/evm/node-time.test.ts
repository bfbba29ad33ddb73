import { expect, it } from "vitest";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import { EvmNode } from "../../../test/support/chains/evm-node.ts";
import { evmChain, ManualClock } from "../../../test/support/chains/evm-reader-fixture.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { NodeTime } from "./node-time.ts";

const { signal } = new AbortController();

it("counts concurrent requests once, and failed ones too", async () => {
  const clock = new ManualClock();
  const time = new NodeTime(clock.now);
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const both = [time.count(() => first.promise)];
  clock.advance(10);
  both.push(time.count(() => second.promise));
  clock.advance(10);
  first.resolve("answer");
  expect(await both[0]).toBe("answer");
  clock.advance(10);
  second.reject(new Error("failed"));
  await expect(both[1]).rejects.toThrow("failed");
  clock.advance(1000);
  expect(time.millis).toBe(30);
});

it("doesn't count the wait for a busy node", async () => {
  await using node = await EvmNode.start(new FakeEvmChain());
  const clock = new ManualClock();
  const endpoint = new EvmEndpoint(evmChain([node.url], { maxConcurrency: 1 }), clock);
  await endpoint.request("eth_chainId", [], signal);
  node.behaviour.interfere = ({ method }) => {
    clock.advance(method === "eth_chainId" ? 1000 : 7);
    return undefined;
  };
  const nodeTime = new NodeTime(clock.now);
  await Promise.all([
    endpoint.request("eth_chainId", [], signal),
    endpoint.answer("eth_getBlockByNumber", ["latest", false], signal, { nodeTime }),
  ]);
  expect(nodeTime.millis).toBe(7);
});
