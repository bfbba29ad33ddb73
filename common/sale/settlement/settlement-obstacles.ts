import type { SaleStage } from "../state/stage.ts";
import type { SaleStatus } from "../state/status.ts";

/** Why a sale can't be settled yet by what the service knows of it. */
export type SettlementObstacle =
  | "settles_itself"
  | "sells_over_time"
  | "not_public"
  | "no_snapshot"
  | "change_set_open"
  | "stage_unknown"
  | "bidding_or_cancelling"
  | "still_open"
  | "source_unread"
  | "source_fault"
  | "feed_stands_still"
  | "sweep_runs"
  | "sweep_waits";

/** The facts of a sale that decide whether it can be settled. */
export interface SettlementFacts {
  /** Undefined where this version doesn't know it. */
  readonly status: SaleStatus | undefined;
  readonly stage: SaleStage | undefined;
  readonly hasSnapshot: boolean;
  readonly isChangeSetOpen: boolean;
  /** Whether its clearing rule is one of auctions that sell while bidding goes on, which no plan divides. */
  readonly sellsOverTime: boolean;
  /** Absent for a sale that isn't read from a contract. */
  readonly source?: {
    /** Whether the contract divides and pays by rules of its own, for which no plan is made. */
    readonly settlesItself: boolean;
    /** Whether a block is known whose state the figures are. */
    readonly hasPosition: boolean;
    readonly isUnreadable: boolean;
    readonly standsStill: boolean;
    readonly isSwept: boolean;
    /** Whether a sweep was asked for and hasn't ended. */
    readonly awaitsSweep: boolean;
  };
}

/** The stages after bidding and cancelling. */
const ENDED: readonly SaleStage[] = ["settlement", "done"];

/** Returns all that stands against settling a sale; nothing of it says whether its block is final. */
export function settlementObstacles(facts: SettlementFacts): readonly SettlementObstacle[] {
  const { status, hasSnapshot, isChangeSetOpen, source } = facts;
  if (source?.settlesItself) return ["settles_itself"];
  if (facts.sellsOverTime) return ["sells_over_time"];
  const obstacles: (SettlementObstacle | false)[] = [
    status !== "open" && status !== "settled" && "not_public",
    !hasSnapshot && "no_snapshot",
    isChangeSetOpen && "change_set_open",
    stageObstacle(facts),
  ];
  if (source !== undefined) {
    obstacles.push(
      !source.hasPosition && "source_unread",
      source.isUnreadable && "source_fault",
      source.standsStill && "feed_stands_still",
      source.isSwept && "sweep_runs",
      !source.isSwept && source.awaitsSweep && "sweep_waits",
    );
  }
  return obstacles.filter((obstacle) => obstacle !== false);
}

/** A sale that no contract's stage is known of has ended once it is settled; where it is read from a contract, only the stage says that. */
function stageObstacle({ status, stage, source }: SettlementFacts): SettlementObstacle | false {
  if (stage !== undefined) return !ENDED.includes(stage) && "bidding_or_cancelling";
  if (source !== undefined) return "stage_unknown";
  return status !== "settled" && "still_open";
}
