import type { ExtraDataParser } from "../extra-data/extra-data.ts";
import { type PresentedCommitment, presentCommitments } from "../figures/commitment-data.ts";
import { activeClasses } from "../figures/counting-class.ts";
import type { NodeSum } from "../figures/tick-tree.ts";
import type { SaleDefinition } from "../sale/sale.ts";
import type { SaleState } from "../sale/sale-state.ts";
import type { ApplyPlan } from "./apply.ts";

/** Commitments that an event tells of at most; of more, a reader asks for the sale. */
export const MAX_CHANGES_TOLD = 20;
/** Bytes of their extra data, about. */
const MAX_EXTRA_DATA = 4_096;

/** How the list and the figures of a sale differ from the revision before. */
export interface VisibleChanges {
  /** Active ones, in any order. */
  readonly upserted: readonly PresentedCommitment[];
  /** IDs of those that are gone, or not active any more. */
  readonly removed: readonly string[];
  /** Over the active commitments of the revision before. */
  readonly before: NodeSum;
}

/**
 * What an apply changes for readers; undefined where that is too much to tell.
 *
 * @param state after the apply; one in which the same counting classes are active as before, so that no other row comes or goes.
 * @param before over the active commitments until then
 */
export function visibleChanges(
  { rows, removals }: ApplyPlan,
  { definition, state, before }: { definition: SaleDefinition; state: SaleState; before: NodeSum },
  parse: ExtraDataParser,
): VisibleChanges | undefined {
  const bytes = rows.reduce((sum, { record }) => sum + record.extraData.length, 0);
  if (rows.length + removals.length > MAX_CHANGES_TOLD || bytes > MAX_EXTRA_DATA) return undefined;
  const active = new Set(activeClasses(state, definition.cancelledKeepsAmounts));
  const shown = rows.filter(({ countingClass }) => active.has(countingClass)).map(({ record }) => record);
  const hidden = rows
    .filter(({ countingClass }) => !active.has(countingClass))
    .map(({ record }) => record.commitmentId);
  return { upserted: presentCommitments(definition, shown, parse), removed: [...removals, ...hidden], before };
}
