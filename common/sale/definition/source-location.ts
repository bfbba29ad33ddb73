import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { ChainFamily } from "../../chains/base/chain-family.ts";
import { type ContractFamily, contractFamilyOf } from "./contract-family.ts";

/** The place of a sale's contract. */
export interface SourceLocation {
  readonly family: ChainFamily;
  /** The chain's name in the operator's configuration. */
  readonly chain: string;
  /** The address of the contract, or of the sale account. */
  readonly address: string;
  /** Major version of the reference contract; absent if the definition doesn't say it. */
  readonly contractVersion?: number;
  /** Absent for the reference contract's family, and on chains with no other. */
  readonly contractFamily?: ContractFamily;
}

type SourceMessage = SaleDefinition["source"];
/** The message of a source by its family. */
type SourceMessages = {
  readonly [Family in ChainFamily]: Extract<SourceMessage, { readonly case: Family }>["value"];
};
type Place = Omit<SourceLocation, "family">;

const PLACES: { readonly [Family in ChainFamily]: (source: SourceMessages[Family]) => Place } = {
  evm: ({ chain, contract, contractVersion, family }) => {
    const contractFamily = contractFamilyOf(family);
    return {
      chain,
      address: contract,
      ...(contractVersion === 0 ? {} : { contractVersion }),
      ...(contractFamily === undefined ? {} : { contractFamily }),
    };
  },
  svm: ({ chain, saleAccount }) => ({ chain, address: saleAccount }),
};

/** Returns where the contract of a sale is; undefined for a sale without one. */
export function sourceLocation(source: SourceMessage): SourceLocation | undefined {
  return source.case === undefined ? undefined : { family: source.case, ...placeOf(source.case, source.value) };
}

function placeOf<Family extends ChainFamily>(family: Family, source: SourceMessages[Family]): Place {
  return PLACES[family](source);
}
