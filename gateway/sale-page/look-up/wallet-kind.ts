import { presumedFamily } from "../../../common/chains/addresses.ts";
import type { SaleSummary } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { WalletKind } from "../browser/look-up-texts.js";

/** Returns the kind of wallets with which people pay in a sale, by its payment tokens, which are all of one kind. */
export function walletKindOf(sale: Pick<SaleSummary, "paymentTokens"> | undefined): WalletKind {
  const address = sale?.paymentTokens[0]?.address;
  return address === undefined ? "" : presumedFamily(address);
}
