import { formatWallet, walletOfBytes } from "../../../common/chains/wallet.ts";

/** Writes the address of a wallet whose family its length tells. */
export function walletText(bytes: Uint8Array): string {
  return formatWallet(walletOfBytes(bytes));
}
