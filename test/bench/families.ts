import { randomUUID } from "node:crypto";
import { type Address, encodeDeployData } from "viem";
import { Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { bidBatch } from "../contracts/artefacts/bid-batch.ts";
import { startAnvil } from "../support/chains/anvil.ts";
import { contractUuid, openChainSale, untilReadTo } from "../support/chains/chain-sale.ts";
import { deployContinuousAuction, mineTo, Q96, submitBid } from "../support/chains/continuous-auction.ts";
import { auctionCalls, deployAuctionSale, placeBids } from "../support/chains/sale-contract.ts";
import { type ContractCall, TestChain } from "../support/chains/test-chain.ts";
import { type MariaDb, startMariaDb } from "../support/databases/mariadb.ts";
import { bidOf } from "../support/databases/sale-rows.ts";
import type { CommitmentsProcess } from "../support/processes/commitments-process.ts";
import {
  anvilChain,
  type IndexerProcess,
  startIndexedCommitments,
  startIndexerProcess,
} from "../support/processes/indexer-process.ts";
import { peakBytes } from "../support/processes/peak-memory.ts";
import { timed } from "./apply.ts";
import { type BenchTable, median } from "./support/bench-table.ts";
import { cpuMicros } from "./support/process-usage.ts";
import { amount } from "./support/quick.ts";

const BIDS = amount(100_000, 2_000);
const BIDS_PER_BLOCK = 500;
const PRICES = 1_000;
const ROUNDS = amount(15, 2);
/** Bids of a block with several. */
const SEVERAL = 10;
const AMOUNT = 1_000n;
const BATCH_GAS = 500_000_000n;
const NAME = "Benchmark";
const POLL_MS = 2;
/** Bound of what a Continuous Clearing Auction takes, by the reference contract. */
const MOST_RATIO = 1.2;
/** The same of the first figures: its bids are asked for 255 at a time, and each owner is hashed. Half of the time is anvil's. */
const MOST_FIRST_RATIO = 6;
const FIRST = "first figures, ms";

/** A contract with its bids, on a chain of its own. */
interface BidContract {
  readonly chain: TestChain;
  readonly chains: Readonly<Record<string, unknown>>;
  /** Finds out the settings of a sale of the contract. @returns what opens it, and returns its UUID */
  prepare(service: CommitmentsProcess, indexer: IndexerProcess): Promise<() => Promise<string>>;
  /** A call that makes a new bid. @param bid number of the bid, beyond those that there are */
  bid(bid: number): ContractCall;
}

/** The cost of reading a contract. */
interface Cost {
  readonly first: { readonly millis: number; readonly cpuMillis: number };
  readonly one: number[];
  readonly several: number[];
  readonly megabytes: number;
}

/**
 * Reads 100,000 bids of a Continuous Clearing Auction, and as many of a reference contract, each from an anvil of its own into a durable
 * MariaDB: the first figures, blocks with one bid and with several, and the indexer's memory. The blocks alternate. About five
 * minutes, most of them to make the bids.
 */
export async function familiesBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const mariaDb = await startMariaDb({ durable: true, bufferPool: "4G" });
  stack.defer(() => mariaDb.stop());
  const contracts = [await referenceContract(stack), await continuousAuction(stack)];
  const costs = await costsOf(stack, mariaDb, contracts);
  const [reference, cca] = costs;
  if (reference === undefined || cca === undefined) throw new TypeError("two contracts have two costs");
  const figures: readonly (readonly [string, (cost: Cost) => number])[] = [
    [FIRST, ({ first }) => first.millis],
    ["of it CPU of the indexer, ms", ({ first }) => first.cpuMillis],
    ["block with a bid, ms", ({ one }) => median(one)],
    [`block with ${SEVERAL} bids, ms`, ({ several }) => median(several)],
    ["indexer at its largest, MB", ({ megabytes }) => megabytes],
  ];
  const rows = figures.map(([name, of]) => ({
    name,
    reference: of(reference),
    cca: of(cca),
    ratio: of(cca) / of(reference),
  }));
  return {
    title: `Families of contracts: ${BIDS} bids in blocks of ${BIDS_PER_BLOCK}, anvil into MariaDB (durable, 4 GB pool)`,
    columns: ["", "reference", "CCA", "ratio"],
    rows: rows.map((row) => [row.name, row.reference.toFixed(1), row.cca.toFixed(1), row.ratio.toFixed(3)]),
    notes: [
      `Medians of ${ROUNDS} blocks of each kind, alternating. Times are from the block to the sale's position in the service.`,
    ],
    required: rows
      .filter(({ name }) => !name.startsWith("of it"))
      .map(({ name, ratio }) => ({ name, value: ratio, atMost: name === FIRST ? MOST_FIRST_RATIO : MOST_RATIO })),
  };
}

