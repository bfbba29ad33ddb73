import { randomInt, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Address } from "viem";
import { afterEach, describe, expect, it } from "vitest";
import { getSale } from "../../services/commitments/base/read-sale.ts";
import type { CommitmentsDatabase } from "../../services/commitments/base/schema.ts";
import { openStore } from "../../services/commitments/open-store.ts";
import { Random } from "../../services/demo/bidders/random.ts";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { startAnvil } from "../support/chains/anvil.ts";
import { contractUuid, directRows, openChainSale, storedRows, untilReadTo } from "../support/chains/chain-sale.ts";
import { deployAuctionSale, readDirect } from "../support/chains/sale-contract.ts";
import { TestChain } from "../support/chains/test-chain.ts";
import { storeConfig } from "../support/databases/commitments-database.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { sumsFromRows, sumsStored } from "../support/databases/tick-sums.ts";
import {
  anvilChain,
  type IndexerProcess,
  startIndexedCommitments,
  startIndexerProcess,
} from "../support/processes/indexer-process.ts";
import { findProgram } from "../support/processes/program.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { until } from "../support/repository/polling.ts";
import { ContractBidders } from "./support/contract-bidders.ts";
import { shuffled } from "./support/fault-injector.ts";

/** `FAULT_SEED` repeats the choices of a run that was printed. */
const SEED = Number(process.env["FAULT_SEED"] ?? randomInt(2 ** 31));
const ROUNDS = process.env["TEST_LONG"] === "1" ? 7 : 1;
const CHAINS = ["first", "second"] as const;
const SALES = 12;
const ENTITIES = 40;
const LEASE = { LEASE_DURATION: "3s", APPLY_MAX_ROWS: "25" };
const LONGEST_LAG_MS = 400;
const LONGEST_PAUSE_MS = 60;

const stack = new AsyncDisposableStack();
afterEach(() => stack.disposeAsync());

interface TestSale {
  readonly uuid: string;
  readonly contract: Address;
  readonly bidders: ContractBidders;
}

describe.skipIf(findAnvil() === undefined)("indexers that are killed and paused (anvil)", () => {
  it(`lose and double nothing, and each sale soon has one reader again (FAULT_SEED=${SEED})`, async () => {
    const random = new Random(SEED);
    const { service, database } = await startService();
    const anvil = stack.adopt(await startAnvil(), (started) => started.stop());
    const chain = await TestChain.connect(anvil);
    const chains = Object.fromEntries(CHAINS.map((name) => [name, anvilChain(anvil.url, anvil.chainId)]));
    const readers = new Readers(() => startIndexerProcess(service.url, chains, LEASE), database, random);
    stack.defer(() => readers.stop());
    await readers.start();
    const sales: TestSale[] = [];
    for (let number = 0; number < SALES; number += 1) {
      const uuid = randomUUID();
      const contract = await deployAuctionSale(chain, { saleUuid: contractUuid(uuid) });
      const bidders = new ContractBidders(chain, contract, new Random(random.integer(0, 2 ** 32 - 1)));
      await bidders.joinFirst(ENTITIES);
      await openChainSale(service, contract, uuid, CHAINS[number % CHAINS.length]);
      readers.follow(uuid);
      sales.push({ uuid, contract, bidders });
    }
    await chain.mine();

    const over = new AbortController();
    const bidding = bid(chain, sales, new Random(SEED + 1), over.signal);
    const faults = Array.from({ length: ROUNDS }, () => ["SIGKILL", "SIGKILL", "SIGSTOP", "SIGSTOP"] as const).flat();
    try {
      for (const fault of shuffled(faults, random)) await readers.inject(fault);
    } finally {
      over.abort();
    }
    console.log(`FAULT_SEED=${SEED}: ${await bidding} blocks of bids; ${readers.summary}`);

    const height = await chain.client.getBlockNumber({ cacheTime: 0 });
    for (const { uuid, contract } of sales) {
      await untilReadTo(service, uuid, height);
      const direct = await readDirect(chain.client, contract, height);
      expect(await storedRows(service, uuid)).toEqual(directRows(direct));
      const { data } = await service.commitments.getCommitmentData({ saleUuid: uuid });
      const total = direct.flatMap(({ amounts }) => amounts).reduce((sum, { amount }) => sum + amount, 0n);
      expect(data).toMatchObject({ totalAmount: total.toString(), commitmentCount: BigInt(direct.length) });
      expect(await sumsStored(database, uuid)).toEqual(await sumsFromRows(database, uuid));
    }
    await readers.observe();
  });
});

