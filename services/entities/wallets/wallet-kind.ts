import { WalletKind } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { WalletKindName } from "../base/wallet-tables.ts";

/** @param kind of a validated message */
export function walletKindOf(kind: WalletKind): WalletKindName {
  return kind === WalletKind.SVM ? "svm" : "evm";
}
