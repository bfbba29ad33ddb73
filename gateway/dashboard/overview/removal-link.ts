import { type Sale, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** Returns the link's text for the removal of a sale; undefined for one that is withdrawn already. */
export function removalLink({ status }: Sale): string | undefined {
  if (status === SaleStatus.WITHDRAWN) return undefined;
  return status === SaleStatus.DRAFT ? "Delete the draft…" : "Withdraw the sale…";
}
