import type { Address } from "viem";
import type { Random } from "../../../services/demo/bidders/random.ts";
import { auctionCalls, TOKENS } from "../../support/chains/sale-contract.ts";
import type { TestChain } from "../../support/chains/test-chain.ts";
import { bidOf, entityOf, pair, walletOf } from "../../support/databases/sale-rows.ts";

const COMMITMENT = 1;
const CANCELLATION = 2;
/** The amount of a first bid, far more than reductions take away in a test. */
const FIRST_AMOUNT = 1_000_000n;
const HIGHEST_RAISE = 50;
const WALLETS = 3;

/** Random bidders in an auction contract: they bid, raise, cancel and reduce, as the contract allows. */
export class ContractBidders {
  readonly #chain: TestChain;
  readonly #contract: Address;
  readonly #random: Random;
  /** The highest price that each entity has bid, by number, including bids that a reorganisation removed. */
  readonly #prices: bigint[] = [];
  readonly #cancelled = new Set<number>();
  /** The number of entities that joined before any reorganisation. */
  #firstEntities = 0;
  #stage: number | undefined = 0;

  constructor(chain: TestChain, contract: Address, random: Random) {
    this.#chain = chain;
    this.#contract = contract;
    this.#random = random;
  }

  /** Adds entities with first bids that no reorganisation removes. */
  async joinFirst(entities: number): Promise<void> {
    await this.join(entities);
    this.#firstEntities = entities;
  }

  /** Sends first bids of new entities, which aren't mined yet. */
  async join(entities: number): Promise<void> {
    await this.#enter(COMMITMENT);
    const bids = Array.from({ length: entities }, () => this.#bid(this.#prices.length));
    await this.#chain.send(auctionCalls.bidMany(this.#contract, bids));
  }

  /** Sends raises of random entities, perhaps two of the same one, which aren't mined yet. */
  async raise(times: number): Promise<void> {
    await this.#enter(COMMITMENT);
    const bids = Array.from({ length: times }, () => this.#bid(this.#anybody(this.#prices.length)));
    await this.#chain.send(auctionCalls.bidMany(this.#contract, bids));
  }

  /** Sends a reduction of a random entity's commitment, which isn't mined yet. */
  async reduce(): Promise<void> {
    await this.#enter(CANCELLATION);
    const entity = entityOf(this.#anybody(this.#firstEntities));
    await this.#chain.send(auctionCalls.reduce(this.#contract, entity, pair({ amount: 1n })));
  }

  /** Sends a cancellation of a random entity's commitment, which isn't mined yet. */
  async cancel(): Promise<void> {
    await this.#enter(CANCELLATION);
    const entity = this.#anybody(this.#firstEntities);
    this.#cancelled.add(entity);
    await this.#chain.send(auctionCalls.cancel(this.#contract, entityOf(entity)));
  }

  /** Changes the stage; the next bid changes it back. */
  async changeStage(): Promise<void> {
    await this.#enter(this.#random.pick([0, CANCELLATION, 3] as const));
  }

  /** Replaces the latest blocks with blocks that have a single raise, if the stage of the older blocks allows it. */
  async reorganise(depth: number): Promise<void> {
    const call = auctionCalls.bid(this.#contract, this.#bid(this.#anybody(this.#prices.length)));
    await this.#chain.reorg(depth, [{ call, block: this.#random.integer(0, depth - 1) }]);
    this.#stage = undefined;
  }

  /** Returns one of the first `among` entities, but none that has cancelled. */
  #anybody(among: number): number {
    const entity = this.#random.integer(0, among - 1);
    return this.#cancelled.has(entity) ? this.#anybody(among) : entity;
  }

  #bid(entity: number) {
    const price = (this.#prices[entity] ?? 0n) + BigInt(this.#random.integer(1, HIGHEST_RAISE));
    this.#prices[entity] = price;
    const other = pair({
      wallet: walletOf(this.#random.integer(1, WALLETS)),
      token: this.#random.pick(TOKENS) ?? TOKENS[0],
      amount: BigInt(this.#random.integer(0, 1_000)),
    });
    return bidOf(entity, { price, lockup: this.#random.next() < 0.5, added: [pair({ amount: FIRST_AMOUNT }), other] });
  }

  async #enter(stage: number): Promise<void> {
    if (stage !== this.#stage) await this.#chain.send(auctionCalls.setStage(this.#contract, stage));
    this.#stage = stage;
  }
}
