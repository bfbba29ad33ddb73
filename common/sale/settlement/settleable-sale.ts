import { ClearingRule, FeedFault, type Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { hexOfBytes } from "../../platform/encoding/hex.ts";
import { type SourceLocation, sourceLocation } from "../definition/source-location.ts";
import { stageOf } from "../state/stage.ts";
import { publicStatus, statusOf } from "../state/status.ts";
import type { SettlementInput, SettlementSource } from "./settlement-book.ts";
import { type SettlementFacts, type SettlementObstacle, settlementObstacles } from "./settlement-obstacles.ts";

/** A sale that can be settled by what the service knows of it. Whether its block is final is another question. */
export interface SettleableSale {
  readonly input: SettlementInput;
  /** Absent for a sale that isn't read from a contract. */
  readonly location?: SourceLocation;
}

/** A sale that can't be settled yet. */
export interface UnsettleableSale {
  /** At least one. */
  readonly obstacles: readonly SettlementObstacle[];
}

/** Returns the input of a settlement, or all that stands against one. */
export function settleableSale(sale: Sale): SettleableSale | UnsettleableSale {
  const obstacles = settlementObstacles(factsOf(sale));
  const status = publicStatus(sale.status);
  if (obstacles.length > 0 || status === undefined) return { obstacles };
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

function sourceOf(sale: Sale, { chain, address }: SourceLocation): SettlementSource {
  const { height, hash } = positionOf(sale) ?? {};
  const chainId = sale.feedState?.chain?.chainId ?? 0n;
  return {
    ...{ chain, contract: address, height: height ?? 0n, hash: hash === undefined ? "" : hexOfBytes(hash) },
    ...(chainId === 0n ? {} : { chainId }),
  };
}

function factsOf(sale: Sale): SettlementFacts {
  const { sourceStatus, feedState, definition } = sale;
  const { case: kind, value } = definition?.pricing ?? {};
  const sellsOverTime = kind === "auction" && value?.clearingRule === ClearingRule.LOWEST_NOT_OUTBID;
  const facts = {
    ...{ status: statusOf(sale.status), stage: stageOf(sale.stage) },
    ...{ hasSnapshot: sale.hasSnapshot, isChangeSetOpen: sale.changeSetOpen, sellsOverTime },
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
