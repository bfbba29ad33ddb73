import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Random } from "../../services/demo/bidders/random.ts";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../support/chains/anvil.ts";
import { contractUuid, directRows, openChainSale, storedRows } from "../support/chains/chain-sale.ts";
import { LyingProxy } from "../support/chains/lying-proxy.ts";
import { auctionCalls, deployAuctionSale, placeBids, readDirect } from "../support/chains/sale-contract.ts";
import { TestChain } from "../support/chains/test-chain.ts";
import { bidOf } from "../support/databases/sale-rows.ts";
import { anvilChain, startIndexedCommitments, startIndexerProcess } from "../support/processes/indexer-process.ts";
import { RestartableProcess } from "../support/processes/restartable-process.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { until } from "../support/repository/polling.ts";

/** Reads by which a node that lags would have been believed before: the figures are compared as often while they must stay. */
const LOOKS = 25;
const LOOK_MS = 20;
/** `TEST_LONG=1` shows what follows where final blocks go back, too; `final-blocks.test.ts` shows the decision itself. */
const isLong = process.env["TEST_LONG"] === "1";
/** More blocks than anvil needs to call one final. */
const TO_FINAL = 80;
const COMMITMENT = 1;

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

/** A chain with the contract of the sale, at an address that is the same on each. */
class SaleChain {
  readonly anvil: Anvil;
  readonly chain: TestChain;
  readonly contract: `0x${string}`;
  #bids = 0;

  private constructor(anvil: Anvil, chain: TestChain, contract: `0x${string}`) {
    this.anvil = anvil;
    this.chain = chain;
    this.contract = contract;
  }

  static async start(saleUuid: string, chainId?: number): Promise<SaleChain> {
    const started = await startAnvil(chainId === undefined ? {} : { chainId });
    const anvil = stack.adopt(started, (each) => each.stop());
    const chain = await TestChain.connect(anvil);
    const contract = await deployAuctionSale(chain, { saleUuid: contractUuid(saleUuid) });
    await chain.send(auctionCalls.setStage(contract, COMMITMENT));
    return new SaleChain(anvil, chain, contract);
  }

  /** Places the next bids, and mines blocks after them. */
  async bid(count: number, blocks = 0): Promise<void> {
    const bids = Array.from({ length: count }, (_, index) => bidOf(this.#bids + index));
    this.#bids += count;
    await placeBids(this.chain, this.contract, bids);
    if (blocks > 0) await this.chain.mine(blocks);
  }

  /** The rows of the contract at the newest block, or as of an earlier one. */
  async rows(): Promise<readonly string[]> {
    return directRows(await readDirect(this.chain.client, this.contract));
  }
}

async function start(urls: number, confirmations: 0 | "finalized") {
  const saleUuid = randomUUID();
  const right = await SaleChain.start(saleUuid);
  const random = new Random(1);
  const proxies = await Promise.all(
    Array.from({ length: urls }, async () => stack.use(await LyingProxy.start({ target: right.anvil.url, random }))),
  );
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const service = await startIndexedCommitments({ DATA_DIR: folder.path });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  await openChainSale(service, right.contract, saleUuid);
  const options = { urls: proxies.map(({ url }) => url), confirmations, pollInterval: "50ms" };
  const local = anvilChain("", right.anvil.chainId, options);
  const startIndexer = () => startIndexerProcess(service.url, { local });
  const indexer = new RestartableProcess(startIndexer, await startIndexer());
  stack.defer(async () => void (await indexer.kill("SIGTERM")));
  const rows = () => storedRows(service, saleUuid).catch(() => []);
  const status = async () => (await service.sales.getSale({ saleUuid })).sale?.sourceStatus;
  return {
    right,
    proxies,
    indexer,
    rows,
    saleUuid,
    status,
    /** Waits until the stored rows are those of the contract. */
    async shows(chain: SaleChain): Promise<void> {
      const expected = await chain.rows();
      await until(async () => JSON.stringify(await rows()) === JSON.stringify(expected) && !(await status())?.fault);
    },
    /** Compares the stored rows often, until there is a fault with a text and for some time afterwards. */
    async stays(expected: readonly string[], fault: string): Promise<void> {
      let looks = 0;
      await until(async () => {
        expect(await rows()).toEqual(expected);
        if ((await status())?.fault.includes(fault)) looks += 1;
        return looks >= LOOKS;
      }, LOOK_MS);
    },
    async metric(name: string): Promise<string | undefined> {
      const text = await (await fetch(`${indexer.running.adminUrl}/metrics`)).text();
      return text
        .split("\n")
        .find((line) => line.startsWith(name))
        ?.split(" ")[1];
    },
  };
}

describe.skipIf(findAnvil() === undefined)("another chain behind the same URL (anvil)", () => {
  it("is never read where its ID differs, and the sale goes on with the right one", async () => {
    const sale = await start(1, 0);
    const {
      right,
      proxies: [proxy],
    } = sale;
    await right.bid(3);
    await sale.shows(right);
    const other = await SaleChain.start(sale.saleUuid, 1337);
    await other.bid(5, 20);
    const expected = await sale.rows();
    if (proxy) proxy.target = other.anvil.url;
    await sale.stays(expected, "chain ID is 1337, not 31337");
    await right.bid(2);
    if (proxy) proxy.target = right.anvil.url;
    await sale.shows(right);
  });

  it.runIf(isLong)(
    "takes back what one node called final: two others decide, and against two the figures stay, over a restart",
    async () => {
      const sale = await start(3, "finalized");
      const { right, proxies, indexer } = sale;
      await right.bid(3, TO_FINAL);
      await sale.shows(right);
      const other = await SaleChain.start(sale.saleUuid);
      await other.bid(5, 2 * TO_FINAL);
      const [first, second] = proxies;
      if (first) first.target = other.anvil.url;
      await right.bid(2, TO_FINAL);
      await sale.shows(right);
      await until(async () => (await sale.metric("tidemark_indexer_unhealthy_nodes")) === "1");
      expect(await sale.metric("tidemark_indexer_final_contradicted")).toBe("0");
      const expected = await sale.rows();
      if (second) second.target = other.anvil.url;
      await other.bid(1, TO_FINAL);
      const fault = "than the one that was read as final";
      await sale.stays(expected, fault);
      expect(await sale.metric("tidemark_indexer_final_contradicted")).toBe("1");
      await indexer.kill("SIGTERM");
      await indexer.restart();
      await until(async () => (await sale.metric("tidemark_indexer_final_contradicted")) === "1");
      await sale.stays(expected, fault);
      for (const proxy of proxies) proxy.target = right.anvil.url;
      await right.bid(1, TO_FINAL);
      await sale.shows(right);
      expect(await sale.metric("tidemark_indexer_final_contradicted")).toBe("0");
    },
  );

  it.runIf(isLong)("takes back what the only node called final: the figures stay", async () => {
    const sale = await start(1, "finalized");
    const { right, indexer } = sale;
    await right.bid(3, TO_FINAL);
    await sale.shows(right);
    const expected = await sale.rows();
    // The bids as well: else the blocks would be the same again.
    await right.chain.reorg(TO_FINAL + 1);
    await right.chain.mine(TO_FINAL);
    const fault = "than the one that was read as final";
    await sale.stays(expected, fault);
    await indexer.kill("SIGTERM");
    await indexer.restart();
    await sale.stays(expected, fault);
  });
});
