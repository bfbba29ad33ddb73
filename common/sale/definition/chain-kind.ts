import { ChainKind } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { CHAIN_FAMILIES, type ChainFamily } from "../../chains/base/chain-family.ts";

/** The family of a chain, as messages say it. */
export const CHAIN_KINDS: Readonly<Record<ChainFamily, ChainKind>> = { evm: ChainKind.EVM, svm: ChainKind.SVM };

/** @param kind of a validated message */
export function familyOfKind(kind: ChainKind): ChainFamily {
  return CHAIN_FAMILIES.find((family) => CHAIN_KINDS[family] === kind) ?? "evm";
}
