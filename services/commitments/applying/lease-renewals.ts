import { setTimeout as wait } from "node:timers/promises";
import { Semaphore } from "../../../common/platform/concurrency/semaphore.ts";
import { untilAborted } from "../../../common/platform/concurrency/until-aborted.ts";

/** Rows that are written at once. */
const WRITTEN_AT_ONCE = 8;
/** The wait before rows that another transaction has locked are tried again. */
const LOCKED_AGAIN_MS = 50;

/** `locked`: another transaction has the row now. */
export type Renewal = "renewed" | "lost" | "locked";

/**
 * Renews leases side by side. A row that another transaction has locked gives its place to the next lease at once and is tried again
 * after all others, so that locked rows, however many, hold up no other lease.
 *
 * @param prolong tries one lease without waiting for its row: it calls `write` once nothing in this process has the sale.
 * @returns the outcome by lease; none for those that the signal ends, and for those whose write fails
 */
export async function renewSideBySide<Lease>(
  leases: readonly Lease[],
  prolong: (lease: Lease, inTurn: InTurn) => Promise<Renewal>,
  signal: AbortSignal,
): Promise<ReadonlyMap<Lease, Exclude<Renewal, "locked">>> {
  const semaphore = new Semaphore(WRITTEN_AT_ONCE);
  const outcomes = new Map<Lease, Exclude<Renewal, "locked">>();
  const inTurn: InTurn = (write) => semaphore.run(write, signal);
  const renew = async (lease: Lease) => {
    for (;;) {
      const outcome = await untilAborted(prolong(lease, inTurn), signal);
      if (outcome !== "locked") return void outcomes.set(lease, outcome);
      await wait(LOCKED_AGAIN_MS, undefined, { signal });
    }
  };
  // One lease whose row can't be written now says nothing about the others.
  await Promise.allSettled(leases.map(renew));
  return outcomes;
}

/** Runs a write when it is its turn. */
export type InTurn = <Result>(write: () => Promise<Result>) => Promise<Result>;