/** Starts a commitments service on MariaDB if that is installed, else on SQLite. */
async function startService() {
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const mariaDb = findProgram("mariadbd") === undefined ? undefined : await startMariaDb();
  if (mariaDb !== undefined) stack.defer(() => mariaDb.stop());
  const url = await mariaDb?.createDatabase("killed_indexers");
  const service = await startIndexedCommitments(url === undefined ? { DATA_DIR: folder.path } : { MYSQL_URL: url });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const remove = async () => {};
  const file = join(folder.path, "commitments.sqlite");
  const database = await openStore(
    storeConfig(url === undefined ? { dialect: "sqlite", file, remove } : { dialect: "mysql", url, remove }),
  );
  stack.defer(() => database.close());
  return { service, database };
}

/** Bids in several sales in each block until `over` aborts. @returns the number of blocks */
async function bid(chain: TestChain, sales: readonly TestSale[], random: Random, over: AbortSignal): Promise<number> {
  let blocks = 0;
  for (; !over.aborted; blocks += 1) {
    for (const { bidders } of sales) {
      if (random.next() < 0.5) await bidders.raise(random.integer(1, 5));
      if (random.next() < 0.1) await bidders.join(random.integer(1, 40));
    }
    await chain.mine();
    await delay(random.integer(0, LONGEST_PAUSE_MS));
  }
  return blocks;
}

/** Two indexer processes. Faults hit the one that reads more sales. */
class Readers {
  readonly #start: () => Promise<IndexerProcess>;
  readonly #database: CommitmentsDatabase;
  readonly #random: Random;
  readonly #sales: string[] = [];
  /** Holders of leases by sale and epoch. */
  readonly #holders = new Map<string, string>();
  readonly #takeovers: string[] = [];
  #processes: readonly IndexerProcess[] = [];

  constructor(start: () => Promise<IndexerProcess>, database: CommitmentsDatabase, random: Random) {
    this.#start = start;
    this.#database = database;
    this.#random = random;
  }

  get summary(): string {
    return this.#takeovers.join(", ");
  }

  async start(): Promise<void> {
    this.#processes = [await this.#start(), await this.#start()];
  }

  async stop(): Promise<void> {
    for (const { process } of this.#processes) await process.kill("SIGKILL");
  }

  follow(saleUuid: string): void {
    this.#sales.push(saleUuid);
  }

  /** Kills or stops the busier indexer at a random moment, waits until the other one reads all sales, then brings it back. */
  async inject(signal: "SIGKILL" | "SIGSTOP"): Promise<void> {
    await until(async () => (await this.observe()).every(({ isHeld }) => isHeld));
    await delay(this.#random.integer(0, LONGEST_LAG_MS));
    const victim = await this.#busiest();
    const begin = performance.now();
    victim.process.signal(signal);
    await until(async () => (await this.observe()).every(({ isHeld, holder }) => isHeld && !isOf(holder, victim)));
    this.#takeovers.push(`${signal}: taken over after ${Math.round(performance.now() - begin)} ms`);
    await delay(this.#random.integer(0, LONGEST_LAG_MS));
    if (signal === "SIGSTOP") victim.process.signal("SIGCONT");
    else await this.#replace(victim);
  }

  /** Returns the present leases. Expects that no epoch has had two holders. */
  async observe() {
    const leases = await Promise.all(
      this.#sales.map(async (uuid) => {
        const { lease } = (await getSale(this.#database, uuid)).state;
        const key = `${uuid}/${lease.epoch}`;
        const { holder } = lease;
        expect(this.#holders.get(key) ?? holder).toBe(holder);
        this.#holders.set(key, holder);
        return { holder, isHeld: lease.untilMillis > BigInt(Date.now()) };
      }),
    );
    return leases;
  }

  async #replace(victim: IndexerProcess): Promise<void> {
    await victim.process.exited;
    const fresh = await this.#start();
    this.#processes = this.#processes.map((process) => (process === victim ? fresh : process));
  }

  async #busiest(): Promise<IndexerProcess> {
    const leases = await this.observe();
    const count = (indexer: IndexerProcess) => leases.filter(({ holder }) => isOf(holder, indexer)).length;
    const [busiest] = this.#processes.toSorted((left, right) => count(right) - count(left));
    if (busiest === undefined) throw new Error("no indexer was started");
    return busiest;
  }
}

/** Whether a lease's holder is a process. A holder consists of host, process ID and a random text. */
function isOf(holder: string, { process }: IndexerProcess): boolean {
  return holder.split("/")[1] === String(process.pid);
}
