import type { SalePresentation } from "../../../common/sale/definition/sale.ts";
import type { SalePresentation as PresentationMessage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/**
 * Converts what people read about a sale. Protovalidate has refused times beyond the year 9999, so the numbers are exact, and a
 * total supply that is no integer.
 */
export function presentationOf({
  description,
  website,
  offeredTokenSymbol,
  opensAtSeconds,
  closesAtSeconds,
  totalSupply,
}: PresentationMessage): SalePresentation {
  return {
    description,
    website,
    offeredTokenSymbol,
    ...(opensAtSeconds !== undefined && { opensAtSeconds: Number(opensAtSeconds) }),
    ...(closesAtSeconds !== undefined && { closesAtSeconds: Number(closesAtSeconds) }),
    ...(totalSupply !== "" && { totalSupply: BigInt(totalSupply) }),
  };
}

/** Converts what people read about a sale; the answer initialises a message. */
export function presentationMessage({ opensAtSeconds, closesAtSeconds, totalSupply, ...texts }: SalePresentation) {
  return {
    ...texts,
    ...(opensAtSeconds !== undefined && { opensAtSeconds: BigInt(opensAtSeconds) }),
    ...(closesAtSeconds !== undefined && { closesAtSeconds: BigInt(closesAtSeconds) }),
    ...(totalSupply !== undefined && { totalSupply: totalSupply.toString() }),
  };
}
