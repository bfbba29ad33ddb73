import type { Address } from "viem";
import type { Random } from "../../../services/demo/random.ts";
import { auctionCalls, TOKENS } from "../../support/sale-contract.ts";
import { bidOf, entityOf, pair, walletOf } from "../../support/sale-rows.ts";
import type { TestChain } from "../../support/test-chain.ts";

const COMMITMENT = 1;
const CANCELLATION = 2;
/** Far more than anybody gives up in one test. */
const FIRST_AMOUNT = 1_000_000n;
const HIGHEST_RAISE = 50;
const WALLETS = 3;

/** A random crowd in an auction: it bids, raises, cancels and reduces, as the contract allows. */
export class SaleCrowd {
  readonly #chain: TestChain;
  readonly #contract: Address;
  readonly #random: Random;
  /** Highest price of each entity, by number: also of bids that a re-organisation took back. */
  readonly #prices: bigint[] = [];
  readonly #cancelled = new Set<number>();
  /** Who was there before any re-organisation. */
  #founders = 0;
  #stage: number | undefined = 0;

  constructor(chain: TestChain, contract: Address, random: Random) {
    this.#chain = chain;
    this.#contract = contract;
    this.#random = random;
  }

  /** First bids that no re-organisation takes back. */
  async found(entities: number): Promise<void> {
    await this.join(entities);
    this.#founders = entities;
  }

  /** First bids of so many new entities, not mined yet. */
  async join(entities: number): Promise<void> {
    await this.#enter(COMMITMENT);
    const bids = Array.from({ length: entities }, () => this.#bid(this.#prices.length));
    await this.#chain.send(auctionCalls.bidMany(this.#contract, bids));
  }

  /** Raises of random entities, the same one perhaps twice, not mined yet. */
  async raise(times: number): Promise<void> {
    await this.#enter(COMMITMENT);
    const bids = Array.from({ length: times }, () => this.#bid(this.#anybody(this.#prices.length)));
    await this.#chain.send(auctionCalls.bidMany(this.#contract, bids));
  }

  /** Somebody takes a part back, not mined yet. */
  async reduce(): Promise<void> {
    await this.#enter(CANCELLATION);
    const entity = entityOf(this.#anybody(this.#founders));
    await this.#chain.send(auctionCalls.reduce(this.#contract, entity, pair({ amount: 1n })));
  }

  /** Somebody takes everything back, not mined yet. */
  async cancel(): Promise<void> {
    await this.#enter(CANCELLATION);
    const entity = this.#anybody(this.#founders);
    this.#cancelled.add(entity);
    await this.#chain.send(auctionCalls.cancel(this.#contract, entityOf(entity)));
  }

  /** The stage goes on, and comes back with the next bid. */
  async changeStage(): Promise<void> {
    await this.#enter(this.#random.pick([0, CANCELLATION, 3] as const));
  }

  /** Replaces the latest blocks; a raise stands in for what was in them, where the stage of the older blocks lets it. */
  async reorganise(depth: number): Promise<void> {
    const call = auctionCalls.bid(this.#contract, this.#bid(this.#anybody(this.#prices.length)));
    await this.#chain.reorg(depth, [{ call, block: this.#random.integer(0, depth - 1) }]);
    this.#stage = undefined;
  }

  /** One of the first so many who hasn't cancelled. */
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
