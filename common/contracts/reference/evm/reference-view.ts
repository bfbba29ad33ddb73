import type { PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import type { ContractFacts } from "../../contract-facts.ts";
import type { ContractView } from "../../evm-family.ts";
import { readAllocationFacts } from "./allocation-facts.ts";
import type { OptionalFunctions } from "./optional-functions.ts";
import type { SaleCalls } from "./sale-calls.ts";

/** Makes the view of a reference contract. @param optional remembers which functions the contract lacks */
export function referenceView(calls: SaleCalls, optional: OptionalFunctions): ContractView {
  return {
    facts: (pinned, signal) => readFacts(pinned, calls, optional, signal),
    count: (pinned, signal) => pinned.call(calls.numCommitments, signal),
    rows: (pinned, { from, to }, signal) => pinned.call(calls.rows(from, to), signal),
    release: (pinned, signal) => optional.call(pinned, calls.version, signal),
    saleUuid: (pinned, signal) => optional.call(pinned, calls.saleUuid, signal),
    paymentTokens: (pinned, signal) => optional.call(pinned, calls.paymentTokens, signal),
    maxWalletsPerEntity: (pinned, signal) => optional.call(pinned, calls.maxWalletsPerEntity, signal),
    allocationFacts: (pinned, count, signal) => readAllocationFacts(pinned, calls, optional, count, signal),
    allocations: (pinned, { from, to }, signal) => pinned.call(calls.allocations(from, to), signal),
    get isUnsure() {
      return optional.isUnsure(calls.version.name) || optional.isUnsure(calls.saleUuid.name);
    },
    get warnings() {
      return optional.warnings;
    },
  };
}

async function readFacts(
  pinned: PinnedBlock,
  calls: SaleCalls,
  optional: OptionalFunctions,
  signal: AbortSignal,
): Promise<ContractFacts> {
  const [count, stageNumber, totals] = await Promise.all([
    pinned.call(calls.numCommitments, signal),
    optional.call(pinned, calls.stage, signal),
    optional.call(pinned, calls.totals, signal),
  ]);
  return { count, ...(stageNumber === undefined ? {} : { stageNumber }), ...(totals === undefined ? {} : { totals }) };
}
