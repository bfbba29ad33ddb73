import { SourceFault } from "../../../chains/base/source-fault.ts";
import { COMMITMENT_LIMITS } from "../../../sale/record/commitment-limits.ts";
import type { SourceCommitment } from "../../source-commitment.ts";

/**
 * Checks that a decoded row can be stored.
 *
 * @param paymentTokens the sale's tokens, in lower case; undefined if any is right.
 * @throws SourceFault naming the commitment and the problem; its remedy is `mend`.
 */
export function checkRow(row: SourceCommitment, paymentTokens: ReadonlySet<string> | undefined): void {
  const problem = rowProblem(row) ?? (paymentTokens && tokenProblem(row, paymentTokens));
  if (problem === undefined) return;
  throw new SourceFault(`commitment 0x${row.commitmentId} of the contract ${problem}`, { remedy: "mend" });
}

function rowProblem({ createdAtSeconds, amounts, accepted = [], extraData }: SourceCommitment): string | undefined {
  const limits = COMMITMENT_LIMITS;
  if (createdAtSeconds > limits.lastCreatedAtSeconds) return `has a time after the year 9999 (${createdAtSeconds})`;
  if (accepted.length > limits.amounts)
    return `has ${accepted.length} accepted amounts; ${limits.amounts} are supported`;
  if (amounts.length > limits.amounts) return `has ${amounts.length} amounts; ${limits.amounts} are supported`;
  if (extraData.length <= limits.extraDataBytes) return undefined;
  return `has ${extraData.length} bytes of extra data; ${limits.extraDataBytes} are supported`;
}

function tokenProblem(
  { amounts, accepted = [] }: SourceCommitment,
  paymentTokens: ReadonlySet<string>,
): string | undefined {
  // Contracts may list a zero for every token that they know of. Only an amount would be missing from the figures.
  const unknown = [...amounts, ...accepted].find(({ token, amount }) => amount !== 0n && !paymentTokens.has(token));
  return unknown && `has an amount in token ${unknown.token}: add it to the payment tokens of the sale`;
}
