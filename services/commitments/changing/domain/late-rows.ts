import { REACH_S } from "../../base/domain/history-windows.ts";
import type { SaleState } from "../../base/domain/sale-state.ts";
import type { CommitmentRow } from "../../base/domain/stored-commitment.ts";

/** The time from which a commitment is late: readers of chains wait for minutes, and old history is kept by the hour. */
const LATE_AFTER_S = 3_600n;

/** The time of a change, and the revision that readers see it in. */
interface LateRowsChange {
  readonly nowMillis: bigint;
  readonly revision: bigint;
}

/**
 * Returns the state after an apply has added commitments: it says from when on the history lacks some at their own time. One that
 * is older than any history has no time that it could stand at.
 */
export function withLateRows(
  state: SaleState,
  added: readonly CommitmentRow[],
  { nowMillis, revision }: LateRowsChange,
): SaleState {
  const now = nowMillis / 1000n;
  const [oldest, latest] = [now - REACH_S[2], now - LATE_AFTER_S];
  let from = state.lateRows?.fromSeconds ?? latest;
  let hasLate = false;
  for (const { record } of added) {
    const at = record.createdAtSeconds;
    if (at < oldest || at >= latest) continue;
    hasLate = true;
    if (at < from) from = at;
  }
  return hasLate ? { ...state, lateRows: { fromSeconds: from, revision } } : state;
}
