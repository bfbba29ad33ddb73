import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { type SourceLocation, sourceLocation } from "../../../common/sale/definition/source-location.ts";
import type { SettlementInput } from "../../../common/sale/settlement/settlement-book.ts";
import {
  type SettlementFacts,
  type SettlementObstacle,
  settlementObstacles,
} from "../../../common/sale/settlement/settlement-obstacles.ts";
import { stageOf, stageText } from "../../../common/sale/state/stage.ts";
import { publicStatus, statusOf } from "../../../common/sale/state/status.ts";
import { ClearingRule, FeedFault, type Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { CommandFailure } from "../base/cli-error.ts";
import { faultText } from "../sales/source-status-text.ts";

/** The family of chains that a sale is read from, with the input that names its block. */
export interface SettleableSale {
  readonly input: SettlementInput;
  /** Absent for a sale that isn't read from a contract. */
  readonly location?: SourceLocation;
}

const SELLS_OVER_TIME =
  "no plan divides an auction with the clearing rule LOWEST_NOT_OUTBID: its contract sells while bidding goes on, and decides itself what each bid gets";

/**
 * Returns the input of a settlement. Whether its block is final is another question.
 *
 * @throws CommandFailure that says all that is missing, or that such a sale is never settled by a plan
 */
export function settleableSale(sale: Sale): SettleableSale {
  const { pricing } = sale.definition ?? {};
  const isAuction = pricing?.case === "auction";
  if (isAuction && pricing.value.clearingRule === ClearingRule.LOWEST_NOT_OUTBID) {
    throw new CommandFailure(SELLS_OVER_TIME);
  }
  const obstacles = settlementObstacles(factsOf(sale));
  const status = publicStatus(sale.status);
  if (obstacles.length > 0 || status === undefined) {
    const reasons = obstacles.map((obstacle) => `- ${SENTENCES[obstacle](sale)}`);
    throw new CommandFailure(["the sale can't be settled yet:", ...reasons].join("\n"));
  }
  const location = locationOf(sale);
  const stage = stageOf(sale.stage);
  const input = {
    ...{ saleUuid: sale.uuid, generation: sale.generation, revision: sale.revision, status },
    ...(stage === undefined ? {} : { stage }),
  };
  return location === undefined ? { input } : { input: { ...input, source: sourceOf(sale, location) }, location };
}

function locationOf({ definition }: Sale): SourceLocation | undefined {
  return definition && sourceLocation(definition.source);
}

/** The block of the last change; where that isn't known, the one up to which the figures are known. */
function positionOf({ changedPosition, feedState }: Sale) {
  return changedPosition ?? feedState?.asOf?.position;
}

function sourceOf(sale: Sale, { chain, address }: SourceLocation): NonNullable<SettlementInput["source"]> {
  const { height, hash } = positionOf(sale) ?? {};
  const chainId = sale.feedState?.chain?.chainId ?? 0n;
  return {
    ...{ chain, contract: address, height: height ?? 0n, hash: hash === undefined ? "" : hexOfBytes(hash) },
    ...(chainId === 0n ? {} : { chainId }),
  };
}

function factsOf(sale: Sale): SettlementFacts {
  const { sourceStatus, feedState } = sale;
  const facts = {
    ...{ status: statusOf(sale.status), stage: stageOf(sale.stage) },
    ...{ hasSnapshot: sale.hasSnapshot, isChangeSetOpen: sale.changeSetOpen },
  };
  const location = locationOf(sale);
  if (location === undefined) return facts;
  return {
    ...facts,
    source: {
      settlesItself: location.contractFamily !== undefined,
      // Before the first report nobody knows how current the figures are.
      hasPosition: feedState !== undefined && positionOf(sale) !== undefined,
      isUnreadable: sourceStatus !== undefined && sourceStatus.fault !== "",
      standsStill: feedState !== undefined && feedState.fault !== FeedFault.UNSPECIFIED,
      isSwept: sourceStatus?.sweep?.running === true,
      awaitsSweep: (sourceStatus?.sweepRequests ?? 0n) > (sourceStatus?.sweep?.sweepRequests ?? 0n),
    },
  };
}

const SENTENCES: Readonly<Record<SettlementObstacle, (sale: Sale) => string>> = {
  settles_itself: () =>
    "its contract is a Continuous Clearing Auction, which sets the price, fills bids and refunds by its own rules: no plan is made for it",
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
