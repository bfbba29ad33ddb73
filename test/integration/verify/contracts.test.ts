import { randomUUID } from "node:crypto";
import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliClients } from "../../../services/cli/cli.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { type ChainSaleOptions, contractUuid, openChainSale, untilReadTo } from "../../support/chains/chain-sale.ts";
import {
  auctionCalls,
  deployManyPerEntitySale,
  deploySilentSale,
  deployVersionedSale,
  manyPerEntityCalls,
  silentCalls,
} from "../../support/chains/sale-contract.ts";
import { type ContractCall, TestChain } from "../../support/chains/test-chain.ts";
import { bidOf, entityOf, pair, rowOf } from "../../support/databases/sale-rows.ts";
import { runCliWith } from "../../support/processes/cli.ts";
import type { CommitmentsClients } from "../../support/processes/commitments-fixture.ts";
import type { CommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { anvilChain, startIndexedCommitments, startIndexerProcess } from "../../support/processes/indexer-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { until } from "../../support/repository/polling.ts";
import { seeded, tamperedClients } from "../../support/sales/tampering.ts";

describe.skipIf(findAnvil() === undefined)("verify, with contracts of several kinds (anvil)", () => {
  const stack = new AsyncDisposableStack();
  let anvil: Anvil;
  let chain: TestChain;
  let service: CommitmentsProcess;
  let contract: Address;
  let saleUuid: string;

  beforeAll(async () => {
    anvil = await startAnvil();
    stack.defer(() => anvil.stop());
    chain = await TestChain.connect(anvil);
    const folder = await temporaryFolder();
    stack.defer(() => folder.remove());
    service = await startIndexedCommitments({ DATA_DIR: folder.path });
    stack.defer(async () => void (await service.process.kill("SIGTERM")));
    const indexer = await startIndexerProcess(service.url, { local: anvilChain(anvil.url, anvil.chainId) });
    stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
  });
  afterAll(() => stack.disposeAsync());

  async function open(deployed: Address, uuid: string, options: ChainSaleOptions = {}): Promise<void> {
    contract = deployed;
    saleUuid = await openChainSale(service, contract, uuid, "local", options);
  }

  /** Mines calls, and waits until they were read, and until the indexer has said which chain it reads. */
  async function changed(...calls: readonly ContractCall[]): Promise<void> {
    for (const call of calls) await chain.send(call);
    await chain.mine();
    await untilReadTo(service, saleUuid, await chain.client.getBlockNumber({ cacheTime: 0 }));
    await until(async () => (await service.commitments.getCommitmentData({ saleUuid })).feedState?.chain !== undefined);
  }

  const verify = (clients: CommitmentsClients = service, ...args: string[]) =>
    runCliWith(clients as CliClients, ["verify", saleUuid, "--rpc", anvil.url, "--contract", contract, ...args]);

  async function expectSame(...lines: readonly RegExp[]): Promise<void> {
    const { code, output, errors } = await verify();
    expect({ code, errors }, output).toEqual({ code: 0, errors: "" });
    for (const line of lines) expect(output).toMatch(line);
    const { code: found } = await verify(tamperedClients(service, "priceTicks", seeded(3)));
    expect(found).toBe(1);
  }

  it.each([
    [1, 3, 5],
    [2, 2, 4],
  ] as const)("of version %i: bids, a cancellation, and the end", async (version, cancellation, done) => {
    const uuid = randomUUID();
    const deployed = await deployVersionedSale(chain, version, contractUuid(uuid));
    await open(deployed, uuid, { cancelledKeepsAmounts: version === 1 });
    const bids = [1, 2, 3, 4].map((n) => auctionCalls.bid(contract, bidOf(n, { price: BigInt(n) })));
    await changed(auctionCalls.setStage(contract, 1), ...bids);
    await expectSame(/^stage +same +commitment$/m, /^count +same +4 /m);
    await changed(auctionCalls.setStage(contract, cancellation), auctionCalls.cancel(contract, entityOf(2)));
    await expectSame(/^stage +same +cancellation$/m, /^count +same +3 /m);
    await changed(auctionCalls.setStage(contract, done), auctionCalls.settle(contract, 0n, 4n));
    const isSettled = /^status +same +settled$/m;
    await until(async () => isSettled.test((await verify()).output));
    await expectSame(isSettled, /^count +same +3 /m);
    const { output } = await verify();
    expect(output.includes("whether they were cancelled before the end")).toBe(version === 1);
  });

  it("without logs or optional functions", async () => {
    await open(await deploySilentSale(chain), randomUUID());
    const rows = [1, 2, 3].map((entity) => rowOf(entity));
    await changed(silentCalls.push(contract, rows));
    await expectSame(/^stage +not compared/m, /^sale UUID +not compared/m, /^payment tokens +not compared/m);
    await changed(silentCalls.remove(contract, 0n));
    await expectSame(/^commitments +same +2 of the contract and 2 shown/m);
  });

  it("with several commitments of an entity", async () => {
    await open(await deployManyPerEntitySale(chain), randomUUID());
    const bid = (price: bigint) => manyPerEntityCalls.bid(contract, entityOf(1), price, pair());
    await changed(bid(10n), bid(20n), bid(30n));
    await expectSame(/^count +same +3 /m);
  });

  it("says what a contract is that the caller knows otherwise", async () => {
    const other = `0x${"7".repeat(40)}`;
    const { code, output } = await runCliWith(service as unknown as CliClients, [
      ...["verify", saleUuid, "--rpc", anvil.url, "--contract", other],
    ]);
    expect(code).toBe(1);
    expect(output).toContain(`  Tidemark: ${contract.toLowerCase()}\n  expected: ${other}`);
  });
});
