import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { HeadTracker } from "../../../chains/evm/head-tracker.ts";
import { readBlock } from "../../../chains/evm/read-block.ts";
import type { Difference } from "../../source-snapshot.ts";
import type { ReadSession } from "./read-session.ts";

/** Whether a read failed because its block is no longer part of the chain, so that it should be repeated at once. */
export async function wasAbandoned(session: ReadSession, tracker: HeadTracker, error: unknown): Promise<boolean> {
  const { endpoint, signal } = session.options;
  const { height, hash } = session.position;
  if (!(error instanceof SourceFault) || signal.aborted) return false;
  const present = await readBlock(endpoint, height, signal, { rounds: 1 }).catch(() => undefined);
  if (present === undefined || present.hash === hash) return false;
  // Otherwise the next read might begin with the same block.
  const heads = await tracker.refresh().catch(() => undefined);
  return heads !== undefined && heads.readable.hash !== hash;
}

/** Passes on the differences of a sweep. If its block is abandoned meanwhile, the error asks for another read at once. */
export async function* endingWithBlock(
  session: ReadSession,
  tracker: HeadTracker,
  differences: AsyncIterable<Difference>,
): AsyncGenerator<Difference, void, undefined> {
  try {
    yield* differences;
  } catch (error) {
    if (!(await wasAbandoned(session, tracker, error))) throw error;
    const problem = "the chain was re-organised while the contract was read";
    throw new SourceFault(problem, { remedy: "wait", retryAfterMs: 0, cause: error });
  }
}
