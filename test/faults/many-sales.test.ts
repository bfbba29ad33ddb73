import { randomUUID } from "node:crypto";
import type { Address } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { startAnvil } from "../support/chains/anvil.ts";
import { contractUuid, openChainSale } from "../support/chains/chain-sale.ts";
import { auctionCalls, deployAuctionSale } from "../support/chains/sale-contract.ts";
import { openSvmSale, svmChainSetting } from "../support/chains/svm-chain-sale.ts";
import { SvmNode } from "../support/chains/svm-node.ts";
import { svmEntity, svmEntityId } from "../support/chains/svm-reader-fixture.ts";
import { TestChain } from "../support/chains/test-chain.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { bidOf } from "../support/databases/sale-rows.ts";
import type { CommitmentsProcess } from "../support/processes/commitments-process.ts";
import { InFlightProxy } from "../support/processes/in-flight-proxy.ts";
import {
  anvilChain,
  type IndexerProcess,
  startIndexedCommitments,
  startIndexerProcess,
} from "../support/processes/indexer-process.ts";
import { findProgram } from "../support/processes/program.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { until } from "../support/repository/polling.ts";

const isLong = process.env["TEST_LONG"] === "1";
const EVM_SALES = isLong ? 300 : 30;
const SVM_CHAINS = isLong ? 10 : 2;
const EVM_CHAINS = ["first", "second", "third"] as const;
/** Concurrent requests of one process to one URL. */
const MAX_CONCURRENCY = 2;
const PROCESSES = 2;
/** A lease is renewed three times within its duration. */
const SETTINGS = { LEASE_DURATION: isLong ? "10s" : "6s", SALES_INTERVAL: "200ms" };
/** Page size with which one call lists all sales. */
const PAGE_SIZE = 500;

interface OpenedSale {
  readonly uuid: string;
  /** Returns the number of commitments that the source has now. */
  readonly count: () => number;
}

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

describe.skipIf(findAnvil() === undefined)("many sales over several chains (anvil)", () => {
  it("have one reader each, which limits its requests to the nodes, and get another one when it dies", async () => {
    const service = await startService();
    const { chain, proxies, chains } = await startChains();
    const nodes = await Promise.all(Array.from({ length: SVM_CHAINS }, startNode));
    const solana = Object.fromEntries(nodes.map((node, index) => [`solana-${index}`, svmChainSetting([node])]));
    const start = async () => {
      const indexer = await startIndexerProcess(service.url, { ...chains, ...solana }, SETTINGS);
      stack.defer(async () => void (await indexer.process.kill()));
      return indexer;
    };
    const indexers = [await start(), await start()] as const;
    const contracts = Array.from({ length: EVM_SALES }, (_, index) => new GrowingContract(chain, 1 + (index % 7)));
    const sales = [...(await openEvmSales(service, contracts)), ...(await openSvmSales(service, nodes))];

    const grow = async () => {
      for (const contract of contracts) await contract.grow();
      for (const [index, node] of nodes.entries()) bid(node, index + 1);
      await chain.mine();
    };
    await grow();
    await untilShown(service, sales);
    await grow();
    await untilShown(service, sales);
    expectOneReaderEach(indexers, sales);

    const [victim, survivor] = indexers.toSorted((left, right) => epochsOf(right).size - epochsOf(left).size);
    if (victim === undefined || survivor === undefined) throw new Error("two indexers run");
    const taken = epochsOf(victim);
    await victim.process.kill("SIGKILL");
    await grow();
    await untilShown(service, sales);
    expectOneReaderEach(indexers, sales);
    for (const [uuid, epoch] of taken) expect(epochsOf(survivor).get(uuid)).toBeGreaterThan(epoch);
    for (const proxy of proxies) expect(proxy.mostAtOnce()).toBeLessThanOrEqual(MAX_CONCURRENCY * PROCESSES);
    // A fault that a slow machine has caused ends with the next read.
    await expect.poll(() => faults(service)).toEqual([]);
  });
});

/** Starts a commitments service on MariaDB if that is installed, else on SQLite. */
async function startService(): Promise<CommitmentsProcess> {
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const mariaDb = findProgram("mariadbd") === undefined ? undefined : await startMariaDb();
  if (mariaDb !== undefined) stack.defer(() => mariaDb.stop());
  const url = await mariaDb?.createDatabase("many_sales");
  const service = await startIndexedCommitments(url === undefined ? { DATA_DIR: folder.path } : { MYSQL_URL: url });
  stack.defer(async () => void (await service.process.kill()));
  return service;
}

