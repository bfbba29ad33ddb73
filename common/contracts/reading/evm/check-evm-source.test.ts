import { describe, expect, it } from "vitest";
import { FakeEvmChain, OTHER_TOKEN, saleRow, saleRows, TOKEN } from "../../../../test/support/chains/evm-chain.ts";
import { CHAIN_ID, CONTRACT, EvmNode, type NodeBehaviour } from "../../../../test/support/chains/evm-node.ts";
import { evmChain } from "../../../../test/support/chains/evm-reader-fixture.ts";
import { encodeRows, SALE_UUID } from "../../../../test/support/chains/evm-sale-abi.ts";
import type { SourceCheck } from "../../chain-connection.ts";
import { connectEvmChain } from "../../connecting/evm/connect-evm-chain.ts";

const signal = new AbortController().signal;

async function check(address: string, behaviour: Partial<NodeBehaviour> = {}): Promise<SourceCheck> {
  const chain = new FakeEvmChain();
  chain.mine({ rows: saleRows(3), stage: 2 });
  await using node = await EvmNode.start(chain, behaviour);
  const connection = connectEvmChain(evmChain([node.url]));
  try {
    return await connection.check({ address }, signal);
  } finally {
    await connection.close();
  }
}

describe("the check of a source", () => {
  it("returns the contract's own figures", async () => {
    expect(await check(CONTRACT.toUpperCase().replace("0X", "0x"))).toEqual({
      readable: true,
      problems: [],
      commitmentCount: 3n,
      stageNumber: 2,
      stage: "cancellation",
      saleUuid: SALE_UUID,
      paymentTokens: [TOKEN, OTHER_TOKEN],
      height: 1n,
    });
  });

  it("asks for less if a chunk is too large, as the reader does", async () => {
    expect(await check(CONTRACT, { maxRows: 1 })).toMatchObject({ readable: true, problems: [], commitmentCount: 3n });
  });

  it("leaves out values that the contract has no function for", async () => {
    const absentFunctions = new Set(["stage", "saleUUID", "paymentTokens", "totalCommittedAmountByToken"]);
    const { stageNumber, saleUuid, ...summary } = await check(CONTRACT, { absentFunctions });
    expect(summary).toEqual({ readable: true, problems: [], commitmentCount: 3n, paymentTokens: [], height: 1n });
    expect([stageNumber, saleUuid]).toEqual([undefined, undefined]);
  });

  it.each<[string, string, Partial<NodeBehaviour>, string]>([
    ["no address", "0x12", {}, "40 hex digits"],
    ["an address without code", `0x${"7".repeat(40)}`, {}, "there is no contract at 0x7777"],
    [
      "a contract without the interface",
      CONTRACT,
      { absentFunctions: new Set(["numCommitments"]) },
      "ICommitmentDataReader",
    ],
    [
      "a contract without rows",
      CONTRACT,
      { absentFunctions: new Set(["readCommitmentDataIn"]) },
      "ICommitmentDataReader",
    ],
    [
      "a contract that answers nothing to everything",
      CONTRACT,
      { interfere: ({ method }) => (method === "eth_call" ? { kind: "result", result: "0x" } : undefined) },
      "does not answer like a sale contract (ICommitmentDataReader): check the address of the sale",
    ],
    [
      "more rows than are read",
      CONTRACT,
      {
        interfere: ({ functionName }) =>
          functionName === "numCommitments" ? { kind: "result", result: `0x${"f4241".padStart(64, "0")}` } : undefined,
      },
      "it has 1000001 commitments; no more than 1000000 are read on this chain: check the contract, or raise maxCommitments",
    ],
    [
      "a commitment that is listed twice",
      CONTRACT,
      {
        interfere: ({ functionName, rows = 0 }) =>
          functionName === "readCommitmentDataIn" && rows > 1
            ? { kind: "result", result: encodeRows([saleRow(1), saleRow(2), saleRow(1)]) }
            : undefined,
      },
      `the contract lists commitment 0x${saleRow(1).commitmentId} twice`,
    ],
    [
      "a row that can't be stored",
      CONTRACT,
      {
        interfere: ({ functionName, rows = 0 }) =>
          functionName === "readCommitmentDataIn" && rows > 1
            ? {
                kind: "result",
                result: encodeRows([saleRow(1), saleRow(2), saleRow(3, { createdAtSeconds: 2n ** 60n })]),
              }
            : undefined,
      },
      "has a time after the year 9999",
    ],
    [
      "rows that can't be read two at once nor alone",
      CONTRACT,
      {
        interfere: ({ functionName, params }) =>
          functionName === "readCommitmentDataIn" && JSON.stringify(params).includes("3".padStart(64, "0"))
            ? { kind: "error", code: -32603, message: "EVM error MemoryOOG" }
            : undefined,
      },
      "the row at index 2 can't be read, even alone",
    ],
    ["another chain", CONTRACT, { chainId: CHAIN_ID + 1 }, `chain ID is 31338, not ${CHAIN_ID}`],
    ["a wrong key", CONTRACT, { interfere: () => ({ kind: "status", status: 401 }) }, "valid key"],
  ])("names the problem of %s", async (_, address, behaviour, text) => {
    const { readable, problems } = await check(address, behaviour);
    expect(readable).toBe(false);
    expect(problems).toEqual([expect.stringContaining(text)]);
  });
});
