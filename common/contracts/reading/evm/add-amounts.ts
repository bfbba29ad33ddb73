import type { SourceCommitment } from "../../source-commitment.ts";
import { acceptedKey } from "./accepted-key.ts";

/**
 * Adds the raw amounts of a row to sums by token, and what is accepted of it to those by `acceptedKey`; subtracts them if
 * `sign` is -1.
 */
export function addAmounts(
  sums: Map<string, bigint>,
  { amounts, accepted = NONE }: SourceCommitment,
  sign: 1n | -1n = 1n,
): void {
  for (const { token, amount } of amounts) add(sums, token, sign * amount);
  for (const { token, amount } of accepted) add(sums, acceptedKey(token), sign * amount);
}

const NONE: NonNullable<SourceCommitment["accepted"]> = [];

function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}
