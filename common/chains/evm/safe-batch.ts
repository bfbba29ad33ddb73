/** A transaction for a Safe. */
export interface SafeTransaction {
  /** EIP-155. */
  readonly chainId: bigint;
  readonly name: string;
  readonly to: string;
  /** `0x` and hex. */
  readonly data: string;
}

/**
 * Returns a file for the transaction builder of a Safe: one transaction that sends no money. Its time is 0, so that the same call makes
 * the same file.
 */
export function safeBatch({ chainId, name, to, data }: SafeTransaction): string {
  return JSON.stringify({
    version: "1.0",
    chainId: `${chainId}`,
    createdAt: 0,
    meta: { name, description: "" },
    transactions: [{ to, value: "0", data, contractMethod: null, contractInputsValues: null }],
  });
}
