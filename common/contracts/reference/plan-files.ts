import type { Allocation } from "../../sale/record/allocation.ts";
import type { Settlement } from "../../sale/settlement/settle.ts";
import { allocationTexts, settlementTexts } from "../../sale/settlement/settlement-csv.ts";
import { planTexts } from "../../sale/settlement/settlement-json.ts";
import { type SettlementFile, settlementFiles } from "./settlement-files.ts";

/** The file that the outcome and its inputs are in, whose hash people compare. */
export const PLAN_PATH = "plan.json";
/** The list of the SHA-256 of every other file. */
export const SUMS_PATH = "SHA256SUMS";
/** The most allocations of a call, where nobody wants another number. */
export const DEFAULT_BATCH = 200;

/** The purpose of a plan's files. */
export interface PlanPurpose {
  /** Whether its contract's calls are known. */
  readonly hasCalls: boolean;
  /** The most allocations of a call, at least 1. */
  readonly batchSize: number;
}

/** A file of a plan's folder. */
export interface PlanFile extends SettlementFile {
  /** Whether it is a call to be sent, one of a Safe's files. */
  readonly isCall: boolean;
}

/**
 * Yields the files of a plan's folder but the list of their sums: the plan, its tables, and the calls of its contract.
 *
 * @param allocations those of the settlement
 */
export async function* planFiles(
  settlement: Settlement,
  allocations: readonly Allocation[],
  { hasCalls, batchSize }: PlanPurpose,
): AsyncGenerator<PlanFile, void> {
  yield { path: PLAN_PATH, texts: planTexts(settlement), isCall: false };
  yield { path: "allocations.csv", texts: allocationTexts(allocations), isCall: false };
  yield { path: "settlement.csv", texts: settlementTexts(settlement), isCall: false };
  if (!hasCalls) return;
  const { contract, chainId } = settlement.book.input.source ?? {};
  if (contract === undefined || chainId === undefined) throw new TypeError("calls need a contract and a chain ID");
  for await (const file of settlementFiles({ contract, chainId, allocations, batchSize })) {
    yield { ...file, isCall: file.path.startsWith("safe/") };
  }
}

/** Returns the line of a file in the list of sums, as `sha256sum` writes and reads it. @param hash hex */
export function sumLine(path: string, hash: string): string {
  return `${hash}  ${path}\n`;
}
