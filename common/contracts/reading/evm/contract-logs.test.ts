import { describe, expect, it } from "vitest";
import { FakeEvmChain, saleRow } from "../../../../test/support/chains/evm-chain.ts";
import { CONTRACT, EvmNode, type RpcRequest } from "../../../../test/support/chains/evm-node.ts";
import { evmChain } from "../../../../test/support/chains/evm-reader-fixture.ts";
import { positionOf } from "../../../chains/evm/block.ts";
import { EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import { RecentHeaders } from "../../../chains/evm/recent-headers.ts";
import { REFERENCE_FAMILY } from "../../reference/evm/reference-family.ts";
import { noSecondQuestions } from "../../second-questions.ts";
import { type LogSource, logsAfter } from "./contract-logs.ts";
import { LateLogs } from "./sweep-required.ts";

const signal = new AbortController().signal;

/** A chain with the same blocks each time: hashes depend on the history. */
function chainOf(blocks: number): FakeEvmChain {
  const chain = new FakeEvmChain();
  for (let number = 0; number < blocks; number += 1) chain.put(number, saleRow(number + 1));
  return chain;
}

function sourceAt(...urls: readonly string[]): LogSource {
  const endpoint = new EvmEndpoint(evmChain(urls));
  const secondQuestions = noSecondQuestions();
  return {
    endpoint,
    headers: new RecentHeaders(endpoint),
    contract: CONTRACT,
    family: REFERENCE_FAMILY,
    secondQuestions,
  };
}

function isRange({ method, params }: RpcRequest): boolean {
  return method === "eth_getLogs" && JSON.stringify(params).includes("fromBlock");
}

describe("the logs after a position", () => {
  it("are those of all blocks up to the one that is read", async () => {
    const chain = chainOf(6);
    await using node = await EvmNode.start(chain);
    const position = positionOf(chain.at(2n) ?? chain.head);
    const { commitments } = await logsAfter(sourceAt(node.url), position, chain.head, signal);
    expect([...commitments]).toEqual([3, 4, 5, 6].map((number) => saleRow(number).commitmentId));
  });

  it("require a sweep if they come from a node that lags, although another one has the block", async () => {
    const chain = chainOf(6);
    await using first = await EvmNode.start(chain, {
      interfere: (request) => (isRange(request) ? { kind: "status", status: 500 } : undefined),
    });
    await using lagging = await EvmNode.start(chainOf(3));
    const position = positionOf(chain.at(2n) ?? chain.head);
    const logs = logsAfter(sourceAt(first.url, lagging.url), position, chain.head, signal);
    await expect(logs).rejects.toMatchObject({ name: "SweepRequired" });
  });

  it.each([
    ["lags three blocks", undefined],
    ["doesn't say which blocks it has", 500],
  ])("of a long range need no second URL, if that %s", async (_, status) => {
    const chain = chainOf(45);
    await using first = await EvmNode.start(chain);
    await using second = await EvmNode.start(chainOf(42));
    second.behaviour.interfere = ({ method }) => {
      const isOfEnds = method === "eth_getBlockByNumber" && second.count("eth_getLogs") > 0;
      return isOfEnds && status !== undefined ? { kind: "status", status } : undefined;
    };
    const position = positionOf(chain.at(2n) ?? chain.head);
    const { commitments } = await logsAfter(sourceAt(first.url, second.url), position, chain.head, signal);
    expect(commitments.size).toBe(43);
    expect(second.count("eth_getLogs")).toBe(1);
  });

  it("of a long range are late if no URL has both ends at the second answer", async () => {
    const chain = chainOf(45);
    let ranges = 0;
    await using node = await EvmNode.start(chain, {
      interfere: (request, honest) => {
        if (isRange(request)) ranges += 1;
        const isReplaced = ranges > 1 && request.method === "eth_getBlockByNumber" && honest !== null;
        return isReplaced ? { kind: "result", result: null } : undefined;
      },
    });
    const position = positionOf(chain.at(2n) ?? chain.head);
    const logs = logsAfter(sourceAt(node.url), position, chain.head, signal);
    await expect(logs).rejects.toMatchObject({ constructor: LateLogs });
  });

  it("have no blocks of another fork, whose node is asked what the first one left out", async () => {
    const chain = chainOf(6);
    const fork = chainOf(6);
    fork.drop(2);
    for (const number of [7, 8]) fork.put(4, saleRow(number));
    await using first = await EvmNode.start(chain, {
      interfere: (request) => (isRange(request) ? { kind: "result", result: [] } : undefined),
    });
    await using other = await EvmNode.start(fork);
    const position = positionOf(chain.at(2n) ?? chain.head);
    const { blocks, commitments } = await logsAfter(sourceAt(first.url, other.url), position, chain.head, signal);
    expect(blocks.map(({ hash }) => hash)).toEqual([3n, 4n, 6n].map((height) => chain.at(height)?.hash));
    expect(commitments).not.toContain(saleRow(7).commitmentId);
  });

  it("require a sweep if the next block isn't a child of the position's", async () => {
    const chain = chainOf(3);
    await using node = await EvmNode.start(chain);
    const position = { height: 2n, hash: "0".repeat(64) };
    const logs = logsAfter(sourceAt(node.url), position, chain.head, signal);
    await expect(logs).rejects.toThrow("re-organised");
  });
});
