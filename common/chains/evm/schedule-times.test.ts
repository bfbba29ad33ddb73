import { expect, it } from "vitest";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import { EvmNode, type NodeBehaviour } from "../../../test/support/chains/evm-node.ts";
import { evmChain } from "../../../test/support/chains/evm-reader-fixture.ts";
import type { Block } from "./block.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { ScheduleTimes } from "./schedule-times.ts";

const { signal } = new AbortController();
const START = 1_700_000_000n;

/** Returns the times of blocks of a chain whose newest one has a number. Its blocks have the times of `timeOf`. */
async function timesOf(head: number, numbers: readonly bigint[], timeOf: (number: bigint) => bigint | undefined) {
  const chain = new FakeEvmChain();
  for (let number = 0; number < head; number += 1) chain.mine({});
  const interfere: NodeBehaviour["interfere"] = ({ method, params: [name] }) => {
    const block =
      method === "eth_getBlockByNumber" && /^0x/.test(String(name)) ? chain.at(BigInt(String(name))) : undefined;
    if (block === undefined) return undefined;
    const [number, time] = [block.number, timeOf(block.number)];
    const hashes = { hash: `0x${block.hash}`, parentHash: `0x${block.parentHash}` };
    const timestamp = time === undefined ? {} : { timestamp: `0x${time.toString(16)}` };
    return { kind: "result", result: { number: `0x${number.toString(16)}`, ...hashes, ...timestamp } };
  };
  await using node = await EvmNode.start(chain, { interfere });
  const { number, hash, parentHash } = chain.head;
  const newest: Block = { number, hash, parentHash, ...timeField(timeOf(number)) };
  const times = new ScheduleTimes(new EvmEndpoint(evmChain([node.url])), newest);
  return await Promise.all(numbers.map((each) => times.at(each, signal)));
}

function timeField(timeSeconds: bigint | undefined): Pick<Block, "timeSeconds"> {
  return timeSeconds === undefined ? {} : { timeSeconds };
}

it("has the own times of blocks, and estimates those to come by the pace of the last 1,000", async () => {
  // The first 100 blocks were slower.
  const timeOf = (number: bigint) => START + number * 12n - (number < 100n ? 5_000n : 0n);
  const times = await timesOf(1_200, [0n, 199n, 1_200n, 1_201n, 2_200n], timeOf);
  expect(times).toEqual([
    { number: 0n, isEstimated: false, timeSeconds: START - 5_000n },
    { number: 199n, isEstimated: false, timeSeconds: START + 2_388n },
    { number: 1_200n, isEstimated: false, timeSeconds: START + 14_400n },
    { number: 1_201n, isEstimated: true, timeSeconds: START + 14_412n },
    { number: 2_200n, isEstimated: true, timeSeconds: START + 26_400n },
  ]);
});

it("measures the pace of a young chain by all of its blocks, and has none for its first block", async () => {
  const timeOf = (number: bigint) => START + number * 5n;
  expect(await timesOf(3, [4n], timeOf)).toEqual([{ number: 4n, isEstimated: true, timeSeconds: START + 20n }]);
  expect(await timesOf(0, [4n], timeOf)).toEqual([{ number: 4n, isEstimated: true }]);
});

it("leaves a time out that the nodes don't say, or that no year has", async () => {
  const silent = await timesOf(3, [1n, 3n, 4n], () => undefined);
  expect(silent).toEqual([
    { number: 1n, isEstimated: false },
    { number: 3n, isEstimated: false },
    { number: 4n, isEstimated: true },
  ]);
  expect(await timesOf(3, [2n ** 63n], (number) => START + number)).toEqual([{ number: 2n ** 63n, isEstimated: true }]);
});
