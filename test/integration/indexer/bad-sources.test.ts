import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { create } from "@bufbuild/protobuf";
import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PaymentTokenSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { Random } from "../../../services/demo/bidders/random.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { contractUuid, openChainSale, paymentToken, untilReadTo } from "../../support/chains/chain-sale.ts";
import { LyingProxy } from "../../support/chains/lying-proxy.ts";
import { auctionCalls, deployAuctionSale, TOKENS } from "../../support/chains/sale-contract.ts";
import { type ContractCall, TestChain } from "../../support/chains/test-chain.ts";
import { bidOf, pair } from "../../support/databases/sale-rows.ts";
import type { CommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import {
  anvilChain,
  type IndexerProcess,
  startIndexedCommitments,
  startIndexerProcess,
} from "../../support/processes/indexer-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { until } from "../../support/repository/polling.ts";

/** A secret in every URL of the indexer, which only the operator may see. */
const KEY = "k3y-0123456789abcdef";
/** Creation code of a contract whose every call reverts. */
const REVERTING = "0x6460006000fd6000526005601bf3";
const NO_CONTRACT = `0x${"0e".repeat(20)}`;

describe.skipIf(findAnvil() === undefined)("sources that can't be read (anvil)", () => {
  const stack = new AsyncDisposableStack();
  let anvil: Anvil;
  let chain: TestChain;
  let service: CommitmentsProcess;
  let indexer: IndexerProcess;
  let unreachablePort: number;
  /** Contracts by their problem. */
  const contracts: Record<string, Address | string> = { none: NO_CONTRACT };

  beforeAll(async () => {
    anvil = await startAnvil();
    stack.defer(() => anvil.stop());
    chain = await TestChain.connect(anvil);
    contracts["good"] = await deployAuctionSale(chain);
    contracts["reverting"] = await chain.deploy(REVERTING);
    const folder = await temporaryFolder();
    stack.defer(() => folder.remove());
    service = await startIndexedCommitments({ DATA_DIR: folder.path });
    stack.defer(async () => void (await service.process.kill("SIGTERM")));
    unreachablePort = await freePort();
    // anvil itself refuses paths.
    const node = stack.use(await LyingProxy.start({ target: anvil.url, random: new Random(1) }));
    indexer = await startIndexerProcess(service.url, {
      local: configured(node.url),
      "wrong-id": { ...configured(node.url), chainId: 5 },
      unreachable: configured(`http://127.0.0.1:${unreachablePort}`),
      unauthorised: configured(await startRefusingServer()),
    });
    stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
  });
  afterAll(() => stack.disposeAsync());

  /** URLs with the key in every part that can have one. */
  function configured(url: string) {
    const { host } = new URL(url);
    return anvilChain(`http://${KEY}:${KEY}@${host}/v2/${KEY}?apikey=${KEY}`, anvil.chainId);
  }

  async function startRefusingServer(): Promise<string> {
    const server = createServer((_, response) => response.writeHead(401).end(`bad key ${KEY}`));
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    stack.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const statusOf = async (saleUuid: string) => (await service.sales.getSale({ saleUuid })).sale?.sourceStatus;

  /** Waits until the sale's fault has this text. No fault may contain the secret. */
  async function expectFault(saleUuid: string, words: RegExp): Promise<void> {
    await until(async () => {
      const fault = (await statusOf(saleUuid))?.fault ?? "";
      expect(fault).not.toContain(KEY);
      expect(fault).not.toContain("/v2");
      return words.test(fault);
    });
  }

  async function expectNothingShown(saleUuid: string): Promise<void> {
    await expect(service.commitments.getCommitmentData({ saleUuid })).rejects.toThrow(/hasn't been read whole yet/);
  }

  async function expectHealed(saleUuid: string): Promise<void> {
    await untilReadTo(service, saleUuid, await chain.client.getBlockNumber({ cacheTime: 0 }));
    await until(async () => (await statusOf(saleUuid))?.fault === "");
  }

  const SOURCES: readonly [string, string, string, RegExp][] = [
    ["a wrong chain ID", "wrong-id", "good", /chain ID is 31337, not 5: set the URL of a node of the right chain/],
    ["an address without code", "local", "none", /no contract at 0x0e.* check the address and the chain of the sale/],
    ["another kind of contract", "local", "reverting", /is not a sale contract .*: check the address of the sale/],
    ["an unreachable URL", "unreachable", "good", /127\.0\.0\.1:\d+: it can't be reached/],
    ["an unauthorised URL", "unauthorised", "good", /HTTP status 401: set a URL with a valid key/],
  ];

  it.each(SOURCES)("%s is the sale's fault, and reported by CheckSource", async (_, chainName, which, words) => {
    const address = contracts[which] ?? "";
    const saleUuid = await openChainSale(service, address, randomUUID(), chainName);
    await expectFault(saleUuid, words);
    await expectNothingShown(saleUuid);
    const { readable, problems } = await indexer.indexer.checkSource({ chain: chainName, address });
    expect(readable).toBe(false);
    expect(problems).toEqual([expect.stringMatching(words)]);
    expect(problems.join()).not.toContain(KEY);
  });

  it("an unknown chain is the sale's fault, and not found by CheckSource", async () => {
    const address = contracts["good"] ?? "";
    const words = /chain nowhere isn't configured; configured are local, wrong-id, unreachable, unauthorised/;
    await expectFault(await openChainSale(service, address, randomUUID(), "nowhere"), words);
    const checked = indexer.indexer.checkSource({ chain: "nowhere", address });
    await expect(checked).rejects.toThrow(/\[not_found\] chain nowhere isn't configured; there are: local, wrong-id/);
  });

  it("a malformed address is reported by CheckSource", async () => {
    const { problems } = await indexer.indexer.checkSource({ chain: "local", address: "sale" });
    expect(problems).toEqual(["the address must be 0x and 40 hex digits"]);
  });

  it("a contract of another sale is the sale's fault; CheckSource returns that sale", async () => {
    const uuid = randomUUID();
    const address = await deployAuctionSale(chain, { saleUuid: contractUuid(uuid) });
    const words = /saleUUID\(\) of the contract is 0x.*, not that of this sale: set the contract of the right sale/;
    const saleUuid = await openChainSale(service, address);
    await expectFault(saleUuid, words);
    await expectNothingShown(saleUuid);
    const checked = await indexer.indexer.checkSource({ chain: "local", address });
    expect(checked).toMatchObject({ readable: true, problems: [], saleUuid: uuid });
  });

  it("a token that the sale doesn't have is its fault until it is added; CheckSource returns the tokens", async () => {
    const uuid = randomUUID();
    const address = await deployAuctionSale(chain, { saleUuid: contractUuid(uuid) });
    await chain.send(auctionCalls.setStage(address, 1));
    await chain.send(auctionCalls.bid(address, bidOf(1, { added: [pair(), pair({ token: TOKENS[1] })] })));
    await chain.mine();
    await openChainSale(service, address, uuid, "local", { tokens: [TOKENS[0]] });
    await expectFault(uuid, new RegExp(`in token ${TOKENS[1]}: add it to the payment tokens of the sale`));
    const { paymentTokens } = await indexer.indexer.checkSource({ chain: "local", address });
    expect(paymentTokens).toEqual(TOKENS);

    const { sale } = await service.sales.getSale({ saleUuid: uuid });
    if (sale?.definition === undefined) throw new Error("a sale has a definition");
    const { definition, definitionVersion } = sale;
    definition.paymentTokens.push(create(PaymentTokenSchema, paymentToken(TOKENS[1])));
    const expectedDefinitionVersion = definitionVersion;
    const overrideConfirmName = definition.name;
    await service.sales.updateSale({ saleUuid: uuid, definition, expectedDefinitionVersion, overrideConfirmName });
    await expectHealed(uuid);
    const { data } = await service.commitments.getCommitmentData({ saleUuid: uuid });
    expect(data).toMatchObject({ totalAmount: "2000", commitmentCount: 1n });
  });

  it("a zero in a token that the sale doesn't have is ignored; an amount in it stays the sale's fault", async () => {
    const uuid = randomUUID();
    const address = await deployAuctionSale(chain, { saleUuid: contractUuid(uuid) });
    const mine = async (...calls: readonly ContractCall[]) => {
      for (const call of calls) await chain.send(call);
      await chain.mine();
    };
    const bid = (entity: number, amount: bigint) =>
      auctionCalls.bid(address, bidOf(entity, { added: [pair(), pair({ token: TOKENS[1], amount })] }));
    await mine(auctionCalls.setStage(address, 1), bid(1, 0n));
    await openChainSale(service, address, uuid, "local", { tokens: [TOKENS[0]] });
    await expectHealed(uuid);
    await mine(bid(2, 0n));
    await expectHealed(uuid);
    const data = async () => (await service.commitments.getCommitmentData({ saleUuid: uuid })).data;
    const shown = await data();
    expect(shown).toMatchObject({ totalAmount: "2000", commitmentCount: 2n });
    expect(shown?.commitments.flatMap(({ amounts }) => amounts.map(({ token }) => token))).toEqual([
      TOKENS[0],
      TOKENS[0],
    ]);
    await mine(bid(2, 1n));
    await expectFault(uuid, new RegExp(`in token ${TOKENS[1]}: add it to the payment tokens of the sale`));
    expect(await data()).toEqual(shown);
  });

  it("a node that starts ends the fault", async () => {
    const uuid = randomUUID();
    const address = await deployAuctionSale(chain, { saleUuid: contractUuid(uuid) });
    await openChainSale(service, address, uuid, "unreachable");
    await expectFault(uuid, /it can't be reached/);
    await using _node = await LyingProxy.start({
      target: anvil.url,
      random: new Random(1),
      port: unreachablePort,
    });
    await expectHealed(uuid);
  });
});
