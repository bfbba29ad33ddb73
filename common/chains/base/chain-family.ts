/**
 * The families of chains: each has its own addresses, signatures and contracts. Every question that they answer differently has one
 * file in `common/chains`, with a table of all families.
 */
export const CHAIN_FAMILIES = ["evm", "svm"] as const;

export type ChainFamily = (typeof CHAIN_FAMILIES)[number];
