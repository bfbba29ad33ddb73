import { listAfter } from "../../../common/sale/figures/public-list.ts";
import type { SaleUpdated } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { hex, lackBelowFloor, listedCommitment, PublicBody } from "./public-body.ts";

/**
 * Returns the body at the revision of an event, made from the body one revision earlier. Undefined where the event
 * lacks some of the changes or figures, or the figures that it changed aren't those of the body.
 *
 * @throws as `publicBody` does
 */
export function nextBody({ listed, figures }: PublicBody, event: SaleUpdated): PublicBody | undefined {
  const { changes, totalAmount, commitmentCount, clearingPrice, belowFloorAmount } = event;
  if (changes === undefined || lackBelowFloor(event)) return undefined;
  const { totalAmountBefore, commitmentCountBefore, upserted, removedIds } = changes;
  if (figures.totalAmount !== totalAmountBefore || figures.commitmentCount !== commitmentCountBefore) return undefined;
  const list = listAfter(listed, {
    upserted: upserted.map(listedCommitment),
    removedIds: removedIds.map(hex),
    count: commitmentCount,
  });
  const { clearingPrice: _, ...terms } = figures;
  const next = { ...terms, totalAmount, commitmentCount, belowFloorAmount, ...(clearingPrice && { clearingPrice }) };
  return list && new PublicBody(list, next);
}
