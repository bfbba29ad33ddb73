/** Where a proof counts: the EIP-155 ID of the chain of a smart account that has signed (EIP-1271), or 0 for a key's signature. */
export type ProofChain = bigint;

/**
 * A key's signature counts in sales of every chain. A smart account's counts on its own chain only, as another person may control
 * the same address on another one (EIP-4361, CAIP-10).
 */
export const EVERY_CHAIN: ProofChain = 0n;

/**
 * Returns the proofs that count in a sale.
 *
 * @param chainId the EIP-155 ID of the sale's chain; undefined while it isn't known
 */
export function countingChains(chainId: bigint | undefined): readonly ProofChain[] {
  return chainId === undefined || chainId === EVERY_CHAIN ? [EVERY_CHAIN] : [EVERY_CHAIN, chainId];
}
