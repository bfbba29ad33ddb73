import type { SourceCommitment } from "../../source/source-commitment.ts";

/** Adds the raw amounts of a row to sums by token; subtracts them if `sign` is -1. */
export function addAmounts(sums: Map<string, bigint>, { amounts }: SourceCommitment, sign: 1n | -1n = 1n): void {
  for (const { token, amount } of amounts) sums.set(token, (sums.get(token) ?? 0n) + sign * amount);
}
