import { type SourceCommitment, SourceFault } from "../../source/source-reader.ts";

/** Limits of `CommitmentRecord` in the contract of the commitments service. */
const LAST_SECOND_OF_9999 = 253_402_300_799n;
const MAX_AMOUNTS = 1024;
const MAX_EXTRA_DATA_BYTES = 65_536;

/**
 * Checks what a decoded row can't be stored without.
 *
 * @param paymentTokens of the sale, in lower case.
 * @throws SourceFault to be mended, naming the commitment and what is wrong with it.
 */
export function checkRow(row: SourceCommitment, paymentTokens: ReadonlySet<string>): void {
  const problem = rowProblem(row) ?? tokenProblem(row, paymentTokens);
  if (problem === undefined) return;
  throw new SourceFault(`commitment 0x${row.commitmentId} of the contract ${problem}`, { remedy: "mend" });
}

function rowProblem({ createdAtSeconds, amounts, extraData }: SourceCommitment): string | undefined {
  if (createdAtSeconds > LAST_SECOND_OF_9999) return `has a time after the year 9999 (${createdAtSeconds})`;
  if (amounts.length > MAX_AMOUNTS) return `has ${amounts.length} amounts; ${MAX_AMOUNTS} are supported`;
  if (extraData.length <= MAX_EXTRA_DATA_BYTES) return undefined;
  return `has ${extraData.length} bytes of extra data; ${MAX_EXTRA_DATA_BYTES} are supported`;
}

function tokenProblem({ amounts }: SourceCommitment, paymentTokens: ReadonlySet<string>): string | undefined {
  const unknown = amounts.find(({ token }) => !paymentTokens.has(token));
  return unknown && `has an amount in token ${unknown.token}: add it to the payment tokens of the sale`;
}
