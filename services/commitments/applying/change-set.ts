import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { TokenAmounts } from "../../../common/sale/record/token-amounts.ts";
import { hasBiddingEnded } from "../../../common/sale/state/bidding.ts";
import type { SaleStage } from "../../../common/sale/state/stage.ts";
import { afterApply, afterPart, forgotten, type SaleAllocations } from "../base/domain/sale-allocations.ts";
import { type SaleState, withoutChangedPosition } from "../base/domain/sale-state.ts";
import { isSettling } from "../base/domain/shown-allocations.ts";
import type { AcceptedChanges } from "../changing/domain/accepted-changes.ts";
import type { ApplyEnvelope } from "../changing/domain/admit-apply.ts";

/** The changes that an apply has made to the rows of allocations. */
type AllocationRows = Pick<AcceptedChanges, "sums">;

/** Whether an apply completes what readers may see: it has no change set, or is the last part of one. */
export function isComplete({ changeSet }: ApplyEnvelope): boolean {
  return changeSet === undefined || changeSet.last;
}

/**
 * Whether readers must keep the body from before this apply: it begins a change set of several parts, and no body is kept
 * yet.
 */
export function startsHiding(before: SaleState, { changeSet }: ApplyEnvelope): boolean {
  return changeSet !== undefined && !changeSet.last && before.changeSet === undefined && before.hasSnapshot;
}

/**
 * Returns the state after an apply has abandoned the open change set, if it does so. A set that was to settle the sale has
 * used up the number of its settlement: its rows may be stored, and must not count in the next one.
 */
export function withoutAbandonedSet(before: SaleState, { changeSet, stage }: ApplyEnvelope): SaleState {
  const { changeSet: open, status } = before;
  const isAbandoned = open !== undefined && open.uuid !== changeSet?.uuid;
  if (!isAbandoned || open.stage !== "done" || stage === "done" || status === "settled") return before;
  return { ...before, settleCount: before.settleCount + 1n };
}

/**
 * Returns the state after an incomplete apply: only the change set advances, and the allocations, whose rows nobody reads
 * meanwhile.
 */
export function withOpenSet(before: SaleState, { changeSet, stage }: ApplyEnvelope, rows: AllocationRows): SaleState {
  if (changeSet === undefined) return before;
  const nextPart = changeSet.part + 1;
  const state = withAllocations(before, afterPart(before.allocations, rows.sums));
  return { ...state, changeSet: { uuid: changeSet.uuid, nextPart, ...(stage === undefined ? {} : { stage }) } };
}

/**
 * Returns the state after a complete apply. With a source, what is known of the allocations is what the apply says. Without one
 * it stays, until the sale is opened again.
 */
export function withAppliedAllocations(
  { source }: Pick<SaleDefinition, "source">,
  state: SaleState,
  totals: TokenAmounts | undefined,
  { sums }: AllocationRows,
): SaleState {
  const { allocations } = state;
  if (source !== undefined) return withAllocations(state, afterApply(allocations, sums, totals));
  return allocations === undefined || isSettling(state) ? state : withAllocations(state, forgotten(allocations));
}

function withAllocations({ allocations: _, ...state }: SaleState, after: SaleAllocations | undefined): SaleState {
  return after === undefined ? state : { ...state, allocations: after };
}

/** Returns the state after a complete apply: no change set is open, and the source was read whole. */
export function completed(target: SaleState, { sourcePosition }: ApplyEnvelope): SaleState {
  const { changeSet: _, ...state } = target;
  return { ...state, hasSnapshot: true, ...(sourcePosition === undefined ? {} : { sourcePosition }) };
}

/** Returns the state after a complete apply whose changes readers see. */
export function changed(before: SaleState, { sourcePosition }: ApplyEnvelope): SaleState {
  const state = withoutChangedPosition(before);
  return sourcePosition === undefined ? state : { ...state, changedPosition: sourcePosition };
}

/** Whether readers see a difference even if no row differs: another status or stage, the first snapshot, the end of a set. */
export function isVisibleWithoutRows(before: SaleState, after: SaleState): boolean {
  const isOther = before.status !== after.status || before.stage !== after.stage;
  return isOther || !before.hasSnapshot || before.changeSet !== undefined;
}

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
