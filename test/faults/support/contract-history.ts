import type { Address } from "viem";
import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import { directRows } from "../../support/chains/chain-sale.ts";
import { readDirect } from "../../support/chains/sale-contract.ts";
import type { TestChain } from "../../support/chains/test-chain.ts";

/** The state of a contract at one block, in a form that can be compared with the public data of a sale. */
export interface ContractState {
  readonly rows: readonly string[];
  readonly total: string;
  readonly count: bigint;
}

/** The states of a contract at all recorded blocks, including those that a reorganisation has replaced. */
export class ContractHistory {
  readonly #chain: TestChain;
  readonly #contract: Address;
  readonly #states = new Map<string, ContractState>();

  constructor(chain: TestChain, contract: Address) {
    this.#chain = chain;
    this.#contract = contract;
  }

  /** Reads the contract at those of the latest blocks that aren't recorded yet. Nothing may be mined meanwhile. */
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

  /** Returns the state at a block. @param hash hex without `0x` @throws Error for a block that wasn't recorded */
  at(hash: string): ContractState {
    const state = this.#states.get(hash);
    if (state === undefined) throw new Error(`block ${hash} was never part of the chain`);
    return state;
  }
}

/** The state of a sale that isn't settled, in which refunded and empty commitments don't count. */
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
