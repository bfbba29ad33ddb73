import type { SourcePosition } from "../../../chains/base/source-position.ts";
import type { RpcUrl } from "../../../chains/evm/rpc-url.ts";

/** A block in which the contract has logged something. */
export interface LoggedBlock extends SourcePosition {
  /** IDs of commitments that changed. */
  readonly commitments: ReadonlySet<string>;
  /** Whether more may have changed: the stage did, or there was a log of unknown meaning. */
  readonly isUnclear: boolean;
}

/** The logs of a contract after a position. */
export interface ContractLogs {
  /** IDs of commitments that changed. */
  readonly commitments: ReadonlySet<string>;
  /** The blocks with logs, oldest first. */
  readonly blocks: readonly LoggedBlock[];
  /** Whether the stage changed. */
  readonly changesStage: boolean;
  /** Whether there was a log of unknown meaning. */
  readonly hasUnknown: boolean;
  /** URLs whose answers these are. */
  readonly urls: ReadonlySet<RpcUrl>;
}

export const NO_LOGS: ContractLogs = {
  commitments: new Set(),
  blocks: [],
  changesStage: false,
  hasUnknown: false,
  urls: new Set(),
};

/** Why a second question has no answer: a node refused it, or none answered in time. */
export type NoAnswer = "refused" | "late";
