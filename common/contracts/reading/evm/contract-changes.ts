import type { SourcePosition } from "../../../chains/base/source-position.ts";
import type { AppliedState } from "./applied-state.ts";
import type { LogOverlap } from "./log-overlap.ts";
import { type ContractLogs, type LoggedBlock, NO_LOGS } from "./logged-changes.ts";
import type { ReadSession } from "./read-session.ts";
import type { RecentBlocks } from "./recent-blocks.ts";
import { LateLogs, PositionAbandoned, SweepRequired } from "./sweep-required.ts";

/** The changes of a contract from the store's position to the block that is read. */
export interface ContractChanges {
  /** The logs of the chain's blocks. What earlier reads missed is in them as if the last block had it. */
  readonly logs: ContractLogs;
  /** Logs that earlier reads missed, in their own blocks. */
  readonly missed: readonly LoggedBlock[];
  /** IDs of the commitments that the logs of abandoned blocks name. */
  readonly abandoned: ReadonlySet<string>;
  /** The number of rows that both states have, each at the same index. */
  readonly commonCount: bigint;
  /** The newest known block that both chains have; absent unless the chain was re-organised. */
  readonly ancestor?: SourcePosition;
}

/**
 * Reads the changes since the applied state. If its position was abandoned, they are the changes on both sides of the fork:
 * only commitments that one of the sides names can differ.
 *
 * @throws SweepRequired; SourceFault.
 */
export async function changesSince(
  session: ReadSession,
  applied: AppliedState,
  recent: RecentBlocks,
  overlap: LogOverlap,
): Promise<ContractChanges> {
  const missedUntil = async (position: SourcePosition) => {
    const blocks = await overlap.missed(position, (range, avoided) => session.logsOnceMore(range, avoided));
    // The URL that was asked once more may have blocks of another fork.
    const areOfChain = await Promise.all(blocks.map((block) => session.hasBlock(block)));
    return blocks.filter((_, index) => areOfChain[index]);
  };
  try {
    const { position, count } = applied;
    const [logs, missed] = await Promise.all([session.logsSince(position), missedUntil(position)]);
    return { ...withMissed(logs, missed, session.position), abandoned: new Set(), commonCount: count };
  } catch (error) {
    if (!(error instanceof PositionAbandoned)) throw error;
  }
  const ancestor = await session.commonAncestor(recent.newestFirst());
  if (ancestor === undefined) throw new SweepRequired("the chain was re-organised before the oldest applied block");
  const [logs, missed, commonCount] = await Promise.all([
    logsOfFork(session, ancestor),
    missedUntil(ancestor),
    ancestor.count ?? session.countAt(ancestor),
  ]);
  const all = withMissed(logs, missed, session.position);
  return { ...all, abandoned: recent.commitmentsAfter(ancestor), commonCount, ancestor };
}

function withMissed(logs: ContractLogs, missed: readonly LoggedBlock[], position: SourcePosition) {
  if (missed.length === 0) return { logs, missed };
  const named = missed.flatMap((block) => [...block.commitments]);
  const last = logs.blocks.find(({ hash }) => hash === position.hash);
  const block = {
    ...position,
    commitments: new Set([...(last?.commitments ?? []), ...named]),
    isUnclear: last?.isUnclear ?? false,
  };
  const all = {
    ...logs,
    commitments: new Set([...logs.commitments, ...named]),
    blocks: [...logs.blocks.filter((each) => each !== last), block],
    hasUnknown: logs.hasUnknown || missed.some(({ isUnclear }) => isUnclear),
  };
  return { logs: all, missed };
}

async function logsOfFork(session: ReadSession, ancestor: SourcePosition): Promise<ContractLogs> {
  if (ancestor.hash === session.position.hash) return NO_LOGS;
  try {
    return await session.logsAfter(ancestor);
  } catch (error) {
    if (!(error instanceof PositionAbandoned)) throw error;
    throw new LateLogs("the nodes disagree about the chain");
  }
}
