import type { SaleStage } from "../sale/state/stage.ts";
import type { SourceAmount } from "./source-commitment.ts";

/** Raw amounts by token: smallest units, 0 or more. Token addresses are in lower case. */
export type TokenSums = ReadonlyMap<string, bigint>;

/** Row indexes from `from` (inclusive) to `to` (exclusive). */
export interface IndexRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Count, stage and totals of a contract at a block. Those that it doesn't say are absent. */
export interface ContractFacts {
  /** Number of rows. Their indexes are 0 to `count` - 1. */
  readonly count: bigint;
  /** The contract's own number of its stage. */
  readonly stageNumber?: number;
  /** The contract's own sums over all rows, refunded ones included. Without them the contract is only swept. */
  readonly totals?: TokenSums;
}

/** Whether the allocations of a contract can be read at a block. */
export interface AllocationFacts {
  /** The contract's own totals of what it accepts; absent where its allocations can't be read. */
  readonly totals?: TokenSums;
  /** Why they can't be read, as a text for founders. */
  readonly problem?: string;
}

/** The amounts that a contract accepts of a commitment, as it lists them. */
export interface EntityAllocation {
  /** 32 lower-case hex digits. */
  readonly entityId: string;
  /** ID of the commitment that they are of: 64 lower-case hex digits. */
  readonly commitmentId: string;
  /** Some may be zero. */
  readonly accepted: readonly SourceAmount[];
}

/** Major, minor and patch number of a contract. */
export type ReleaseNumber = readonly [major: number, minor: number, patch: number];

/** A contract's own statements about itself. Those that it has no function for are absent. */
export interface ContractStatements {
  readonly release?: ReleaseNumber;
  readonly stageNumber?: number;
}

/** The statements of a sale's definition about its contract. */
export interface ContractSettings {
  /** `EvmSource.contract_version`. */
  readonly contractVersion?: number;
  /** Absent if there is no definition yet. */
  readonly cancelledKeepsAmounts?: boolean;
}

/** Conclusion from a contract and the definition of its sale. */
export interface ContractMeaning {
  readonly stage?: SaleStage;
  /** The value that `cancelledKeepsAmounts` must have; absent if neither contract nor definition names a version. */
  readonly cancelledKeepsAmounts?: boolean;
  /** Texts for founders about everything that doesn't fit. None of it prevents reading. */
  readonly warnings: readonly string[];
}

/** The terms that the contract of an auction states. They never change. Addresses are in lower case. */
export interface StatedTerms {
  /** Such as `1.1.0`. */
  readonly version: string;
  /** The token that is sold. */
  readonly token: string;
  /** The token that is paid with; the zero address for the chain's own coin. */
  readonly currency: string;
  /** Smallest units of the token that are offered. */
  readonly totalSupply: bigint;
  /** Number of the first block that takes bids. */
  readonly startBlock: bigint;
  /** Number of the first block that takes none any more. */
  readonly endBlock: bigint;
  /** Number of the first block in which tokens can be claimed. */
  readonly claimBlock: bigint;
  /** Smallest units of the currency for one of the token, times 2^96. */
  readonly floorPrice: bigint;
  /** Bids are at multiples of it. */
  readonly tickSpacing: bigint;
  /** The contract that decides who may bid; the zero address if everybody may. */
  readonly validationHook: string;
}
