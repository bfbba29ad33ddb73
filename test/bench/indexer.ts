import type { Address } from "viem";
import { auctionSale } from "../contracts/artefacts/auction-sale.ts";
import { type Anvil, startAnvil } from "../support/chains/anvil.ts";
import { CONTRACT_SALE_UUID, openChainSale, untilReadTo } from "../support/chains/chain-sale.ts";
import { auctionCalls, deployAuctionSale, placeBids, TOKENS } from "../support/chains/sale-contract.ts";
import { TestChain } from "../support/chains/test-chain.ts";
import { type MariaDb, startMariaDb } from "../support/databases/mariadb.ts";
import { bidOf, pair, walletOf } from "../support/databases/sale-rows.ts";
import type { CommitmentsProcess } from "../support/processes/commitments-process.ts";
import { anvilChain, startIndexedCommitments, startIndexerProcess } from "../support/processes/indexer-process.ts";
import { timed } from "./apply.ts";
import { type BenchTable, median } from "./support/bench-table.ts";
import { type CountingProxy, startCountingProxy } from "./support/counting-proxy.ts";
import { residentBytes } from "./support/process-usage.ts";
import { amount } from "./support/quick.ts";
import { reorganisationMillis } from "./support/reorganisation.ts";

const LARGE = amount(100_000, 2_000);
const SMALL = amount(1_000, 500);
const CHUNK_ROWS = 500n;
const UPDATE_ROUNDS = amount(5, 1);
const REORGANISATION_ROUNDS = amount(3, 1);
/** Bids in one update, spread over the sale. */
const CHANGES = 10;
const LEAST_SNAPSHOT_RATIO = 0.5;
const MOST_UPDATE_RATIO = 1.5;
/** Interval at which the benchmark asks whether a sale has been read, in milliseconds. Each question costs the service time. */
const SNAPSHOT_POLL_MS = 50;
const UPDATE_POLL_MS = 2;
const SMALL_SALE_UUID = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f1";

interface Environment {
  readonly anvil: Anvil;
  readonly chain: TestChain;
  readonly mariaDb: MariaDb;
}

/**
 * Compares the first snapshot of 100,000 commitments, from anvil into a durable MariaDB, with reading the same chunks with viem
 * and discarding them. Then compares an update of 10 rows, and a re-organisation of 5 blocks, in a sale of 100,000 with one in a
 * sale of 1,000.
 */
export async function indexerBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const anvil = await startAnvil();
  stack.defer(() => anvil.stop());
  const mariaDb = await startMariaDb({ durable: true, bufferPool: "4G" });
  stack.defer(() => mariaDb.stop());
  const chain = await TestChain.connect(anvil);
  const environment = { anvil, chain, mariaDb };
  const large = await auctionWith(chain, LARGE, CONTRACT_SALE_UUID);
  const snapshot = await compareSnapshots(environment, large);
  const update = await compareUpdates(environment, large);
  return {
    title: "Indexer: anvil into MariaDB (durable, 4 GB pool)",
    columns: ["operation", "baseline", "indexer", "ratio"],
    rows: [...snapshot.rows, ...update.rows],
    notes: [`chunks of ${CHUNK_ROWS} rows with two wallets and tokens each; ${snapshot.memory} MiB in the indexer`],
    required: [...snapshot.required, ...update.required],
  };
}

async function auctionWith(chain: TestChain, entities: number, saleUuid: string): Promise<Address> {
  const contract = await deployAuctionSale(chain, { saleUuid: `0x${saleUuid.replaceAll("-", "")}` });
  await chain.send(auctionCalls.setStage(contract, 1));
  await chain.mine();
  const added = [pair(), pair({ token: TOKENS[1], wallet: walletOf(2) })];
  const bids = Array.from({ length: entities }, (_, entity) =>
    bidOf(entity, { price: BigInt(1 + (entity % 1_000)), added }),
  );
  await placeBids(chain, contract, bids);
  // anvil copies the block for each call at its hash. The last block with bids has 11 MB, an empty one is small.
  await chain.mine();
  return contract;
}

async function compareSnapshots({ anvil, chain, mariaDb }: Environment, contract: Address) {
  await using stack = new AsyncDisposableStack();
  const viem = await timed(() => readAndDiscard(chain, contract));
  const service = await startIndexedCommitments({ MYSQL_URL: await mariaDb.createDatabase("snapshot") });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const chains = { local: anvilChain(anvil.url, anvil.chainId, { chunkRows: Number(CHUNK_ROWS) }) };
  const indexer = await startIndexerProcess(service.url, chains);
  stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
  const saleUuid = await openChainSale(service, contract, CONTRACT_SALE_UUID);
  const height = await chain.client.getBlockNumber({ cacheTime: 0 });
  const ours = await timed(() => untilReadTo(service, saleUuid, height, SNAPSHOT_POLL_MS));
  const memory = Math.round((await residentBytes(indexer.process.pid)) / 2 ** 20);
  const seconds = (millis: number) => `${(millis / 1_000).toFixed(1)} s`;
  const ratio = viem / ours;
  return {
    memory,
    rows: [["first snapshot of 100,000", seconds(viem), seconds(ours), ratio.toFixed(3)]],
    required: [{ name: "first snapshot", value: ratio, atLeast: LEAST_SNAPSHOT_RATIO }],
  };
}

