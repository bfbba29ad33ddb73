import { type SettleableSale, settleableSale } from "../../../common/sale/settlement/settleable-sale.ts";
import type { SettlementObstacle } from "../../../common/sale/settlement/settlement-obstacles.ts";
import { stageOf, stageText } from "../../../common/sale/state/stage.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { CommandFailure } from "../base/cli-error.ts";
import { faultText } from "../sales/source-status-text.ts";

/** Returns a sale that can be settled. @throws CommandFailure that says all that is missing */
export function requireSettleable(sale: Sale): SettleableSale {
  const settleable = settleableSale(sale);
  if ("obstacles" in settleable) throw notSettleable(sale, settleable.obstacles);
  return settleable;
}

/** Returns the failure that says why a sale can't be settled yet. */
export function notSettleable(sale: Sale, obstacles: readonly SettlementObstacle[]): CommandFailure {
  const reasons = obstacles.map((obstacle) => `- ${SENTENCES[obstacle](sale)}`);
  return new CommandFailure(["the sale can't be settled yet:", ...reasons].join("\n"));
}

const SENTENCES: Readonly<Record<SettlementObstacle, (sale: Sale) => string>> = {
  settles_itself: () =>
    "its contract is a Continuous Clearing Auction, which sets the price, fills bids and refunds by its own rules: no plan is made for it",
  sells_over_time: () =>
    "no plan divides an auction with the clearing rule LOWEST_NOT_OUTBID: its contract sells while bidding goes on, and decides itself what each bid gets",
  not_public: () => "it must be open or settled",
  no_snapshot: () => "its contract must have been read once as a whole",
  change_set_open: () => "a change set is open: it must be applied as a whole",
  stage_unknown: () => "nobody says the stage of its contract, which must be settlement or done",
  bidding_or_cancelling: ({ stage }) => {
    return `the stage must be settlement or done, and is ${stageText(stageOf(stage))}: bidding and cancelling must have ended`;
  },
  still_open: () => "a sale that isn't read from a contract, and has no stage, must be settled",
  source_unread: () => "nobody says of which block the figures are",
  source_fault: (sale) => `its contract can't be read: ${faultText(sale)}`,
  feed_stands_still: (sale) => `its figures stand still: ${faultText(sale)}`,
  sweep_runs: () => "its contract is being read as a whole: that must have ended",
  sweep_waits: () => "a read of the whole contract was asked for, and must have ended",
};
