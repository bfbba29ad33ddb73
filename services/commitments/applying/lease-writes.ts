import { setTimeout as wait } from "node:timers/promises";
import { callSignal } from "../../../common/platform/concurrency/call-signal.ts";
import { Semaphore } from "../../../common/platform/concurrency/semaphore.ts";
import { untilAborted } from "../../../common/platform/concurrency/until-aborted.ts";

/** Rows that are written at once. */
const WRITTEN_AT_ONCE = 8;
/** The wait before rows that another transaction has locked are tried again. */
const LOCKED_AGAIN_MS = 50;
/** Part of the leases' duration after which an answer leaves out those whose rows still can't be written. */
const LIMIT_DIVISOR = 6n;

/** Returns a signal that ends the writing of leases with its call, and early enough that the answer still is of use. */
export function leaseWritesSignal(durationMillis: bigint): AbortSignal {
  const signals = [callSignal(), AbortSignal.timeout(Number(durationMillis / LIMIT_DIVISOR))];
  return AbortSignal.any(signals.filter((each) => each !== undefined));
}

/**
 * Writes leases side by side. A row that another transaction has locked gives its place to the next lease at once and is tried again
 * after all others, so that locked rows, however many, hold up no other lease.
 *
 * @param write tries one lease without waiting for its row: `locked` if another transaction has it now
 * @returns the outcome by lease; none for those that the signal ends, and for those whose write fails
 */
export async function writeSideBySide<Lease, Outcome>(
  leases: readonly Lease[],
  write: (lease: Lease, inTurn: InTurn) => Promise<Outcome | "locked">,
  signal: AbortSignal,
): Promise<ReadonlyMap<Lease, Outcome>> {
  const semaphore = new Semaphore(WRITTEN_AT_ONCE);
  const outcomes = new Map<Lease, Outcome>();
  const inTurn: InTurn = (work) => semaphore.run(work, signal);
  const writeOne = async (lease: Lease) => {
    for (;;) {
      const outcome = await untilAborted(write(lease, inTurn), signal);
      if (outcome !== "locked") return void outcomes.set(lease, outcome);
      await wait(LOCKED_AGAIN_MS, undefined, { signal });
    }
  };
  // One lease whose row can't be written now says nothing about the others.
  await Promise.allSettled(leases.map(writeOne));
  return outcomes;
}

/** Runs work when it is its turn. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;
