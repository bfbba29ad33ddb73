import type { Address } from "viem";
import type { Random } from "../../../services/demo/random.ts";
import { auctionCalls, TOKENS } from "../../support/sale-contract.ts";
import { bidOf, entityOf, pair, walletOf } from "../../support/sale-rows.ts";
import type { ContractCall, TestChain } from "../../support/test-chain.ts";

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
  #stage = 0;

  constructor(chain: TestChain, contract: Address, random: Random) {
    this.#chain = chain;
    this.#contract = contract;
    this.#random = random;
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
    const bids = Array.from({ length: times }, () => this.#bid(this.#random.integer(0, this.#prices.length - 1)));
    await this.#chain.send(auctionCalls.bidMany(this.#contract, bids));
  }

  /** Somebody takes a part back, not mined yet. */
  async reduce(): Promise<void> {
    await this.#enter(CANCELLATION);
    const entity = entityOf(this.#random.integer(0, this.#prices.length - 1));
    await this.#chain.send(auctionCalls.reduce(this.#contract, entity, pair({ amount: 1n })));
  }

  /** The stage goes on, and comes back with the next bid. */
  async pause(): Promise<void> {
    await this.#enter(this.#random.pick([0, CANCELLATION, 3] as const));
  }

  /** A raise that a re-organisation brings in the place of what was there. */
  raiseCall(): ContractCall {
    return auctionCalls.bid(this.#contract, this.#bid(this.#random.integer(0, this.#prices.length - 1)));
  }

  /** After a re-organisation nobody knows the stage. */
  async forgetStage(): Promise<void> {
    this.#stage = -1;
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
