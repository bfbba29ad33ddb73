import { randomBytes } from "node:crypto";
import type { NewWallet, TestWallet } from "../bidders/permit-bid.ts";

/** How users bid in the auction, or the reason why they can't, as the page shows it. */
export type Bidding = { readonly newWallet: NewWallet } | { readonly absence: string };

const ADDRESS_BYTES = 20;

/**
 * Makes the wallet of a visit. Without a chain it is an address without a key, which is enough to ask for a permit. It is the
 * visit's own: a wallet belongs to one entity in a sale.
 */
export async function newWalletOf(bidding: Bidding): Promise<TestWallet> {
  if ("newWallet" in bidding) return bidding.newWallet();
  const bid = async () => {
    throw new Error(bidding.absence);
  };
  return { address: `0x${randomBytes(ADDRESS_BYTES).toString("hex")}`, bid };
}
