/**
 * The families of chains: each has its own addresses, signatures and contracts. Every question that they answer differently has one
 * file in `common/chains`, with a table of all families.
 */
export const CHAIN_FAMILIES = ["evm", "svm"] as const;

export type ChainFamily = (typeof CHAIN_FAMILIES)[number];

/** Whether chains of a family have an ID of their own (EIP-155). */
export const HAS_CHAIN_ID: Readonly<Record<ChainFamily, boolean>> = { evm: true, svm: false };
