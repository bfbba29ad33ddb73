import { hasBiddingEnded } from "../../../common/sale/state/bidding.ts";
import type { SaleStage } from "../../../common/sale/state/stage.ts";
import type { ApplyEnvelope } from "../changing/domain/admit-apply.ts";

/**
 * Whether an apply makes a sale leave the stages in which its contract takes bids. Of a change set, only the last part does.
 *
 * @param before the sale's stage; undefined if it isn't known
 */
export function endsBidding(
  before: SaleStage | undefined,
  { stage, changeSet }: Pick<ApplyEnvelope, "stage" | "changeSet">,
): boolean {
  if (before === undefined || stage === undefined || changeSet?.last === false) return false;
  return !hasBiddingEnded(before) && hasBiddingEnded(stage);
}
