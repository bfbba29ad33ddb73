import type { Snapshot } from "../../../common/contracts/source-snapshot.ts";
import { ApplyCalls, type PublishTarget } from "./apply-calls.ts";
import type { CommitmentsClient } from "./commitments-client.ts";
import { PendingRows } from "./pending-rows.ts";
import { totalsText } from "./totals-text.ts";

export interface Published {
  readonly revision: bigint;
  /** Rows that were written or removed. */
  readonly rows: number;
  /** False if there was nothing to apply. */
  readonly applied: boolean;
}

/**
 * Applies a snapshot: in one call if it fits, else as a change set, so that readers see all of it or nothing. The snapshot
 * is read while parts of it are applied. If the iteration of its differences throws, none of it becomes visible.
 *
 * @param onRows called after each call with the number of rows that it applied.
 * @throws ConnectError `aborted` if the store's lease or revision no longer matches `target`; SourceFault of the snapshot.
 */
export async function publish(
  { commitments }: CommitmentsClient,
  target: PublishTarget,
  snapshot: Snapshot,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<Published> {
  const calls = new ApplyCalls(commitments, target, snapshot, signal, onRows);
  try {
    const applied = await sendAll(calls, target, snapshot);
    return { revision: calls.revision, rows: calls.rows, applied };
  } finally {
    // A call that is still running could otherwise be applied after the next snapshot.
    await calls.settled();
  }
}

/** @returns false if there was nothing to apply. */
async function sendAll(calls: ApplyCalls, target: PublishTarget, snapshot: Snapshot): Promise<boolean> {
  const pending = new PendingRows(target.maxRows);
  for await (const difference of snapshot.differences) {
    pending.add(difference);
    while (pending.exceedsCall) await calls.send(pending.take(), false);
  }
  const isEmpty = !calls.begun && pending.isEmpty;
  const isOther = snapshot.stage !== target.stage || totalsText(snapshot) !== target.allocationTotals;
  const isNeeded = !isEmpty || target.movePosition || target.changeSetOpen || isOther;
  if (isNeeded) await calls.send(pending.take(), true);
  await calls.done();
  return isNeeded;
}
