import { randomUUID } from "node:crypto";
import { type Address, encodeDeployData, type Hex, toFunctionSelector, toFunctionSignature } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { contractUuid, openChainSale, untilReadTo } from "../../support/chains/chain-sale.ts";
import { compileSolidity } from "../../support/chains/compile-solidity.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import type { CommitmentsProcess } from "../../support/processes/commitments-process.ts";
import {
  anvilChain,
  type IndexerProcess,
  startIndexedCommitments,
  startIndexerProcess,
} from "../../support/processes/indexer-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { codeBlocks } from "../../support/repository/markdown.ts";
import { until } from "../../support/repository/polling.ts";
import { readRepository } from "../../support/repository/repository.ts";

/** A token that lets everybody pay. */
const FREE_TOKEN = `
// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;
contract FreeToken {
    uint8 public constant decimals = 6;
    string public constant symbol = "FREE";
    function transfer(address, uint256) external pure returns (bool) { return true; }
    function transferFrom(address, address, uint256) external pure returns (bool) { return true; }
}`;

const document = readRepository("docs/contracts.md");
const documented = codeBlocks(document, "solidity").find(({ code }) => code.includes("contract SmallSale"))?.code ?? "";
const entityOf = (number: number): Hex => `0x${number.toString(16).padStart(32, "0")}`;

it("has the selectors of the functions in docs/contracts.md", () => {
  const rows = [...document.matchAll(/^\| `(\w+\(.*?\)) view returns .*?` +\| `(0x[0-9a-f]{8})`/gm)];
  expect(rows).toHaveLength(12);
  for (const [, signature = "", selector] of rows) {
    expect(toFunctionSelector(toFunctionSignature(`function ${signature}`)), signature).toBe(selector);
  }
});

describe.skipIf(findAnvil() === undefined)("the contract in docs/contracts.md (anvil)", () => {
  const stack = new AsyncDisposableStack();
  let anvil: Anvil;
  let chain: TestChain;
  let service: CommitmentsProcess;
  let indexer: IndexerProcess;
  let token: Address;
  let contract: Address;
  const sale = compileSolidity("SmallSale", documented);
  const saleUuid = randomUUID();

  beforeAll(async () => {
    anvil = await startAnvil();
    stack.defer(() => anvil.stop());
    chain = await TestChain.connect(anvil);
    const folder = await temporaryFolder();
    stack.defer(() => folder.remove());
    service = await startIndexedCommitments({ DATA_DIR: folder.path });
    stack.defer(async () => void (await service.process.kill("SIGTERM")));
    indexer = await startIndexerProcess(service.url, { local: anvilChain(anvil.url, anvil.chainId) });
    stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
    token = await chain.deploy(compileSolidity("FreeToken", FREE_TOKEN).bytecode);
    contract = await chain.deploy(encodeDeployData({ ...sale, args: [contractUuid(saleUuid), token] }));
  });
  afterAll(() => stack.disposeAsync());

  async function mined(...calls: readonly (readonly [functionName: string, ...args: unknown[]])[]): Promise<void> {
    for (const [functionName, ...args] of calls)
      await chain.send({ address: contract, abi: sale.abi, functionName, args });
    await chain.mine();
    await untilReadTo(service, saleUuid, await chain.client.getBlockNumber({ cacheTime: 0 }));
  }

  async function figures() {
    const { data } = await service.commitments.getCommitmentData({ saleUuid });
    const commitments = data?.commitments.map(({ amounts: [amount] }) => amount?.amount);
    return { total: data?.totalAmount, count: data?.commitmentCount, commitments };
  }

  it("is readable, and says what it is", async () => {
    const check = await indexer.indexer.checkSource({ chain: "local", address: contract });
    expect(check).toMatchObject({ readable: true, saleUuid, problems: [] });
    expect(check.paymentTokens.map((address) => address.toLowerCase())).toEqual([token.toLowerCase()]);
  });

  it("shows its commitments, cancellations and end", async () => {
    await openChainSale(service, contract, saleUuid, "local", { tokens: [token] });
    await mined(["setStage", 1], ["commit", entityOf(1), 5_000_000n], ["commit", entityOf(2), 2_000_000n]);
    expect(await figures()).toMatchObject({ total: "7000000", count: 2n });
    await mined(["commit", entityOf(1), 1_000_000n]);
    expect(await figures()).toEqual({ total: "8000000", count: 2n, commitments: ["6000000", "2000000"] });
    await mined(["setStage", 2], ["cancel", entityOf(1)]);
    expect(await figures()).toEqual({ total: "2000000", count: 1n, commitments: ["2000000"] });
    await mined(["setStage", 4]);
    const isSettled = async () => (await service.sales.getSale({ saleUuid })).sale?.status === SaleStatus.SETTLED;
    await until(isSettled);
    expect(await figures()).toEqual({ total: "2000000", count: 1n, commitments: ["2000000"] });
    // The indexer reports a moment after it has applied what it read.
    const status = async () => (await service.sales.getSale({ saleUuid })).sale?.sourceStatus;
    await until(async () => /^the contract doesn't offer its allocations/.test((await status())?.warning ?? ""));
    expect((await status())?.fault).toBe("");
  });
});