async function readAndDiscard(chain: TestChain, contract: Address): Promise<void> {
  const blockNumber = await chain.client.getBlockNumber({ cacheTime: 0 });
  for (let from = 0n; from < LARGE; from += CHUNK_ROWS) {
    await chain.client.readContract({
      address: contract,
      abi: auctionSale.abi,
      functionName: "readCommitmentDataIn",
      args: [from, from + CHUNK_ROWS],
      blockNumber,
    });
  }
}

/** A sale that is updated. Its own chain name and proxy make it possible to count its requests. */
interface UpdatedSale {
  readonly saleUuid: string;
  readonly contract: Address;
  readonly chainName: string;
  readonly proxy: CountingProxy;
  readonly entities: number;
}

async function compareUpdates({ anvil, chain, mariaDb }: Environment, large: Address) {
  await using stack = new AsyncDisposableStack();
  const small = await auctionWith(chain, SMALL, SMALL_SALE_UUID);
  const service = await startIndexedCommitments({ MYSQL_URL: await mariaDb.createDatabase("updates") });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const proxies = { small: await startCountingProxy(anvil.url), large: await startCountingProxy(anvil.url) };
  stack.defer(() => proxies.small.close());
  stack.defer(() => proxies.large.close());
  // Heads come by WebSocket, as an operator would have them: at the default interval no poll would be in time.
  const webSocketUrl = anvil.url.replace("http:", "ws:");
  const chainOf = ({ url }: CountingProxy) => anvilChain(url, anvil.chainId, { webSocketUrl, pollInterval: "2s" });
  const indexer = await startIndexerProcess(service.url, {
    small: chainOf(proxies.small),
    large: chainOf(proxies.large),
  });
  stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
  const sales: readonly [UpdatedSale, UpdatedSale] = [
    { saleUuid: SMALL_SALE_UUID, contract: small, chainName: "small", proxy: proxies.small, entities: SMALL },
    {
      saleUuid: CONTRACT_SALE_UUID,
      contract: large,
      chainName: "large",
      proxy: proxies.large,
      entities: LARGE,
    },
  ];
  const height = await chain.client.getBlockNumber({ cacheTime: 0 });
  for (const { saleUuid, contract, chainName } of sales) await openChainSale(service, contract, saleUuid, chainName);
  for (const { saleUuid } of sales) await untilReadTo(service, saleUuid, height, SNAPSHOT_POLL_MS);
  const costs = sales.map(() => [] as UpdateCost[]);
  for (let round = 0; round < UPDATE_ROUNDS; round += 1) {
    for (const [index, sale] of sales.entries()) {
      costs[index]?.push(await updateCost(chain, service, indexer.adminUrl, sale, round));
    }
  }
  const updates = updateRows(costs[0] ?? [], costs[1] ?? []);
  const millis = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < REORGANISATION_ROUNDS; round += 1) {
    const [ofSmall, ofLarge] = await reorganisationMillis(chain, service, sales, round);
    millis.small.push(ofSmall);
    millis.large.push(ofLarge);
  }
  return { ...updates, rows: [...updates.rows, reorganisationRow(median(millis.small), median(millis.large))] };
}

/** Reported without a bound: the time is mostly that of the announcement and of a few requests. */
function reorganisationRow(small: number, large: number): readonly string[] {
  const ratio = (large / small).toFixed(3);
  return [
    "5 blocks replaced, heads by WebSocket, of 100,000 against of 1,000: ms",
    small.toFixed(1),
    large.toFixed(1),
    ratio,
  ];
}

interface UpdateCost {
  readonly requests: number;
  readonly rows: number;
  readonly millis: number;
}

async function updateCost(
  chain: TestChain,
  service: CommitmentsProcess,
  adminUrl: string,
  { saleUuid, contract, chainName, proxy, entities }: UpdatedSale,
  round: number,
): Promise<UpdateCost> {
  const step = Math.floor(entities / CHANGES);
  for (let change = 0; change < CHANGES; change += 1) {
    await chain.send(auctionCalls.bid(contract, bidOf(change * step + round, { price: 2_000n + BigInt(round) })));
  }
  const rowsBefore = await rowsWritten(adminUrl, chainName);
  const requestsBefore = proxy.requests();
  await chain.mine();
  const height = await chain.client.getBlockNumber({ cacheTime: 0 });
  const millis = await timed(() => untilReadTo(service, saleUuid, height, UPDATE_POLL_MS));
  const rows = (await rowsWritten(adminUrl, chainName)) - rowsBefore;
  return { requests: proxy.requests() - requestsBefore, rows, millis };
}

async function rowsWritten(adminUrl: string, chainName: string): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  const line = metrics
    .split("\n")
    .find((text) => text.startsWith("tidemark_indexer_rows_total") && text.includes(`"${chainName}"`));
  return Number(line?.split(" ").at(-1) ?? 0);
}

function updateRows(small: readonly UpdateCost[], large: readonly UpdateCost[]) {
  const compared = (["requests", "rows", "millis"] as const).map((field) => {
    const of = (costs: readonly UpdateCost[]) => median(costs.map((cost) => cost[field]));
    return { field, small: of(small), large: of(large), ratio: of(large) / of(small) };
  });
  const names = { requests: "requests to the node", rows: "rows written", millis: "ms" };
  return {
    rows: compared.map(({ field, small, large, ratio }) => [
      `10 of 100,000 against 10 of 1,000: ${names[field]}`,
      small.toFixed(1),
      large.toFixed(1),
      ratio.toFixed(3),
    ]),
    required: compared.map(({ field, ratio }) => ({ name: names[field], value: ratio, atMost: MOST_UPDATE_RATIO })),
  };
}
