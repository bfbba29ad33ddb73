import type { SaleStage } from "../../../common/sale/definition/sale.ts";
import type { ApplyEnvelope } from "../changing/domain/admit-apply.ts";

/** The stages in which a contract takes bids, or will. */
const BIDDING: ReadonlySet<SaleStage> = new Set(["pre_open", "commitment"]);

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
  return BIDDING.has(before) && !BIDDING.has(stage);
}
