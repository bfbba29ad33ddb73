import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Address } from "viem";
import { expect } from "vitest";
import type { KeyedMutex } from "../../../common/platform/concurrency/keyed-mutex.ts";
import { getSale } from "../../../services/commitments/base/read-sale.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import type { Random } from "../../../services/demo/bidders/random.ts";
import { contractUuid, directRows, openChainSale, storedRows, untilReadTo } from "../../support/chains/chain-sale.ts";
import { deployAuctionSale, readDirect } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { ContractBidders } from "./contract-bidders.ts";
import { fork } from "./fault-injector.ts";
import type { Task } from "./run-until-done.ts";
import type { WholeDeployment } from "./whole-deployment.ts";
import { CHAIN } from "./whole-faults.ts";

const FIRST_BIDDERS = 20;
const MOST_RAISES = 5;
const MOST_NEWCOMERS = 8;
const LONGEST_PAUSE_MS = 300;

interface ChainSale {
  readonly saleUuid: string;
  readonly contract: Address;
  readonly bidders: ContractBidders;
}

export interface ChainSalesOptions {
  readonly deployment: WholeDeployment;
  /** Blocks are mined under the key `CHAIN`. */
  readonly chainMutex: KeyedMutex;
  readonly random: Random;
  readonly sales: number;
}

/** Sales whose contracts get new commitments all the time. */
export class ChainSales {
  blocks = 0;
  readonly sales: readonly ChainSale[];
  readonly #options: ChainSalesOptions;
  readonly #chain: TestChain;

  private constructor(options: ChainSalesOptions, chain: TestChain, sales: readonly ChainSale[]) {
    this.#options = options;
    this.#chain = chain;
    this.sales = sales;
  }

  /** Opens the sales and waits until each has been read once. */
  static async open(options: ChainSalesOptions): Promise<ChainSales> {
    const { deployment, random } = options;
    const chain = await TestChain.connect(deployment.anvil);
    const opened: ChainSale[] = [];
    for (let number = 0; number < options.sales; number += 1) {
      const saleUuid = randomUUID();
      const contract = await deployAuctionSale(chain, { saleUuid: contractUuid(saleUuid) });
      const bidders = new ContractBidders(chain, contract, fork(random));
      await bidders.joinFirst(FIRST_BIDDERS);
      await chain.mine();
      await openChainSale(deployment.services[0], contract, saleUuid);
      opened.push({ saleUuid, contract, bidders });
    }
    const sales = new ChainSales(options, chain, opened);
    await sales.untilRead();
    return sales;
  }

  /** Mines blocks with bids, raises, cancellations and reductions. */
  readonly bidding: Task = async (over) => {
    const { chainMutex, random } = this.#options;
    while (!over.aborted) {
      await chainMutex.runExclusive(CHAIN, () => this.#block());
      await delay(random.integer(0, LONGEST_PAUSE_MS));
    }
  };

  /** Waits until the sales are read up to the newest block. @returns its height */
  async untilRead(): Promise<bigint> {
    const height = await this.#chain.client.getBlockNumber({ cacheTime: 0 });
    for (const { saleUuid } of this.sales) await untilReadTo(this.#options.deployment.services[0], saleUuid, height);
    return height;
  }

  /** Compares stored rows and figures of gateways with what viem reads from the contracts. @returns the number of commitments */
  async expectAsOnChain(): Promise<number> {
    const { services, gateways } = this.#options.deployment;
    const height = await this.untilRead();
    let commitments = 0;
    for (const { saleUuid, contract } of this.sales) {
      const direct = await readDirect(this.#chain.client, contract, height);
      expect(await storedRows(services[0], saleUuid)).toEqual(directRows(direct));
      const active = direct.filter(({ refunded, amounts }) => !refunded && amounts.some(({ amount }) => amount > 0n));
      const total = active.flatMap(({ amounts }) => amounts).reduce((sum, { amount }) => sum + amount, 0n);
      const expected = { TotalCommitmentAmount: String(total), UniqueCommitmentCount: active.length };
      for (const gateway of gateways) expect(await (await gateway.get(saleUuid)).json()).toMatchObject(expected);
      commitments += direct.length;
    }
    return commitments;
  }

  /** Returns the stored revision of each sale. */
  async lastRevisions(database: CommitmentsDatabase): Promise<ReadonlyMap<string, bigint>> {
    const revisions = this.sales.map(async ({ saleUuid }): Promise<[string, bigint]> => {
      const { state } = await getSale(database, saleUuid);
      return [saleUuid, state.revision];
    });
    return new Map(await Promise.all(revisions));
  }

  async #block(): Promise<void> {
    const { random } = this.#options;
    for (const { bidders } of this.sales) {
      if (random.next() < 0.7) await bidders.raise(random.integer(1, MOST_RAISES));
      if (random.next() < 0.3) await bidders.join(random.integer(1, MOST_NEWCOMERS));
      if (random.next() < 0.1) await bidders.reduce();
      if (random.next() < 0.01) await bidders.cancel();
    }
    await this.#chain.mine();
    this.blocks += 1;
  }
}
