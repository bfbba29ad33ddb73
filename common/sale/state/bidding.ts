import type { SaleStage } from "./stage.ts";

/** The stages in which a contract no longer takes bids. */
const AFTER_BIDDING: readonly SaleStage[] = ["closed", "cancellation", "settlement", "done"];

/** Whether a contract at a stage takes no bids any more. */
export function hasBiddingEnded(stage: SaleStage): boolean {
  return AFTER_BIDDING.includes(stage);
}
