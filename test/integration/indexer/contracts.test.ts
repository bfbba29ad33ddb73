import { randomUUID } from "node:crypto";
import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SaleDefinition, SaleStage, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import {
  type ChainSaleOptions,
  contractUuid,
  directRows,
  openChainSale,
  storedRows,
  untilReadTo,
} from "../../support/chains/chain-sale.ts";
import {
  auctionCalls,
  deployAuctionSale,
  deployManyPerEntitySale,
  deploySilentSale,
  deployUnreliableSale,
  deployVersionedSale,
  manyPerEntityCalls,
  readDirect,
  silentCalls,
  TOKENS,
  unreliableCalls,
  version2Calls,
} from "../../support/chains/sale-contract.ts";
import { type ContractCall, TestChain } from "../../support/chains/test-chain.ts";
import { bidOf, entityOf, pair, rowOf, walletOf } from "../../support/databases/sale-rows.ts";
import type { CommitmentsProcess } from "../../support/processes/commitments-process.ts";
import {
  anvilChain,
  type IndexerProcess,
  startIndexedCommitments,
  startIndexerProcess,
} from "../../support/processes/indexer-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { until } from "../../support/repository/polling.ts";

describe.skipIf(findAnvil() === undefined)("contracts of several kinds (anvil)", () => {
  const stack = new AsyncDisposableStack();
  let anvil: Anvil;
  let chain: TestChain;
  let service: CommitmentsProcess;
  let indexer: IndexerProcess;
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
    indexer = await startIndexerProcess(service.url, {
      local: anvilChain(anvil.url, anvil.chainId),
      "often-swept": anvilChain(anvil.url, anvil.chainId, { sweepInterval: "1s" }),
    });
    stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
  });
  afterAll(() => stack.disposeAsync());

  async function open(
    deployed: Address,
    uuid: string = randomUUID(),
    chainName = "local",
    options: ChainSaleOptions = {},
  ): Promise<void> {
    contract = deployed;
    saleUuid = await openChainSale(service, contract, uuid, chainName, options);
  }

  async function mined(...calls: readonly ContractCall[]): Promise<void> {
    for (const call of calls) await chain.send(call);
    await chain.mine();
  }

  /** Waits until the head was read, and expects the store to have the contract's state there. */
  async function expectUpToDate(): Promise<void> {
    const height = await chain.client.getBlockNumber({ cacheTime: 0 });
    await untilReadTo(service, saleUuid, height);
    expect(await storedRows(service, saleUuid)).toEqual(directRows(await readDirect(chain.client, contract, height)));
  }

  async function changed(...calls: readonly ContractCall[]): Promise<void> {
    await mined(...calls);
    await expectUpToDate();
  }

  async function figures() {
    const { data } = await service.commitments.getCommitmentData({ saleUuid });
    return { total: data?.totalAmount, count: data?.commitmentCount };
  }

  async function sale() {
    const answer = await service.sales.getSale({ saleUuid });
    if (answer.sale === undefined) throw new Error("the answer has no sale");
    return answer.sale;
  }

  const sourceStatus = async () => (await sale()).sourceStatus;

  it("without logs or optional functions: rows come, change, move and go", async () => {
    await open(await deploySilentSale(chain));
    await expectUpToDate();
    expect(await figures()).toEqual({ total: "0", count: 0n });
    await changed(
      silentCalls.push(
        contract,
        [1, 2, 3, 4, 5].map((entity) => rowOf(entity)),
      ),
    );
    expect(await figures()).toEqual({ total: "5000", count: 5n });
    await changed(silentCalls.set(contract, 1n, rowOf(2, { price: 77n, amounts: [pair({ amount: 5n })] })));
    await changed(silentCalls.swap(contract, 0n, 4n));
    await changed(silentCalls.remove(contract, 2n));
    await changed(silentCalls.swap(contract, 1n, 2n), silentCalls.remove(contract, 0n));
    expect(await figures()).toEqual({ total: "2005", count: 3n });
    await changed(silentCalls.set(contract, 0n, rowOf(9)), silentCalls.push(contract, [rowOf(10)]));
    await changed(...Array.from({ length: 4 }, () => silentCalls.remove(contract, 0n)));
    expect(await figures()).toEqual({ total: "0", count: 0n });
    expect(await sale()).toMatchObject({ stage: SaleStage.UNSPECIFIED, sourceStatus: { fault: "", warning: "" } });
  });

  it("with several commitments of an entity", async () => {
    await open(await deployManyPerEntitySale(chain));
    const bid = (entity: number, price: bigint) => manyPerEntityCalls.bid(contract, entityOf(entity), price, pair());
    await changed(bid(1, 10n), bid(2, 20n), bid(1, 30n));
    await changed(manyPerEntityCalls.increase(contract, 2n, 500n));
    await changed(bid(1, 40n), manyPerEntityCalls.increase(contract, 0n, 7n));
    expect(await figures()).toEqual({ total: "4507", count: 4n });
    expect(await sourceStatus()).toMatchObject({ fault: "", warning: "" });
  });

  describe("that break the rules", () => {
    async function openUnreliable(chainName = "local"): Promise<void> {
      const uuid = randomUUID();
      await open(await deployUnreliableSale(chain, { saleUuid: contractUuid(uuid) }), uuid, chainName);
      await changed(auctionCalls.setStage(contract, 1), ...[1, 2, 3].map((n) => auctionCalls.bid(contract, bidOf(n))));
      await changed(auctionCalls.bid(contract, bidOf(2, { price: 12n })));
    }

    async function requestSweep(): Promise<void> {
      const { sweepRequests } = await service.commitments.requestSweep({ saleUuid });
      await mined();
      await until(async () => {
        const sweep = (await sourceStatus())?.sweep;
        return sweep !== undefined && !sweep.running && sweep.sweepRequests >= sweepRequests;
      });
    }

    it("a change without a log is found by a requested sweep", async () => {
      await openUnreliable();
      await mined(unreliableCalls.setPriceSilently(contract, entityOf(1), 77n));
      await mined(auctionCalls.bid(contract, bidOf(3, { price: 13n })));
      await requestSweep();
      await expectUpToDate();
    });

    it("a change without a log is found by the next sweep, and the logs are no longer trusted", async () => {
      await openUnreliable("often-swept");
      await mined(unreliableCalls.setPriceSilently(contract, entityOf(1), 77n));
      await until(async () => {
        await mined();
        return /changed without a log/.test((await sourceStatus())?.warning ?? "");
      });
      await expectUpToDate();
      await changed(unreliableCalls.setPriceSilently(contract, entityOf(2), 78n));
      await changed(auctionCalls.bid(contract, bidOf(3, { price: 13n })));
      expect(await sourceStatus()).toMatchObject({ fault: "" });
    });

    it("a log of unknown meaning causes a sweep", async () => {
      await openUnreliable();
      await changed(unreliableCalls.setPriceUnheard(contract, entityOf(1), 78n));
      await changed(unreliableCalls.setPriceUnheard(contract, entityOf(2), 79n));
      expect(await sourceStatus()).toMatchObject({ fault: "", warning: "" });
    });

    it("a total that isn't the sum is a fault, and after three blocks a warning", async () => {
      await openUnreliable();
      const before = await figures();
      await mined(unreliableCalls.setSurplus(contract, 9n), auctionCalls.bid(contract, bidOf(4)));
      await until(async () => /isn't the sum of its commitments: 9 too much/.test((await sourceStatus())?.fault ?? ""));
      expect(await figures()).toEqual(before);
      await until(async () => {
        await mined();
        return /isn't the sum of its commitments: 9 too much/.test((await sourceStatus())?.warning ?? "");
      });
      await expectUpToDate();
      expect(await figures()).toEqual({ total: "5000", count: 4n });
      expect((await sourceStatus())?.fault).toBe("");
      await changed(unreliableCalls.setSurplus(contract, 0n));
      await until(async () => (await sourceStatus())?.warning === "");
    });
  });

  describe("auctions", () => {
    async function openAuction(cancelledKeepsAmounts: boolean): Promise<void> {
      const uuid = randomUUID();
      const deployed = await deployAuctionSale(chain, { saleUuid: contractUuid(uuid), cancelledKeepsAmounts });
      await open(deployed, uuid, "local", { cancelledKeepsAmounts });
      const bids = Array.from({ length: 6 }, (_, entity) => {
        const second = pair({ token: TOKENS[1], wallet: walletOf(entity) });
        return bidOf(entity, { price: BigInt(10 + entity), added: [pair(), second] });
      });
      await changed(auctionCalls.setStage(contract, 1), auctionCalls.bidMany(contract, bids));
      expect(await figures()).toEqual({ total: "12000", count: 6n });
    }

    it("are followed through every stage and back", async () => {
      await openAuction(false);
      const stages = [SaleStage.PRE_OPEN, SaleStage.COMMITMENT, SaleStage.CANCELLATION];
      const later = [SaleStage.SETTLEMENT, SaleStage.DONE];
      const all = [...stages, ...later];
      for (const stage of [...all, ...all.toReversed()]) {
        await changed(auctionCalls.setStage(contract, all.indexOf(stage)));
        const status = stage === SaleStage.DONE ? SaleStatus.SETTLED : SaleStatus.OPEN;
        expect(await sale()).toMatchObject({ stage, status, sourceStatus: { fault: "" } });
      }
    });

    it("count, once settled, everything that wasn't cancelled", async () => {
      await openAuction(false);
      const reduction = pair({ amount: 400n });
      await changed(
        auctionCalls.setStage(contract, 2),
        auctionCalls.cancel(contract, entityOf(0)),
        auctionCalls.reduce(contract, entityOf(1), reduction),
      );
      expect(await figures()).toEqual({ total: "9600", count: 5n });
      await changed(auctionCalls.setStage(contract, 3), auctionCalls.settle(contract, 0n, 6n));
      await changed(auctionCalls.setStage(contract, 4));
      expect(await figures()).toEqual({ total: "9600", count: 5n });
      expect((await sale()).status).toBe(SaleStatus.SETTLED);
    });

    it("of the older kind never count what was cancelled, though its amounts stay", async () => {
      await openAuction(true);
      await changed(auctionCalls.setStage(contract, 2), auctionCalls.cancel(contract, entityOf(0)));
      expect(await figures()).toEqual({ total: "10000", count: 5n });
      await changed(auctionCalls.setStage(contract, 3));
      await mined(auctionCalls.setStage(contract, 4));
      await expectUpToDate();
      await mined(
        auctionCalls.setStage(contract, 3),
        auctionCalls.settle(contract, 1n, 6n),
        auctionCalls.setStage(contract, 4),
      );
      await expectUpToDate();
      expect(await figures()).toEqual({ total: "10000", count: 5n });
    });
  });

  describe("of the reference contract's versions", () => {
    const STAGES = {
      1: ["PRE_OPEN", "COMMITMENT", "CLOSED", "CANCELLATION", "SETTLEMENT", "DONE"],
      2: ["PRE_OPEN", "COMMITMENT", "CANCELLATION", "SETTLEMENT", "DONE"],
    } as const;

    async function openVersion(version: 1 | 2, cancelledKeepsAmounts: boolean): Promise<void> {
      const uuid = randomUUID();
      await open(await deployVersionedSale(chain, version, contractUuid(uuid)), uuid, "local", {
        cancelledKeepsAmounts,
      });
      const bids = Array.from({ length: 6 }, (_, entity) => bidOf(entity, { price: BigInt(10 + entity) }));
      await changed(auctionCalls.setStage(contract, 1), auctionCalls.bidMany(contract, bids));
      expect(await figures()).toEqual({ total: "6000", count: 6n });
    }

    const atStage = async (version: 1 | 2, name: string, ...calls: readonly ContractCall[]) => {
      const number = (STAGES[version] as readonly string[]).indexOf(name);
      await changed(auctionCalls.setStage(contract, number), ...calls);
    };

    it.each([1, 2] as const)("version %i is followed through every stage and back", async (version) => {
      await openVersion(version, version === 1);
      await atStage(version, "CANCELLATION", auctionCalls.cancel(contract, entityOf(0)));
      const reduction = auctionCalls.reduce(contract, entityOf(1), pair({ amount: 400n }));
      await changed(reduction);
      const remaining = { total: "4600", count: 5n };
      const stages = STAGES[version];
      // Version 1 here has no functions for what it accepts.
      const words = (name: string) =>
        version === 1 && (name === "SETTLEMENT" || name === "DONE")
          ? /^the contract doesn't offer its allocations/
          : /^$/;
      for (const name of [...stages, ...stages.toReversed()]) {
        await atStage(version, name);
        const status = name === "DONE" ? SaleStatus.SETTLED : SaleStatus.OPEN;
        expect(await sale()).toMatchObject({ stage: SaleStage[name], status, sourceStatus: { fault: "" } });
        await until(async () => words(name).test((await sourceStatus())?.warning ?? ""));
        expect(await figures()).toEqual(remaining);
      }
      await atStage(version, "DONE", auctionCalls.settle(contract, 0n, 3n));
      await changed(auctionCalls.settle(contract, 3n, 6n));
      expect(await figures()).toEqual(remaining);
      expect(await sale()).toMatchObject({ status: SaleStatus.SETTLED, sourceStatus: { fault: "" } });
      await until(async () => words("DONE").test((await sourceStatus())?.warning ?? ""));
    });

    it("version 2 says what it accepts, from the settlement on, and takes it back with a re-organisation", async () => {
      await openVersion(2, false);
      const accepted = async () =>
        (await service.commitments.listAllocations({ saleUuid })).allocations.map((each) => each.accepted);
      const allocate = (entity: number, amount: bigint) =>
        version2Calls.allocate(contract, entityOf(entity), pair({ amount }));
      const read = async (...calls: readonly ContractCall[]) => {
        await mined(...calls);
        await untilReadTo(service, saleUuid, await chain.client.getBlockNumber({ cacheTime: 0 }));
      };
      await read(auctionCalls.setStage(contract, 2));
      const before = await chain.client.getBlockNumber({ cacheTime: 0 });
      await read(auctionCalls.setStage(contract, 3), allocate(1, 400n), allocate(2, 1_000n));
      expect(await accepted()).toEqual(["400", "1000"]);
      await read(allocate(1, 300n), allocate(2, 0n));
      expect(await accepted()).toEqual(["300"]);
      expect((await sale()).allocations).toMatchObject({ total: "300", differs: false });
      const depth = Number((await chain.client.getBlockNumber({ cacheTime: 0 })) - before);
      await chain.reorg(depth, [{ call: auctionCalls.reduce(contract, entityOf(3), pair({ amount: 1n })), block: 0 }]);
      await until(async () => (await sale()).allocations === undefined);
      expect(await accepted()).toEqual([]);
      await read(auctionCalls.setStage(contract, 3), allocate(4, 7n));
      await read(auctionCalls.setStage(contract, 4), auctionCalls.settle(contract, 0n, 6n));
      expect(await accepted()).toEqual(["7"]);
      const { wallet } = pair({});
      const position = await service.commitments.getPosition({ saleUuid, wallet });
      expect(position.allocations.find((each) => each.accepted === "7")).toMatchObject({ refunded: "993" });
    });

    it.each([
      [1, /version 1 keeps the amounts of cancelled commitments/],
      [2, /version 2 takes the amounts of cancelled commitments away/],
    ] as const)("version %i warns of a setting that doesn't fit, until it is corrected", async (version, words) => {
      await openVersion(version, version === 2);
      await until(async () => words.test((await sourceStatus())?.warning ?? ""));
      await correct((definition) => {
        definition.cancelledKeepsAmounts = version === 1;
      });
      await atStage(version, "CANCELLATION", auctionCalls.cancel(contract, entityOf(0)));
      await until(async () => (await sourceStatus())?.warning === "");
      await atStage(version, "DONE");
      await changed(auctionCalls.settle(contract, 0n, 6n));
      expect(await figures()).toEqual({ total: "5000", count: 5n });
    });

    it("without version(), the sale says whose stages it has; an unknown stage is a warning", async () => {
      const uuid = randomUUID();
      await open(await deployUnreliableSale(chain, { saleUuid: contractUuid(uuid) }), uuid);
      await changed(auctionCalls.setStage(contract, 3));
      expect((await sale()).stage).toBe(SaleStage.SETTLEMENT);
      await until(async () => /^the contract doesn't offer its/.test((await sourceStatus())?.warning ?? ""));
      await changed(auctionCalls.setStage(contract, 5));
      expect(await sale()).toMatchObject({ stage: SaleStage.SETTLEMENT, status: SaleStatus.OPEN });
      await until(async () => /stage\(\) of the contract is 5/.test((await sourceStatus())?.warning ?? ""));
      await correct((definition) => {
        if (definition.source.case === "evm") definition.source.value.contractVersion = 1;
      });
      await changed(auctionCalls.setStage(contract, 4));
      expect(await sale()).toMatchObject({ stage: SaleStage.SETTLEMENT, status: SaleStatus.OPEN });
      await changed(auctionCalls.setStage(contract, 5));
      expect(await sale()).toMatchObject({ stage: SaleStage.DONE, status: SaleStatus.SETTLED });
      await changed(auctionCalls.setStage(contract, 200), auctionCalls.setStage(contract, 1));
      await changed(auctionCalls.bid(contract, bidOf(1)));
      expect(await figures()).toEqual({ total: "1000", count: 1n });
      expect(await sale()).toMatchObject({ stage: SaleStage.COMMITMENT, status: SaleStatus.OPEN });
    });

    it("an unknown version is a warning, and the figures are followed", async () => {
      const uuid = randomUUID();
      // From its first block on, which may be the one that is read first: the stage that it has without a version would stay.
      const deployed = await deployUnreliableSale(chain, { saleUuid: contractUuid(uuid) }, (address) => [
        unreliableCalls.setVersion(address, 3),
      ]);
      await open(deployed, uuid);
      await changed(auctionCalls.setStage(contract, 1), auctionCalls.bid(contract, bidOf(1)));
      await changed(auctionCalls.bid(contract, bidOf(2)), auctionCalls.setStage(contract, 4));
      expect(await figures()).toEqual({ total: "2000", count: 2n });
      const found = await sale();
      expect(found).toMatchObject({ stage: SaleStage.UNSPECIFIED, status: SaleStatus.OPEN });
      expect(found.sourceStatus).toMatchObject({
        fault: "",
        warning: expect.stringContaining("version() of the contract is 3.7.9, whose stages aren't known"),
      });
      const check = await indexer.indexer.checkSource({ chain: "local", address: deployed });
      expect(check).toMatchObject({ readable: true, stage: 4, saleStage: SaleStage.UNSPECIFIED, contractVersion: 3 });
      expect(check.problems).toEqual([expect.stringContaining("3.7.9")]);
      const declared = await indexer.indexer.checkSource({ chain: "local", address: deployed, contractVersion: 1 });
      expect(declared).toMatchObject({ problems: [], saleStage: SaleStage.SETTLEMENT, cancelledKeepsAmounts: true });
    });

    it.each([
      [1, SaleStage.CLOSED, true],
      [2, SaleStage.CANCELLATION, false],
    ] as const)("CheckSource returns what version %i is", async (version, saleStage, cancelledKeepsAmounts) => {
      await openVersion(version, cancelledKeepsAmounts);
      await changed(auctionCalls.setStage(contract, 2));
      const check = await indexer.indexer.checkSource({ chain: "local", address: contract });
      const found = { stage: 2, saleStage, contractVersion: version, cancelledKeepsAmounts };
      expect(check).toMatchObject({ readable: true, problems: [], ...found });
    });

    async function correct(change: (definition: SaleDefinition) => void): Promise<void> {
      const { definition, definitionVersion } = await sale();
      if (definition === undefined) throw new Error("the sale has no definition");
      change(definition);
      await service.sales.updateSale({ saleUuid, definition, expectedDefinitionVersion: definitionVersion });
    }
  });
});
