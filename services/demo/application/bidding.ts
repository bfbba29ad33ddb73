import type { NewWallet, TestWallet } from "../permit-bid.ts";

/** How users bid in the auction, or the reason why they can't, as the page shows it. */
export type Bidding = { readonly newWallet: NewWallet } | { readonly absence: string };

/** The wallet of somebody who can't bid; permits are issued for it all the same, where the sale issues any. */
const NO_WALLET = "0x000000000000000000000000000000000000dEaD";

/** Makes the wallet of a visit. Without a chain it is an address without a key, which is enough to ask for a permit. */
export async function newWalletOf(bidding: Bidding): Promise<TestWallet> {
  if ("newWallet" in bidding) return bidding.newWallet();
  const bid = async () => {
    throw new Error(bidding.absence);
  };
  return { address: NO_WALLET, bid };
}
