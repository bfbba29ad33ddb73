import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import type { Difference, Snapshot } from "../../../common/contracts/source-snapshot.ts";
import { ApplyCalls, type PublishTarget } from "./apply-calls.ts";
import type { CommitmentsClient } from "./commitments-client.ts";

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

/**
 * The fewest rows of a part that is sent before a call is full, because the service has room for it: it writes what was read while the
 * next rows are read, and little is left to write after the last row. Fewer would cost it a transaction too often.
 */
const LEAST_PART_ROWS = 1_000;

/** @returns false if there was nothing to apply. */
async function sendAll(calls: ApplyCalls, target: PublishTarget, snapshot: Snapshot): Promise<boolean> {
  const pending = new PendingRows(target.maxRows);
  const isPartDue = () => pending.exceedsCall || (calls.begun && calls.hasRoom && pending.rows >= LEAST_PART_ROWS);
  for await (const difference of snapshot.differences) {
    pending.add(difference);
    while (isPartDue()) await calls.send(pending.take(), false);
  }
  const isEmpty = !calls.begun && pending.isEmpty;
  const isOther = snapshot.stage !== target.stage || totalsText(snapshot) !== target.allocationTotals;
  const isNeeded = !isEmpty || target.movePosition || target.changeSetOpen || isOther;
  if (isNeeded) await calls.send(pending.take(), true);
  await calls.done();
  return isNeeded;
}

/** Half of the default limit of the commitments service (`RPC_MAX_REQUEST`), because sizes are estimates. */
const MAX_CALL_BYTES = 16 * 2 ** 20;
/** Estimate for the IDs and numbers of a record, with tags. */
const RECORD_BYTES = 128;
/** Estimate for a wallet, a token and 78 digits, with tags. */
const AMOUNT_BYTES = 224;
/** The most digits of a demand, with its tag. */
const DEMAND_BYTES = 80;

/** Rows of a snapshot that aren't sent yet, divided into calls that are bounded in rows and, roughly, in bytes. */
export class PendingRows {
  readonly #maxRows: number;
  #upserts: SourceCommitment[] = [];
  #removals: string[] = [];
  #upsertBytes = 0;

  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  /** Upserts and removals. */
  get rows(): number {
    return this.#upserts.length + this.#removals.length;
  }

  get isEmpty(): boolean {
    return this.rows === 0;
  }

  /** Whether more is pending than fits into one call. */
  get exceedsCall(): boolean {
    return this.rows > this.#maxRows || (this.#upsertBytes > MAX_CALL_BYTES && this.#upserts.length > 1);
  }

  add({ upserts, removals }: Difference): void {
    for (const row of upserts) this.#upsertBytes += bytesOfRow(row);
    this.#upserts = this.#upserts.concat(upserts);
    this.#removals = this.#removals.concat(removals);
  }

  /** Removes and returns the rows for one call: upserts first, in their order. */
  take(): Difference {
    const upserts = this.#upserts.splice(0, this.#fittingUpserts());
    for (const row of upserts) this.#upsertBytes -= bytesOfRow(row);
    return { upserts, removals: this.#removals.splice(0, this.#maxRows - upserts.length) };
  }

  /** Number of upserts that fit into a call; at least one, so that a single large row can't block the rest. */
  #fittingUpserts(): number {
    let bytes = 0;
    const end = this.#upserts.findIndex((row, index) => {
      bytes += bytesOfRow(row);
      return index === this.#maxRows || (index > 0 && bytes > MAX_CALL_BYTES);
    });
    return end === -1 ? this.#upserts.length : end;
  }
}

function bytesOfRow({ amounts, accepted = [], extraData, demand }: SourceCommitment): number {
  const fixed = demand === undefined ? RECORD_BYTES : RECORD_BYTES + DEMAND_BYTES;
  return fixed + AMOUNT_BYTES * (amounts.length + accepted.length) + extraData.length;
}

/** Returns a text that is the same for the same totals of allocations; undefined where the source doesn't say them. */
export function totalsText({ allocationTotals }: Pick<Snapshot, "allocationTotals">): string | undefined {
  if (allocationTotals === undefined) return undefined;
  const sorted = [...allocationTotals].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([token, amount]) => `${token}:${amount}`).join();
}
