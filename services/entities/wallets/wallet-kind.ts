import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { WalletKind } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";

/** @param kind of a validated message */
export function walletKindOf(kind: WalletKind): ChainFamily {
  return kind === WalletKind.SVM ? "svm" : "evm";
}
