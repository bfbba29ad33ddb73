import { Checks } from "./checks.ts";
import type { ShownSale } from "./shown-sale.ts";

/** A sale's contract as the caller knows it from elsewhere. */
export interface ExpectedContract {
  /** In its canonical form. */
  readonly contract?: string;
  /** EIP-155. */
  readonly chainId?: bigint;
}

/** Begins the checks of a sale with what Tidemark says about its contract. */
export function beginChecks({ source }: ShownSale, { contract, chainId }: ExpectedContract): Checks {
  const checks = new Checks();
  const chain = source.chainId === undefined ? source.chain : `${source.chain}, chain ID ${source.chainId}`;
  checks.made("contract", `${source.address} on ${chain}`);
  if (contract !== undefined) checks.compare("contract", "address", source.address, contract);
  if (chainId !== undefined && source.kind === "evm") checks.compare("contract", "chain ID", source.chainId, chainId);
  return checks;
}
