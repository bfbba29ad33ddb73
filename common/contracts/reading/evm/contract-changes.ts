import type { SourcePosition } from "../../../chains/base/source-position.ts";
import { type ContractLogs, NO_LOGS } from "../../reference/evm/contract-logs.ts";
import { LateLogs, PositionAbandoned, SweepRequired } from "../../reference/evm/sweep-required.ts";
import type { AppliedState } from "./applied-state.ts";
import type { ReadSession } from "./read-session.ts";
import type { RecentBlocks } from "./recent-blocks.ts";

/** The changes of a contract from the store's position to the block that is read. */
export interface ContractChanges {
  /** The logs of the chain's blocks. */
  readonly logs: ContractLogs;
  /** Entities that the logs of abandoned blocks name. */
  readonly abandoned: ReadonlySet<string>;
  /** The number of rows that both states have, each at the same index. */
  readonly commonCount: bigint;
  /** The newest known block that both chains have; absent unless the chain was re-organised. */
  readonly ancestor?: SourcePosition;
}

/**
 * Reads the changes since the applied state. If its position was abandoned, they are the changes on both sides of the fork:
 * only entities that one of the sides names can differ.
 *
 * @throws SweepRequired; SourceFault.
 */
export async function changesSince(
  session: ReadSession,
  applied: AppliedState,
  recent: RecentBlocks,
): Promise<ContractChanges> {
  try {
    return { logs: await session.logsSince(applied.position), abandoned: new Set(), commonCount: applied.count };
  } catch (error) {
    if (!(error instanceof PositionAbandoned)) throw error;
  }
  const ancestor = await session.commonAncestor(recent.newestFirst());
  if (ancestor === undefined) throw new SweepRequired("the chain was re-organised before the oldest applied block");
  const [logs, commonCount] = await Promise.all([
    logsOfFork(session, ancestor),
    ancestor.count ?? session.countAt(ancestor),
  ]);
  return { logs, abandoned: recent.entitiesAfter(ancestor), commonCount, ancestor };
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
