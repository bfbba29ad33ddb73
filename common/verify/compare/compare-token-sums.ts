import type { TokenSums } from "./token-sums.ts";

/**
 * Compares the sums of a contract's commitments with its own totals. Both are the node's word, so a difference says nothing
 * about Tidemark: either the contract counts otherwise, or the node's answers contradict each other.
 *
 * @returns texts for people
 */
export function compareTokenSums(sums: TokenSums, totals: ReadonlyMap<string, bigint> | undefined): readonly string[] {
  if (totals === undefined) return [];
  return sums.differing(totals).map((token) => {
    const total = `the contract's own total of token ${token} is ${totals.get(token) ?? 0n}`;
    return `${total}, and its commitments have ${sums.of(token)}: it may count otherwise, or the node may not be honest`;
  });
}
