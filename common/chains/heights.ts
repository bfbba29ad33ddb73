import type { ChainFamily } from "./base/chain-family.ts";

/** The name of what is counted by the height of a chain of each family. */
export const HEIGHT_UNITS: Readonly<Record<ChainFamily, string>> = { evm: "block", svm: "slot" };
