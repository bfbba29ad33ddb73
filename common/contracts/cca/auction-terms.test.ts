import { toFunctionSelector } from "viem";
import { describe, expect, it } from "vitest";
import { type AnsweredTerms, termsAnswer } from "../../../test/support/chains/auction-answers.ts";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import { CONTRACT, EvmNode } from "../../../test/support/chains/evm-node.ts";
import { evmChain } from "../../../test/support/chains/evm-reader-fixture.ts";
import { EvmEndpoint } from "../../chains/evm/evm-endpoint.ts";
import { PinnedBlock } from "../../chains/evm/pinned-block.ts";
import { NEXT_BID_ID, VALIDATION_HOOK } from "./auction-calls.ts";
import { readAuctionTerms } from "./auction-terms.ts";

/** Reads an auction in block 100. */
async function read(change: Partial<AnsweredTerms>) {
  const chain = new FakeEvmChain();
  while (chain.head.number < 100n) chain.mine();
  await using node = await EvmNode.start(chain, {
    interfere: ({ params: [call] }) => {
      const { to, data } = Object(call);
      return to === undefined && data?.endsWith(CONTRACT.slice(2))
        ? { kind: "result", result: termsAnswer(change) }
        : undefined;
    },
  });
  const pinned = new PinnedBlock(new EvmEndpoint(evmChain([node.url])), CONTRACT, chain.head);
  return await readAuctionTerms(pinned, new AbortController().signal);
}

describe("the terms of an auction", () => {
  it("are read by a call without a contract", async () => {
    expect(await read({ totalSupply: 7n })).toMatchObject({ version: "1.0.0", totalSupply: 7n });
  });

  it("are refused where version 1.0.0 counts blocks of the chain below, as on Arbitrum", async () => {
    const problem = "counts blocks of another chain (block 100 is 21000000 to it)";
    await expect(read({ blockNumber: 21_000_000n })).rejects.toThrow(problem);
    expect(await read({ blockNumber: 21_000_000n, isSince1_1: true })).toMatchObject({ version: "1.1.0" });
    for (const blockNumber of [98n, 102n]) await expect(read({ blockNumber })).rejects.toThrow("another chain");
    for (const blockNumber of [99n, 101n]) expect(await read({ blockNumber })).toMatchObject({ version: "1.0.0" });
  });

  it("are asked for by the selectors of its functions", () => {
    expect(NEXT_BID_ID.data).toBe(toFunctionSelector("nextBidId()"));
    expect(VALIDATION_HOOK.data).toBe(toFunctionSelector("validationHook()"));
  });
});
