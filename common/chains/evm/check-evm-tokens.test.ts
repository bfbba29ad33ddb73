import { describe, expect, it } from "vitest";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import { EvmNode, type Interference } from "../../../test/support/chains/evm-node.ts";
import { evmChain, ManualClock } from "../../../test/support/chains/evm-reader-fixture.ts";
import { checkEvmTokens } from "./check-evm-tokens.ts";
import { ZERO_ADDRESS } from "./evm-address.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { HeadTracker } from "./head-tracker.ts";

const signal = new AbortController().signal;
const GOOD = `0x${"a".repeat(40)}`;
const BAD = `0x${"b".repeat(40)}`;

/** Checks tokens of which the node answers about `BAD` as told. */
async function check(addresses: readonly string[], answer: Interference) {
  const token = { decimals: 6, symbol: "USDX" };
  const chain = new FakeEvmChain();
  await using node = await EvmNode.start(chain, {
    tokens: new Map([GOOD, BAD].map((address) => [address, token])),
    interfere: ({ params: [call] }) => ((call as { to?: string } | undefined)?.to === BAD ? answer : undefined),
  });
  const clock = new ManualClock();
  // Only a silent node is waited for; the others' answers may take long on a busy machine.
  const chainOptions = evmChain([node.url], { requestTimeoutMs: answer.kind === "silence" ? 1_000 : 20_000 });
  const endpoint = new EvmEndpoint(chainOptions, clock);
  const heads = new HeadTracker(chainOptions, endpoint, clock.now);
  return await checkEvmTokens({ endpoint, heads }, addresses, signal);
}

describe("checkEvmTokens", () => {
  it.each<[string, Interference, string]>([
    ["less than a word", { kind: "result", result: "0x06" }, "says its decimals()"],
    ["a word and a half", { kind: "result", result: `0x${"0".repeat(96)}` }, "says its decimals()"],
    ["words that mean nothing", { kind: "result", result: `0x${"f".repeat(64)}` }, "says its decimals()"],
    ["what is no hex", { kind: "result", result: `0x${"z".repeat(64)}` }, "says its decimals()"],
    ["nothing", { kind: "result", result: "0x" }, "says its decimals()"],
    ["no answer in time", { kind: "silence" }, "gave no answer about the token"],
    [
      "an error of the node",
      { kind: "error", code: -32603, message: "internal error" },
      "gave no answer about the token",
    ],
  ])("shows the other tokens where one answers with %s", async (_, answer, problem) => {
    expect(await check([BAD, GOOD, "0x1"], answer)).toEqual([
      { address: BAD, problem: expect.stringContaining(problem) },
      { address: GOOD, decimals: 6, symbol: "USDX" },
      { address: "0x1", problem: expect.stringContaining("40 hex digits") },
    ]);
  });

  it("shows that a single token is slow, where the node answers a call of no contract, and not that the nodes are", async () => {
    expect(await check([BAD], { kind: "silence" })).toEqual([
      { address: BAD, problem: expect.stringContaining("gave no answer about the token") },
    ]);
  });

  it("knows the chain's own coin, by the zero address", async () => {
    expect(await check([GOOD, ZERO_ADDRESS], { kind: "silence" })).toEqual([
      { address: GOOD, decimals: 6, symbol: "USDX" },
      { address: ZERO_ADDRESS, decimals: 18, symbol: "ETH" },
    ]);
  });

  it("fails where the nodes answer about none, whatever else was asked for", async () => {
    const answer = { kind: "status", status: 503 } as const;
    await expect(check([BAD, ZERO_ADDRESS], answer)).rejects.toMatchObject({ isOfNodes: true });
    await expect(check([BAD, "0x1"], answer)).rejects.toMatchObject({ isOfNodes: true });
  });
});
