import type { PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import type { SaleStage } from "../../../sale/state/stage.ts";
import type { OptionalFunctions } from "./optional-functions.ts";
import type { SaleCalls, TokenSums } from "./sale-calls.ts";

/** Whether the allocations of a contract can be read at a pinned block. */
export interface AllocationFacts {
  /** The contract's own totals by token; absent where its allocations can't be read. */
  readonly totals?: TokenSums;
  /** Why they can't be read, as a text for founders. */
  readonly problem?: string;
}

const ABSENT =
  "the contract doesn't offer its allocations (numEntityAllocations, readEntityAllocationDataIn, totalAcceptedAmountByToken), so accepted amounts aren't known";

/**
 * Whether a contract may have allocations: from the settlement of its sale on.
 *
 * @param stage of the contract; undefined where it isn't known, so that `settled` counts
 * @param settled whether the sale is settled as it is stored, or shown
 */
export function mayHaveAllocations(stage: SaleStage | undefined, settled: boolean): boolean {
  return stage === undefined ? settled : stage === "settlement" || stage === "done";
}

/**
 * Finds out whether a contract says its allocations, as those of older versions don't.
 *
 * @param count number of its commitments. It must list as many allocations.
 * @throws the errors of `PinnedBlock.call`
 */
export async function readAllocationFacts(
  pinned: PinnedBlock,
  calls: SaleCalls,
  optional: OptionalFunctions,
  count: bigint,
  signal: AbortSignal,
): Promise<AllocationFacts> {
  const [listed, totals, first] = await Promise.all([
    optional.call(pinned, calls.numAllocations, signal),
    optional.call(pinned, calls.acceptedTotals, signal),
    count === 0n ? [] : optional.call(pinned, calls.allocations(0n, 1n), signal),
  ]);
  if (listed === undefined || totals === undefined || first === undefined) return { problem: ABSENT };
  if (listed === count) return { totals };
  const lists = `the contract lists ${listed} allocations and ${count} commitments`;
  return { problem: `${lists}, so accepted amounts aren't read` };
}
