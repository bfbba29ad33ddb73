import type { SaleSummary } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { WalletKind } from "../browser/look-up-texts.js";

/** Returns the kind of wallets with which people pay in a sale, by its payment tokens, which are all of one kind. */
export function walletKindOf(sale: Pick<SaleSummary, "paymentTokens"> | undefined): WalletKind {
  const address = sale?.paymentTokens[0]?.address;
  if (address === undefined) return "";
  return address.startsWith("0x") ? "evm" : "svm";
}
