import type { PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import type { AllocationFacts } from "../../contract-facts.ts";
import type { OptionalFunctions } from "./optional-functions.ts";
import type { SaleCalls } from "./sale-calls.ts";

const ABSENT =
  "the contract doesn't offer its allocations (numEntityAllocations, readEntityAllocationDataIn, totalAcceptedAmountByToken), so accepted amounts aren't known";

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
