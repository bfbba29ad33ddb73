/** A sale's chain as the public is shown it. */
export interface SourceChain {
  /** The EIP-155 chain ID; 0 for an SVM chain. */
  readonly chainId: bigint;
  /** The page of the sale's contract at a block explorer; empty if none is configured. */
  readonly contractUrl: string;
}

/** The part of a chain's configuration that isn't secret. */
export interface ShownChain {
  /** Absent for an SVM chain. */
  readonly chainId?: number;
  /** The address of a contract's page, with `{address}` in the place of the contract's. */
  readonly explorerUrl?: string;
}

/** Returns what the public is shown of the chain of a contract or sale account. */
export function sourceChainOf(chain: ShownChain, address: string): SourceChain {
  const { explorerUrl = "" } = chain;
  return { chainId: chainIdOf(chain), contractUrl: explorerUrl.replace("{address}", () => address) };
}

/** Returns the EIP-155 chain ID; 0 for a chain without one. */
export function chainIdOf({ chainId = 0 }: ShownChain): bigint {
  return BigInt(chainId);
}
