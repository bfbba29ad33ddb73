import type { PinnedBlock } from "../../chains/evm/pinned-block.ts";
import { AllocationJoin } from "../../contracts/reading/evm/allocation-join.ts";
import { mayHaveAllocations, readAllocationFacts } from "../../contracts/reference/evm/allocation-facts.ts";
import type { OptionalFunctions } from "../../contracts/reference/evm/optional-functions.ts";
import type { SaleCalls, TokenSums } from "../../contracts/reference/evm/sale-calls.ts";
import type { SaleStage } from "../../sale/state/stage.ts";

/** The allocations of a contract, which are read with its commitments. */
export interface Allocations {
  readonly join: AllocationJoin;
  /** The contract's own totals. */
  readonly totals: TokenSums;
}

export interface AllocationOptions {
  readonly calls: SaleCalls;
  readonly optional: OptionalFunctions;
  /** Number of commitments. */
  readonly count: bigint;
  /** Undefined if the contract doesn't say it. */
  readonly stage: SaleStage | undefined;
  /** Whether Tidemark shows the sale as settled. It counts where the contract has no stage. */
  readonly settled: boolean;
  readonly signal: AbortSignal;
}

/**
 * Decides as the indexer does whether accepted amounts are read with the commitments: from the settlement on, if the contract
 * says them.
 *
 * @throws the errors of `PinnedBlock.call`
 */
export async function readAllocations(
  pinned: PinnedBlock,
  { calls, optional, count, stage, settled, signal }: AllocationOptions,
): Promise<Allocations | undefined> {
  if (!mayHaveAllocations(stage, settled)) return undefined;
  const { totals } = await readAllocationFacts(pinned, calls, optional, count, signal);
  return totals && { join: new AllocationJoin(), totals };
}
