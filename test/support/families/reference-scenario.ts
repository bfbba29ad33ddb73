import type { Address } from "viem";
import { expect } from "vitest";
import { REFERENCE_FAMILY } from "../../../common/contracts/reference/evm/reference-family.ts";
import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import type { Random } from "../../../services/demo/bidders/random.ts";
import { auctionSale } from "../../contracts/artefacts/auction-sale.ts";
import { auctionCalls, readDirect, TOKENS } from "../chains/sale-contract.ts";
import type { ContractCall, TestChain } from "../chains/test-chain.ts";
import { bidOf, pair, walletOf } from "../databases/sale-rows.ts";
import type { FamilyScenario } from "./family-scenario.ts";

const ENTITIES = 30;

/** An auction whose entities raise their bids. */
export class ReferenceScenario implements FamilyScenario {
  readonly family = REFERENCE_FAMILY;
  readonly contract: Address;
  readonly paymentTokens = TOKENS;
  readonly #chain: TestChain;
  readonly #random: Random;
  #price = 100n;

  /** @param contract an auction that takes bids */
  constructor(chain: TestChain, contract: Address, random: Random) {
    this.contract = contract;
    this.#chain = chain;
    this.#random = random;
  }

  async calls(): Promise<readonly ContractCall[]> {
    return this.#bids();
  }

  async replacements(depth: number): Promise<readonly (readonly ContractCall[])[]> {
    return Array.from({ length: depth }, () => this.#bids());
  }

  rows(height: bigint): Promise<readonly SourceCommitment[]> {
    return readDirect(this.#chain.client, this.contract, height);
  }

  /** The totals by token. */
  async expectAgreement(rows: readonly SourceCommitment[]): Promise<void> {
    const sums = new Map<string, bigint>(TOKENS.map((token) => [token, 0n]));
    for (const { token, amount } of rows.flatMap(({ amounts }) => amounts)) {
      sums.set(token, (sums.get(token) ?? 0n) + amount);
    }
    const contract = { address: this.contract, abi: auctionSale.abi };
    const totals = await this.#chain.client.readContract({ ...contract, functionName: "totalCommittedAmountByToken" });
    expect(new Map(totals.map(({ token, amount }) => [token.toLowerCase(), amount]))).toEqual(sums);
  }

  #bids(): readonly ContractCall[] {
    return Array.from({ length: this.#random.integer(0, 3) }, () => {
      this.#price += 1n;
      const [token = TOKENS[0], wallet] = [this.#random.pick(TOKENS), walletOf(this.#random.integer(1, 3))];
      const added = [pair({ token, wallet, amount: BigInt(this.#random.integer(1, 1_000)) })];
      const bid = bidOf(this.#random.integer(0, ENTITIES - 1), { price: this.#price, added });
      return auctionCalls.bid(this.contract, bid);
    });
  }
}
