import type { ChainFamily } from "./chain-family.ts";

/**
 * The looks of an address, by family of chains. On SVM a text of this form may still be other than the base58 of 32 bytes, which
 * `ADDRESSES` tells; pages, which decode nothing, ask for the form only.
 */
export const ADDRESS_FORMS: Readonly<Record<ChainFamily, RegExp>> = {
  evm: /^0x[0-9a-fA-F]{40}$/,
  svm: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
};
