import type { BlockTimes } from "../chains/evm/block-times.ts";
import type { PinnedBlock } from "../chains/evm/pinned-block.ts";
import type { BidExits } from "./bid-exits.ts";
import type {
  AllocationFacts,
  ContractFacts,
  ContractMeaning,
  ContractSettings,
  ContractStatements,
  EntityAllocation,
  IndexRange,
  ReleaseNumber,
  StatedTerms,
} from "./contract-facts.ts";
import type { SourceCommitment } from "./source-commitment.ts";

/**
 * A family of sale contracts on EVM chains: how one of them is asked for its rows, and what its logs mean. It is all that the common reader
 * knows of a contract. Which block is read, from which node, by which logs, and how far an answer is trusted is the reader's to decide.
 */
export interface EvmFamily {
  readonly names: FamilyNames;
  readonly logs: FamilyLogs;
  /**
   * Whether a row never changes once it is made, and new ones come after all others. Then the number of rows says what is new, without
   * logs and totals.
   */
  readonly rowsAreFixed: boolean;
  /** Makes a view of one contract. It loads what the family's calls need, and asks nodes nothing. */
  view(options: ViewOptions): Promise<ContractView>;
  /** Decides what a contract's statements mean, without asking anybody. */
  meaningOf(statements: ContractStatements, settings: ContractSettings): ContractMeaning;
  /**
   * Asks whether a contract accepts purchase permits of a signer.
   *
   * @param signer 0x and 40 hex digits
   * @returns undefined if the contract has no function for that
   * @throws SourceFault if the nodes don't answer
   */
  acceptsSigner(pinned: PinnedBlock, signer: string, signal: AbortSignal): Promise<boolean | undefined>;
  /**
   * Reads the terms of a sale, from which its settings follow. Absent for a family whose contracts don't state them.
   *
   * @throws SourceFault if nodes or contract don't answer
   */
  statedTerms?(pinned: PinnedBlock, signal: AbortSignal): Promise<StatedTerms>;
  /**
   * Reads how bids leave, which may take many calls. Absent for a family whose bids leave by none.
   *
   * @returns undefined for a contract that has more of it than is read
   * @throws SourceFault if nodes or contract don't answer
   */
  bidExits?(pinned: PinnedBlock, signal: AbortSignal): Promise<BidExits | undefined>;
}

/** Options of a view. */
export interface ViewOptions {
  /**
   * "again" for a reader that reads every few seconds, and may leave open for a while whether the contract has a function; "once" for a
   * check, which calls until it knows.
   */
  readonly use: "again" | "once";
  /** Times of blocks, for a contract whose rows have numbers of blocks instead. */
  readonly times: BlockTimes;
}

/** Names in texts for founders: of the interface, as `ICommitmentDataReader`, and of functions, as `saleUUID()`. */
export interface FamilyNames {
  readonly interface: string;
  readonly saleUuid: string;
  readonly totals: string;
  readonly acceptedTotals: string;
  readonly acceptsSigner: string;
}

/**
 * The logs of a family. They say what to read again, and are never the source of a figure: a log that is missing or that says too much
 * costs a sweep.
 */
export interface FamilyLogs {
  /** First topics of all logs that mean something: 0x and 64 lower-case hex digits. */
  readonly topics: readonly string[];
  /** Returns the meaning of a log. @param topics in lower case; undefined for one that isn't 32 bytes */
  meaningOf(topics: readonly (string | undefined)[]): LogMeaning;
  /**
   * Returns the ID by which logs name a row. Logs lead to the rows of a contract only while that is the commitment ID of each of them; a
   * contract with another row is only swept.
   */
  namedId(row: SourceCommitment): string;
  /** Returns the topics of a filter that finds logs which name a row. */
  topicsOf(row: SourceCommitment): readonly (string | readonly string[])[];
}

/**
 * Meaning of a log: the commitment of an ID (64 lower-case hex digits) was added, changed or removed, or the stage changed. A sweep
 * follows a removal, and a log of unknown meaning.
 */
export type LogMeaning =
  | { readonly kind: "row"; readonly commitmentId: string }
  | { readonly kind: "stage" }
  | { readonly kind: "unknown" };

/**
 * A contract of a family, as one reader asks it. It may remember what it has learnt of the contract. All that it is asked is at the pinned
 * block of the call, so that what several calls return fits together.
 *
 * Answers are the contract's own: the reader compares rows with totals, and looks for IDs that occur twice. Errors are those of
 * `PinnedBlock.call`: a `SourceFault` if nodes or contract don't answer, or answer something that can't be decoded. Where a contract lacks
 * an optional function, the answer is undefined.
 */
export interface ContractView {
  /** Reads number of rows, stage and totals. */
  facts(pinned: PinnedBlock, signal: AbortSignal): Promise<ContractFacts>;
  /** Reads the number of rows alone. */
  count(pinned: PinnedBlock, signal: AbortSignal): Promise<bigint>;
  /**
   * Reads the rows of a range in the order of their indexes, exactly as many as it has. A range that is too large for the node fails with
   * an error for which `mayFitIfSmaller` is true; the reader then asks for less. An empty range may be asked for, too.
   */
  rows(pinned: PinnedBlock, range: IndexRange, signal: AbortSignal): Promise<readonly SourceCommitment[]>;
  /** Reads the contract's version. */
  release(pinned: PinnedBlock, signal: AbortSignal): Promise<ReleaseNumber | undefined>;
  /** Reads the UUID of the contract's sale: 32 lower-case hex digits. */
  saleUuid(pinned: PinnedBlock, signal: AbortSignal): Promise<string | undefined>;
  /** Reads the addresses of the tokens that the contract takes, in lower case. */
  paymentTokens(pinned: PinnedBlock, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Reads the most wallets that the contract ties to an entity: 0 to 255. */
  maxWalletsPerEntity(pinned: PinnedBlock, signal: AbortSignal): Promise<number | undefined>;
  /** Finds out whether the contract says what it accepts. @param count number of its rows */
  allocationFacts(pinned: PinnedBlock, count: bigint, signal: AbortSignal): Promise<AllocationFacts>;
  /** Reads the allocations of the rows of a range, one of each, in their order. Called only where `allocationFacts` returned totals. */
  allocations(pinned: PinnedBlock, range: IndexRange, signal: AbortSignal): Promise<readonly EntityAllocation[]>;
  /** Whether the absence of `release` or `saleUuid` rests on one URL and one block, so that the next read should ask again. */
  readonly isUnsure: boolean;
  /** Texts for founders about functions that answer otherwise than the family's. */
  readonly warnings: readonly string[];
}
