import { describe, expect, it } from "vitest";
import { FakeEvmChain, saleRows, TWIN } from "../../../test/support/chains/evm-chain.ts";
import { blockTime, CONTRACT, EvmNode, type Interference } from "../../../test/support/chains/evm-node.ts";
import { evmChain } from "../../../test/support/chains/evm-reader-fixture.ts";
import { loadSaleCalls } from "../../contracts/reference/evm/sale-calls.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { PinnedBlock } from "./pinned-block.ts";
import type { RpcUrl } from "./rpc-url.ts";

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

  it("may be of another contract at the block, and both are verified together", async () => {
    const chain = new FakeEvmChain();
    chain.mine({ rows: saleRows(3) });
    await using node = await EvmNode.start(chain, { byNumberOnly: true });
    const pinned = new PinnedBlock(new EvmEndpoint(evmChain([node.url])), CONTRACT, chain.head);
    const other = pinned.of(TWIN);
    expect([other.contract, other.block]).toEqual([TWIN, pinned.block]);
    const { numCommitments } = await loadSaleCalls();
    await expect(other.call(numCommitments, signal)).resolves.toBe(3n);
    expect(node.requests.at(-1)).toMatchObject({ params: [{ to: TWIN }, "0x1"] });
    await pinned.verify(signal);
    chain.drop(1);
    chain.mine();
    await expect(pinned.verify(signal)).rejects.toThrow("the chain was re-organised while it was read");
  });

  it("may be code without a contract, and a node that refuses that answers other calls as before", async () => {
    const chain = new FakeEvmChain();
    chain.mine();
    await using node = await EvmNode.start(chain);
    const endpoint = new EvmEndpoint(evmChain([node.url]), { delay: async () => undefined });
    const pinned = new PinnedBlock(endpoint, CONTRACT, chain.head);
    // TIMESTAMP, and return it.
    const time = { name: "time", data: "0x4260005260206000f3", isCode: true, decode: BigInt };
    await expect(pinned.call(time, signal)).resolves.toBe(blockTime(1n));
    node.behaviour.interfere = ({ params: [call] }) =>
      Object(call).to === undefined ? { kind: "error", code: -32603, message: "code isn't run" } : undefined;
    await expect(pinned.call(time, signal)).rejects.toThrow("code isn't run");
    expect(endpoint.isBackingOff(endpoint.urls[0] as RpcUrl, "eth_call")).toBe(false);
    const { numCommitments } = await loadSaleCalls();
    await expect(pinned.call(numCommitments, signal)).resolves.toBe(0n);
  });
});
