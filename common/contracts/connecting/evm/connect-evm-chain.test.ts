import { describe, expect, it } from "vitest";
import { FakeEvmChain } from "../../../../test/support/chains/evm-chain.ts";
import { CHAIN_ID, CONTRACT, EvmNode, type NodeBehaviour } from "../../../../test/support/chains/evm-node.ts";
import { evmChain } from "../../../../test/support/chains/evm-reader-fixture.ts";
import type { SignerCheck, SignerTarget } from "../../chain-connection.ts";
import { connectEvmChain } from "./connect-evm-chain.ts";

const signal = new AbortController().signal;
const SIGNER = `0x${"c0ffee".repeat(6)}abcd`;
const OTHER = `0x${"0b".repeat(20)}`;
const ONE_WORD = `0x${"1".padStart(64, "0")}`;

/** @param permitSigner undefined for a contract without roles */
async function check(
  target: Partial<SignerTarget>,
  behaviour: Partial<NodeBehaviour> = {},
  permitSigner: string | undefined = SIGNER,
): Promise<SignerCheck> {
  const chain = new FakeEvmChain();
  chain.mine(permitSigner === undefined ? {} : { permitSigner });
  await using node = await EvmNode.start(chain, behaviour);
  const connection = connectEvmChain(evmChain([node.url]));
  try {
    return await connection.checkSigner({ address: CONTRACT, signer: SIGNER, ...target }, signal);
  } finally {
    await connection.close();
  }
}

const answering = (result: unknown): Partial<NodeBehaviour> => ({
  interfere: ({ functionName }) => (functionName === undefined ? undefined : { kind: "result", result }),
});

describe("the check of a permit signer on EVM", () => {
  it("says what hasRole() says, whatever the case of the addresses", async () => {
    expect(await check({})).toEqual({ accepted: true });
    expect(await check({ signer: SIGNER.toUpperCase().replace("0X", "0x") })).toEqual({ accepted: true });
    expect(await check({ signer: OTHER })).toEqual({ accepted: false });
    expect(await check({}, { byNumberOnly: true })).toEqual({ accepted: true });
  });

  it("sees a role that was granted in the newest block, which has no confirmations yet", async () => {
    const chain = new FakeEvmChain();
    chain.mine({ permitSigner: OTHER });
    await using node = await EvmNode.start(chain);
    const connection = connectEvmChain({ ...evmChain([node.url]), confirmations: 2, pollIntervalMs: 60_000 });
    const target = { address: CONTRACT, signer: SIGNER };
    expect(await connection.checkSigner(target, signal)).toEqual({ accepted: false });
    chain.mine({ permitSigner: SIGNER });
    expect(await connection.checkSigner(target, signal)).toEqual({ accepted: true });
    await connection.close();
  });

  it.each<[string, Partial<SignerTarget>, Partial<NodeBehaviour>, string]>([
    [
      "a contract's address that is none",
      { address: "0x12" },
      {},
      "the contract's address must be 0x and 40 hex digits",
    ],
    ["a signer that is no address", { signer: `${SIGNER}0` }, {}, "the signer must be 0x and 40 hex digits"],
    ["an address without code", { address: OTHER }, {}, `there is no contract at ${OTHER} on this chain`],
    [
      "a contract without roles",
      {},
      { absentFunctions: new Set(["hasRole"]) },
      "doesn't answer hasRole(bytes32,address)",
    ],
    ["a contract that answers nothing", {}, answering("0x"), "doesn't answer hasRole(bytes32,address)"],
    ["an answer that is no truth value", {}, answering(ONE_WORD.replace(/1$/, "2")), "doesn't answer hasRole"],
    ["an answer of two words", {}, answering(`${ONE_WORD}${ONE_WORD.slice(2)}`), "doesn't answer hasRole"],
  ])("has no answer but a problem for %s", async (_, target, behaviour, text) => {
    expect(await check(target, behaviour)).toEqual({ problem: expect.stringContaining(text) });
  });

  it.each<[string, Partial<NodeBehaviour>, string]>([
    ["another chain", { chainId: CHAIN_ID + 1 }, `not ${CHAIN_ID}`],
    ["a wrong key", { interfere: () => ({ kind: "status", status: 401 }) }, "valid key"],
    [
      "a node that fails after the contract's silence",
      { interfere: ({ method }) => (method === "eth_getCode" ? { kind: "status", status: 500 } : undefined) },
      "500",
    ],
  ])("fails with the nodes' fault for %s", async (_, behaviour, text) => {
    const absentFunctions = new Set(["hasRole"]);
    await expect(check({}, { absentFunctions, ...behaviour })).rejects.toThrow(text);
  });
});
