import { createTestClient, http, publicActions, type TransactionReceipt, walletActions } from "viem";

const REQUEST_TIMEOUT_MS = 5_000;
const POLL_MS = 20;

export type ChainClient = ReturnType<typeof chainClient>;

/** A client of the local chain, which signs for its unlocked accounts. */
export function chainClient(url: string) {
  const transport = http(url, { timeout: REQUEST_TIMEOUT_MS, retryCount: 0 });
  return createTestClient({ mode: "anvil", transport, pollingInterval: POLL_MS, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
}

/** The receipt of a transaction. @throws Error if it reverted */
export async function mined(client: ChainClient, hash: `0x${string}`): Promise<TransactionReceipt> {
  // While viem looks for a replacement it ignores new blocks, and this chain mines only the one for the transaction.
  const receipt = await client.waitForTransactionReceipt({
    hash,
    timeout: REQUEST_TIMEOUT_MS,
    checkReplacement: false,
  });
  if (receipt.status !== "success") throw new Error(`transaction ${hash} reverted`);
  return receipt;
}
