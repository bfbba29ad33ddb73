import type { SaleDefinition } from "../../../../common/sale/definition/sale.ts";
import { type PresentedCommitment, presentCommitments } from "../../../../common/sale/figures/commitment-data.ts";
import { activeClasses } from "../../../../common/sale/figures/counting-class.ts";
import type { ExtraDataParser } from "../../../../common/sale/figures/extra-data.ts";
import type { NodeSum } from "../../../../common/sale/figures/tick-tree.ts";
import type { SaleState } from "./sale-state.ts";
import type { CommitmentRow } from "./stored-commitment.ts";

/** The most commitments in an event. With more, readers load the sale. */
export const MAX_EVENT_CHANGES = 20;
/** The most bytes of their extra data together. */
const MAX_EXTRA_DATA = 4_096;

/** The difference of a sale's list and figures from the revision before. */
export interface VisibleChanges {
  /** Active commitments that are new or different, in any order. */
  readonly upserted: readonly PresentedCommitment[];
  /** The IDs of commitments that were removed or aren't active any more. */
  readonly removed: readonly string[];
  /** The sum over the active commitments of the revision before. */
  readonly before: NodeSum;
}

/**
 * Lists the changes that readers see; undefined if they are too many for an event.
 *
 * @param state the state after the apply, with the same active counting classes as before, so that no other row appears or
 *   disappears
 * @param before the sum over the active commitments before the apply
 */
export function visibleChanges(
  { rows, removals }: { readonly rows: readonly CommitmentRow[]; readonly removals: readonly string[] },
  { definition, state, before }: { definition: SaleDefinition; state: SaleState; before: NodeSum },
  parse: ExtraDataParser,
): VisibleChanges | undefined {
  const bytes = rows.reduce((sum, { record }) => sum + record.extraData.length, 0);
  if (rows.length + removals.length > MAX_EVENT_CHANGES || bytes > MAX_EXTRA_DATA) return undefined;
  const active = new Set(activeClasses(state, definition.cancelledKeepsAmounts));
  const shown = rows.filter(({ countingClass }) => active.has(countingClass)).map(({ record }) => record);
  const hidden = rows
    .filter(({ countingClass }) => !active.has(countingClass))
    .map(({ record }) => record.commitmentId);
  return { upserted: presentCommitments(definition, shown, parse), removed: [...removals, ...hidden], before };
}
