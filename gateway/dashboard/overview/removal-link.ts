import { type Sale, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { texts } from "../base/texts.ts";

/** Returns the link's text for the removal of a sale; undefined for one that is withdrawn already. */
export function removalLink({ status }: Sale): string | undefined {
  if (status === SaleStatus.WITHDRAWN) return undefined;
  const { deleteDraft, withdraw } = texts().saleOverview;
  return status === SaleStatus.DRAFT ? deleteDraft : withdraw;
}
