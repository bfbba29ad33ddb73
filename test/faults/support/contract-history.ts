import type { Address } from "viem";
import type { SourceCommitment } from "../../../services/indexer/source/source-reader.ts";
import { directRows } from "../../support/chain-sale.ts";
import { readDirect } from "../../support/sale-contract.ts";
import type { TestChain } from "../../support/test-chain.ts";

/** What a contract had at one block; comparable by value with what a sale shows. */
export interface ContractState {
  readonly rows: readonly string[];
  readonly total: string;
  readonly count: bigint;
}

/** What a contract had at every block that was recorded, those that were replaced by now included. */
export class ContractHistory {
  readonly #chain: TestChain;
  readonly #contract: Address;
  readonly #states = new Map<string, ContractState>();

  constructor(chain: TestChain, contract: Address) {
    this.#chain = chain;
    this.#contract = contract;
  }

  /** Reads the contract at the latest blocks, as far as they aren't recorded. To be called before others mine. */
  async record(depth: number): Promise<void> {
    const { client } = this.#chain;
    const head = await client.getBlockNumber({ cacheTime: 0 });
    for (let back = 0; back < depth && BigInt(back) <= head; back += 1) {
      const { hash, number } = await client.getBlock({ blockNumber: head - BigInt(back) });
      if (hash === null || number === null) throw new Error("a mined block has a hash");
      if (this.#states.has(hash.slice(2))) continue;
      this.#states.set(hash.slice(2), stateOf(await readDirect(client, this.#contract, number)));
    }
  }

  /** @param hash hex without `0x`. Throws where the block is none that was recorded. */
  at(hash: string): ContractState {
    const state = this.#states.get(hash);
    if (state === undefined) throw new Error(`block ${hash} was never part of the chain`);
    return state;
  }
}

/** Of a sale that isn't settled: what was refunded doesn't count, nor does what has no amount. */
function stateOf(commitments: readonly SourceCommitment[]): ContractState {
  const totals = commitments
    .filter(({ refunded }) => !refunded)
    .map(({ amounts }) => amounts.reduce((sum, { amount }) => sum + amount, 0n))
    .filter((total) => total > 0n);
  return {
    rows: directRows(commitments),
    total: totals.reduce((sum, total) => sum + total, 0n).toString(),
    count: BigInt(totals.length),
  };
}
