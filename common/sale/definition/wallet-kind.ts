import { WalletKind } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { CHAIN_FAMILIES, type ChainFamily } from "../../chains/base/chain-family.ts";

/** The family of a wallet's chains, as messages say it. */
export const WALLET_KINDS: Readonly<Record<ChainFamily, WalletKind>> = { evm: WalletKind.EVM, svm: WalletKind.SVM };

/** @param kind number of a `WalletKind` */
export function chainFamilyOf(kind: number): ChainFamily {
  return CHAIN_FAMILIES.find((family) => WALLET_KINDS[family] === kind) ?? "evm";
}
