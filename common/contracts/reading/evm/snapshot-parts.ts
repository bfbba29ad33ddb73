import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { ContractFacts, ContractMeaning, TokenSums } from "../../contract-facts.ts";
import type { Difference } from "../../source-snapshot.ts";
import type { LogAudit } from "./log-audit.ts";
import type { ReadSession } from "./read-session.ts";
import type { Sweep } from "./sweep.ts";
import { SweepRequired } from "./sweep-required.ts";

/** Logs that can't be read prove nothing, and don't fail a sweep. */
export function ignoreUnreadableLogs(error: unknown): void {
  if (!(error instanceof SweepRequired)) throw error;
}

/** Logs that can't be read again, once a sweep was consistent, don't fail the sweep. */
export function ignoreUnansweredReview(error: unknown): void {
  if (!(error instanceof SourceFault)) ignoreUnreadableLogs(error);
}

/** Returns the fields of a snapshot that are known before its iteration. @param allocationTotals undefined where they aren't read */
export function summaryOf(
  { position, options }: ReadSession,
  { count }: ContractFacts,
  { stage }: ContractMeaning,
  allocationTotals: TokenSums | undefined,
) {
  const stated = { ...(stage === undefined ? {} : { stage }), ...(allocationTotals && { allocationTotals }) };
  return { position, headHeight: options.heads.newest.number, count, ...stated };
}

/** Yields a difference unless it is empty. */
export async function* oneDifference({ upserts, removals }: Difference): AsyncGenerator<Difference, void, undefined> {
  if (upserts.length + removals.length > 0) yield { upserts, removals };
}

/** Yields the differences of a sweep, which an audit compares with the logs, and concludes. */
export async function* audited(
  sweep: Sweep,
  audit: LogAudit | undefined,
  conclude: () => Promise<void>,
): AsyncGenerator<Difference, void, undefined> {
  for await (const difference of sweep.differences()) {
    audit?.add(difference);
    yield difference;
  }
  await conclude();
}
