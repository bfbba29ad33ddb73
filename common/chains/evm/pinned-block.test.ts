import { describe, expect, it } from "vitest";
import { FakeEvmChain, saleRows } from "../../../test/support/chains/evm-chain.ts";
import { CONTRACT, EvmNode, type Interference } from "../../../test/support/chains/evm-node.ts";
import { evmChain } from "../../../test/support/chains/evm-reader-fixture.ts";
import { loadSaleCalls } from "../../contracts/reference/evm/sale-calls.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { PinnedBlock } from "./pinned-block.ts";

const signal = new AbortController().signal;

describe("a call at a pinned block", () => {
  it.each<[string, Interference]>([
    ["answers nothing", { kind: "result", result: "0x" }],
    ["answers null", { kind: "result", result: null }],
    ["answers too much", { kind: "result", result: `0x${"1".repeat(65)}` }],
    ["has too little gas for a call that can't be smaller", { kind: "error", code: -32000, message: "out of gas" }],
  ])("goes to the next URL if the first one %s", async (_, interference) => {
    const chain = new FakeEvmChain();
    chain.mine({ rows: saleRows(3) });
    await using first = await EvmNode.start(chain, {
      interfere: ({ method }) => (method === "eth_call" ? interference : undefined),
    });
    await using second = await EvmNode.start(chain);
    const pinned = new PinnedBlock(new EvmEndpoint(evmChain([first.url, second.url])), CONTRACT, chain.head);
    const { numCommitments, rows } = await loadSaleCalls();
    await expect(pinned.call(numCommitments, signal)).resolves.toBe(3n);
    await expect(pinned.call(rows(1n, 2n), signal)).resolves.toMatchObject([{ sourceIndex: 1n }]);
  });
});
