import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import { hexOfBytes } from "../../common/platform/encoding/hex.ts";
import { Random } from "../../services/demo/bidders/random.ts";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { startAnvil } from "../support/chains/anvil.ts";
import { contractUuid, openChainSale, storedRows } from "../support/chains/chain-sale.ts";
import { LyingProxy, STALE_BLOCKS } from "../support/chains/lying-proxy.ts";
import { deployAuctionSale } from "../support/chains/sale-contract.ts";
import { TestChain } from "../support/chains/test-chain.ts";
import type { CommitmentsProcess } from "../support/processes/commitments-process.ts";
import { anvilChain, startIndexedCommitments, startIndexerProcess } from "../support/processes/indexer-process.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { until } from "../support/repository/polling.ts";
import { ContractBidders } from "./support/contract-bidders.ts";
import { ContractHistory } from "./support/contract-history.ts";

/** `FAULT_SEED` repeats the choices of a run that was printed. */
const SEED = Number(process.env["FAULT_SEED"] ?? randomInt(2 ** 31));
/** The number of blocks at which the figures must be compared while the node lies. The test's timeout limits the time. */
const BLOCKS = process.env["TEST_LONG"] === "1" ? 80 : 6;
const ENTITIES = 300;
/** Small limits, so that the first snapshot is a change set of several chunks. */
const MAX_ROWS = "100";
const CHUNK_ROWS = 60;
const LIES_PER_REQUEST = 0.06;
const DEEPEST_REORG = 3;
/** The number of blocks that one round may replace and mine. */
const BLOCKS_OF_ROUND = DEEPEST_REORG + 2;
const LOOKS_PER_ROUND = 3;
const LONGEST_PAUSE_MS = 120;

const stack = new AsyncDisposableStack();
afterEach(() => stack.disposeAsync());

describe.skipIf(findAnvil() === undefined)("a lying node (anvil)", () => {
  it(`makes the figures late but never wrong, and the sale heals by itself (FAULT_SEED=${SEED})`, async () => {
    const random = new Random(SEED);
    const { chain, history, bidders, proxy, service, saleUuid } = await start(random);
    const watcher = new Watcher(service, saleUuid, history);
    proxy.rate = LIES_PER_REQUEST;
    while (watcher.blocksSeen < BLOCKS) {
      await act(bidders, random);
      await chain.mine(random.integer(1, 2));
      await history.record(BLOCKS_OF_ROUND);
      for (let look = 0; look < LOOKS_PER_ROUND; look += 1) {
        await delay(random.integer(0, LONGEST_PAUSE_MS));
        await watcher.look();
      }
    }
    proxy.rate = 1;
    await until(async () => (await watcher.look()).fault !== "");
    proxy.rate = 0;
    await bidders.raise(1);
    await chain.mine();
    await history.record(1);
    const { hash } = await chain.client.getBlock({ blockTag: "latest" });
    await until(async () => (await watcher.look()).blockHash === hash?.slice(2));
    await until(async () => (await watcher.look()).fault === "");
    console.log(
      `FAULT_SEED=${SEED}: ${watcher.summary}; lies: ${[...proxy.lieCounts].map((each) => each.join(" × ")).join(", ")}`,
    );
    expect(watcher.faultsSeen).toBeGreaterThan(0);
  });
});

async function start(random: Random) {
  const anvil = stack.adopt(await startAnvil(), (started) => started.stop());
  const chain = await TestChain.connect(anvil);
  const saleUuid = randomUUID();
  const contract = await deployAuctionSale(chain, { saleUuid: contractUuid(saleUuid) });
  const history = new ContractHistory(chain, contract);
  const bidders = new ContractBidders(chain, contract, random);
  await bidders.joinFirst(ENTITIES);
  // A lie about the height may lead the first read back this far.
  await chain.mine(STALE_BLOCKS + 1);
  await history.record(STALE_BLOCKS + 1);
  // A separate generator, so that the number of the indexer's requests doesn't change what the bidders do.
  const proxyRandom = new Random(random.integer(0, 2 ** 32 - 1));
  const proxy = stack.use(await LyingProxy.start({ target: anvil.url, random: proxyRandom }));
  proxy.rate = LIES_PER_REQUEST;
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const service = await startIndexedCommitments({ DATA_DIR: folder.path, APPLY_MAX_ROWS: MAX_ROWS });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  await openChainSale(service, contract, saleUuid);
  const local = anvilChain(proxy.url, anvil.chainId, {
    pollInterval: "50ms",
    requestTimeout: "400ms",
    sweepInterval: "2s",
    chunkRows: CHUNK_ROWS,
  });
  const indexer = await startIndexerProcess(service.url, { local }, { APPLY_MAX_ROWS: MAX_ROWS });
  stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
  return { chain, history, bidders, proxy, service, saleUuid };
}

/** Does something random in the contract, before the next block. */
function act(bidders: ContractBidders, random: Random): Promise<void> {
  const acts = [
    () => bidders.raise(random.integer(1, 20)),
    () => bidders.raise(random.integer(1, 3)),
    () => bidders.join(random.integer(1, 5)),
    () => bidders.reduce(),
    () => bidders.cancel(),
    () => bidders.changeStage(),
    () => bidders.reorganise(random.integer(1, DEEPEST_REORG)),
  ] as const;
  return random.pick(acts)();
}

interface Look {
  readonly fault: string;
  /** The block of the public figures; empty before the first snapshot. */
  readonly blockHash: string;
}

/** Reads the public data of the sale, and compares it with the contract at the block that the sale names. */
class Watcher {
  readonly #service: CommitmentsProcess;
  readonly #saleUuid: string;
  readonly #history: ContractHistory;
  readonly #blocks = new Set<string>();
  #compared = 0;
  #faults = 0;

  constructor(service: CommitmentsProcess, saleUuid: string, history: ContractHistory) {
    this.#service = service;
    this.#saleUuid = saleUuid;
    this.#history = history;
  }

  get blocksSeen(): number {
    return this.#blocks.size;
  }

  get faultsSeen(): number {
    return this.#faults;
  }

  get summary(): string {
    return `${this.#compared} comparisons at ${this.#blocks.size} blocks, ${this.#faults} looks at a fault`;
  }

  async look(): Promise<Look> {
    const before = await this.#state();
    if (before.fault !== "") this.#faults += 1;
    const shown = before.blockHash === "" ? undefined : await this.#shown();
    const isOneState = before.revision === (await this.#state()).revision;
    if (shown === undefined || !isOneState) return before;
    const { blockHash } = before;
    expect({ blockHash, ...shown }).toEqual({ blockHash, ...this.#history.at(blockHash) });
    this.#compared += 1;
    this.#blocks.add(blockHash);
    return before;
  }

  async #state() {
    const { sale } = await this.#service.sales.getSale({ saleUuid: this.#saleUuid });
    const blockHash = sale?.hasSnapshot === true ? hexOfBytes(sale.sourcePosition?.hash ?? new Uint8Array()) : "";
    return { revision: sale?.revision, fault: sale?.sourceStatus?.fault ?? "", blockHash };
  }

  /** The public data; undefined while a change set is open. */
  async #shown() {
    try {
      const rows = await storedRows(this.#service, this.#saleUuid);
      const { data } = await this.#service.commitments.getCommitmentData({ saleUuid: this.#saleUuid });
      return { rows, total: data?.totalAmount, count: data?.commitmentCount };
    } catch (error) {
      if (ConnectError.from(error).code === Code.Unavailable) return undefined;
      throw error;
    }
  }
}