/** Starts one chain under several names, each with its own proxy that counts requests. */
async function startChains() {
  const anvil = stack.adopt(await startAnvil(), (started) => started.stop());
  const chain = await TestChain.connect(anvil);
  const proxies = await Promise.all(EVM_CHAINS.map(() => InFlightProxy.start(anvil.url)));
  for (const proxy of proxies) stack.use(proxy);
  const setting = ({ url }: InFlightProxy) =>
    anvilChain(url, anvil.chainId, { pollInterval: "200ms", maxConcurrency: MAX_CONCURRENCY });
  const chains = Object.fromEntries(proxies.map((proxy, index) => [EVM_CHAINS[index], setting(proxy)]));
  return { chain, proxies, chains };
}

async function startNode(): Promise<SvmNode> {
  const node = stack.adopt(await SvmNode.start(randomUUID()), (started) => started.stop());
  node.beforeAnswer = (_, params) => void node.reach(params);
  return node;
}

function bid(node: SvmNode, entities: number): void {
  node.advance((state) => {
    for (let each = 0; each < entities; each += 1) state.entities.set(svmEntityId(state.entities.size), svmEntity());
  });
}

/** A sale contract that gets a number of new entities each time. */
class GrowingContract {
  readonly uuid = randomUUID();
  readonly #chain: TestChain;
  readonly #step: number;
  #address: Address = "0x";
  #entities = 0;

  constructor(chain: TestChain, step: number) {
    this.#chain = chain;
    this.#step = step;
  }

  get address(): Address {
    return this.#address;
  }

  get entities(): number {
    return this.#entities;
  }

  async deploy(): Promise<void> {
    this.#address = await deployAuctionSale(this.#chain, { saleUuid: contractUuid(this.uuid) });
    await this.#chain.send(auctionCalls.setStage(this.#address, 1));
  }

  /** Sends bids of new entities, which aren't mined yet. */
  async grow(): Promise<void> {
    const bids = Array.from({ length: this.#step }, (_, index) => bidOf(this.#entities + index));
    await this.#chain.send(auctionCalls.bidMany(this.#address, bids));
    this.#entities += bids.length;
  }
}

async function openEvmSales(
  service: CommitmentsProcess,
  contracts: readonly GrowingContract[],
): Promise<readonly OpenedSale[]> {
  const sales: OpenedSale[] = [];
  for (const [index, contract] of contracts.entries()) {
    await contract.deploy();
    await openChainSale(service, contract.address, contract.uuid, EVM_CHAINS[index % EVM_CHAINS.length]);
    sales.push({ uuid: contract.uuid, count: () => contract.entities });
  }
  return sales;
}

function openSvmSales(service: CommitmentsProcess, nodes: readonly SvmNode[]): Promise<OpenedSale[]> {
  const opened = nodes.map(async (node, index) => {
    const uuid = await openSvmSale(service, node, { chain: `solana-${index}` });
    return { uuid, count: () => node.state.entities.size };
  });
  return Promise.all(opened);
}

/** Waits until every sale has all commitments of its source. */
async function untilShown(service: CommitmentsProcess, sales: readonly OpenedSale[]): Promise<void> {
  for (const { uuid, count } of sales) {
    await until(async () => {
      const { data } = await service.commitments
        .getCommitmentData({ saleUuid: uuid })
        .catch(() => ({ data: undefined }));
      return data?.commitmentCount === BigInt(count());
    });
  }
}

interface Lease {
  readonly uuid: string;
  readonly epoch: number;
}

/** Returns the leases under which an indexer has started to read, in order. */
function leasesOf({ process: indexer }: IndexerProcess): readonly Lease[] {
  const lines = indexer.output().matchAll(/"sale":"([^"]+)","epoch":"(\d+)","msg":"reading the sale"/g);
  return [...lines].map(([, uuid = "", epoch]) => ({ uuid, epoch: Number(epoch) }));
}

/** Returns the epoch of the last of these leases, by sale. */
function epochsOf(indexer: IndexerProcess): ReadonlyMap<string, number> {
  return new Map(leasesOf(indexer).map(({ uuid, epoch }) => [uuid, epoch]));
}

/** Expects that no two processes ever had the same lease, and that every sale had one. */
function expectOneReaderEach(indexers: readonly IndexerProcess[], sales: readonly OpenedSale[]): void {
  // A process that couldn't renew a lease in time may get the same one again, if nobody else has had it.
  const epochs = indexers.flatMap((indexer) => [
    ...new Set(leasesOf(indexer).map(({ uuid, epoch }) => `${uuid}/${epoch}`)),
  ]);
  expect(new Set(epochs).size).toBe(epochs.length);
  const read = new Set(indexers.flatMap((indexer) => [...epochsOf(indexer).keys()]));
  expect(read).toEqual(new Set(sales.map(({ uuid }) => uuid)));
}

async function faults({ sales }: CommitmentsProcess): Promise<string[]> {
  const page = await sales.listSales({ pageSize: PAGE_SIZE });
  return page.sales.map(({ sourceStatus }) => sourceStatus?.fault ?? "").filter((fault) => fault !== "");
}