async function referenceContract(stack: AsyncDisposableStack): Promise<BidContract> {
  const { chain, chains } = await ownChain(stack);
  const saleUuid = randomUUID();
  const contract = await deployAuctionSale(chain, { saleUuid: contractUuid(saleUuid) });
  await chain.send(auctionCalls.setStage(contract, 1));
  const priced = (bid: number) => bidOf(bid, { price: BigInt(1 + (bid % PRICES)) });
  for (let from = 0; from < BIDS; from += BIDS_PER_BLOCK) {
    await placeBids(
      chain,
      contract,
      Array.from({ length: BIDS_PER_BLOCK }, (_, index) => priced(from + index)),
    );
  }
  await chain.mine();
  return {
    chain,
    chains,
    prepare: async (service) => () => openChainSale(service, contract, saleUuid),
    bid: (bid) => auctionCalls.bid(contract, priced(bid)),
  };
}

async function continuousAuction(stack: AsyncDisposableStack): Promise<BidContract> {
  const { chain, chains } = await ownChain(stack);
  const auction = await deployContinuousAuction(chain, {
    version: "1.1.0",
    steps: [{ mps: 100n, blocks: 100_000n }],
    supply: 10n ** 12n,
    isNative: true,
  });
  await mineTo(chain, auction.startBlock);
  const batch = await chain.deploy(encodeDeployData(bidBatch));
  for (let from = 0; from < BIDS; from += BIDS_PER_BLOCK) {
    const args = [auction.address, from, BIDS_PER_BLOCK, PRICES];
    const value = AMOUNT * BigInt(BIDS_PER_BLOCK);
    await chain.send({ address: batch, abi: bidBatch.abi, functionName: "bid", args, value, gas: BATCH_GAS });
    await chain.mine();
  }
  await chain.mine();
  return {
    chain,
    chains,
    async prepare({ sales }, { indexer }) {
      const { proposedDefinition } = await indexer.checkSource({ chain: "local", address: auction.address });
      if (proposedDefinition === undefined) throw new Error("the auction states no terms");
      const saleUuid = randomUUID();
      await sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition: { ...proposedDefinition, name: NAME } });
      return async () => {
        await sales.openSale({ saleUuid, overrideConfirmName: NAME });
        return saleUuid;
      };
    },
    bid: (bid) =>
      submitBid(auction, { maxPrice: Q96 * BigInt(2 + (bid % PRICES)), amount: AMOUNT, owner: ownerOf(bid) }),
  };
}

async function ownChain(stack: AsyncDisposableStack): Promise<Pick<BidContract, "chain" | "chains">> {
  const anvil = await startAnvil();
  stack.defer(() => anvil.stop());
  // Heads come by WebSocket, as an operator would have them.
  const options = { webSocketUrl: anvil.wsUrl, pollInterval: "2s", coinSymbol: "TEST" };
  return {
    chain: await TestChain.connect(anvil),
    chains: { local: anvilChain(anvil.url, anvil.chainId, options) },
  };
}

function ownerOf(bid: number): Address {
  return `0x${(bid + 1).toString(16).padStart(40, "0")}`;
}

/** A contract whose sale is being read. */
interface ReadContract extends BidContract {
  readonly service: CommitmentsProcess;
  readonly indexer: IndexerProcess;
  readonly saleUuid: string;
  readonly first: Cost["first"];
}

async function costsOf(
  stack: AsyncDisposableStack,
  mariaDb: MariaDb,
  contracts: readonly BidContract[],
): Promise<readonly Cost[]> {
  const read: ReadContract[] = [];
  for (const contract of contracts)
    read.push(await firstRead(stack, await mariaDb.createDatabase(`family${read.length}`), contract));
  const millis = read.map(() => ({ one: [] as number[], several: [] as number[] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, contract] of read.entries()) {
      const next = BIDS + round * (1 + SEVERAL);
      millis[index]?.one.push(await blockMillis(contract, next, 1));
      millis[index]?.several.push(await blockMillis(contract, next + 1, SEVERAL));
    }
  }
  return Promise.all(
    read.map(async ({ first, indexer }, index) => {
      const { one = [], several = [] } = millis[index] ?? {};
      return { first, one, several, megabytes: (await peakBytes(indexer.process.pid)) / 1e6 };
    }),
  );
}

async function firstRead(stack: AsyncDisposableStack, url: string, contract: BidContract): Promise<ReadContract> {
  const service = await startIndexedCommitments({ MYSQL_URL: url });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const indexer = await startIndexerProcess(service.url, contract.chains);
  stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
  const open = await contract.prepare(service, indexer);
  const cpuBefore = await cpuMicros(indexer.process.pid);
  let saleUuid = "";
  const millis = await timed(async () => {
    saleUuid = await open();
    await untilReadTo(service, saleUuid, await heightOf(contract), POLL_MS * 10);
  });
  const cpuMillis = ((await cpuMicros(indexer.process.pid)) - cpuBefore) / 1_000;
  return { ...contract, service, indexer, saleUuid, first: { millis, cpuMillis } };
}

async function blockMillis(contract: ReadContract, firstBid: number, bids: number): Promise<number> {
  const { chain, service, saleUuid } = contract;
  for (let bid = 0; bid < bids; bid += 1) await chain.send(contract.bid(firstBid + bid));
  await chain.mine();
  const height = await heightOf(contract);
  return timed(() => untilReadTo(service, saleUuid, height, POLL_MS));
}

function heightOf({ chain }: Pick<BidContract, "chain">): Promise<bigint> {
  return chain.client.getBlockNumber({ cacheTime: 0 });
}
