import { Checks } from "./checks.ts";
import type { ShownSale } from "./shown-sale.ts";

/** A sale's contract as the caller knows it from elsewhere. */
export interface ExpectedContract {
  /** In its canonical form. */
  readonly contract?: string;
  /** EIP-155. */
  readonly chainId?: bigint;
}

/**
 * Begins the checks of a sale with what Tidemark says about its contract. Which contract it is, is the same only where the caller
 * knows it from elsewhere.
 */
export function beginChecks({ source }: ShownSale, { contract, chainId }: ExpectedContract): Checks {
  const checks = new Checks();
  const { kind, address } = source;
  const chain = source.chainId === undefined ? source.chain : `${source.chain}, chain ID ${source.chainId}`;
  const named = `${address} on ${chain}`;
  // Where Tidemark doesn't say the chain's ID, a node is asked for the caller's; a sale on Solana is on no chain with one.
  const hasChain = chainId !== undefined && (source.chainId !== undefined || kind === "svm");
  if (contract !== undefined) checks.covers("contract", named);
  else if (hasChain)
    checks.covers("contract", `chain ID ${chainId}; that the contract is ${address} is Tidemark's word`);
  else checks.skipped("contract", `${named}, by Tidemark's word`);
  if (contract !== undefined) checks.compare("contract", "address", address, contract);
  if (hasChain) checks.compare("contract", "chain ID", source.chainId, chainId);
  return checks;
}
