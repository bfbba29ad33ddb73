import type { AccountSignature, AccountSignatureCheck } from "../chains/base/account-signature.ts";
import type { NodeHead } from "../chains/base/node-head.ts";
import type { ScheduledBlock } from "../chains/base/scheduled-block.ts";
import type { SourcePosition } from "../chains/base/source-position.ts";
import type { TokenCheck } from "../chains/base/token-check.ts";
import type { SourceChain } from "../chains/explorer-links.ts";
import type { ContractFamily } from "../sale/definition/contract-family.ts";
import type { SaleStage } from "../sale/state/stage.ts";
import type { BidExits, ExitTarget } from "./bid-exits.ts";
import type { StatedTerms } from "./contract-facts.ts";
import type { SecondQuestions } from "./second-questions.ts";
import type { SourceReader } from "./source-reader.ts";

/** The result of checking an address, as `sale check` shows it. */
export interface SourceCheck {
  readonly readable: boolean;
  /** Problems, each with what to do about it. */
  readonly problems: readonly string[];
  readonly commitmentCount: bigint;
  /** The contract's own number of its stage. */
  readonly stageNumber?: number;
  /** Absent if the contract has none, or a number that its version doesn't have. */
  readonly stage?: SaleStage;
  /** Major version of the reference contract, as the contract itself says it. */
  readonly contractVersion?: number;
  /** The family of contracts as which it was read; absent for the reference contract's. */
  readonly contractFamily?: ContractFamily;
  /** The value that the sale's `cancelled_keeps_amounts` must have; absent if the version isn't known. */
  readonly cancelledKeepsAmounts?: boolean;
  readonly saleUuid?: string;
  readonly paymentTokens: readonly string[];
  /** The most wallets that the contract ties to an entity, 0 to 255. Absent if it doesn't say. */
  readonly maxWalletsPerEntity?: number;
  /** Absent for a contract that doesn't state the terms of its sale. */
  readonly auction?: AuctionCheck;
  /** Block or slot at which this was read. */
  readonly height: bigint;
}

/** The terms of an auction with what the chain says of them. */
export interface AuctionCheck {
  readonly terms: StatedTerms;
  readonly currency: TokenCheck;
  readonly token: TokenCheck;
  readonly start: ScheduledBlock;
  readonly end: ScheduledBlock;
  readonly claim: ScheduledBlock;
  /** The contract that decides who may bid; absent if everybody may. */
  readonly hook?: string;
}

/** Whether a sale's contract accepts purchase permits of a signer. */
export interface SignerCheck {
  /** Absent if the contract can't be asked. */
  readonly accepted?: boolean;
  /** Why it can't be asked, with what to do about it; absent if it can. */
  readonly problem?: string;
}

/** A signer of purchase permits, and the contract (EVM) or sale account (SVM) that is to know it. */
export interface SignerTarget {
  readonly address: string;
  /** An address (EVM) or a public key (SVM). */
  readonly signer: string;
  /** `EvmSource.family`; absent for the reference contract's. */
  readonly contractFamily?: ContractFamily;
}

/** A source to check. */
export interface CheckTarget {
  readonly address: string;
  /** `EvmSource.contract_version`; absent if nobody says it. */
  readonly contractVersion?: number;
  /** `EvmSource.family`; absent if nobody says it, and the contract is to be asked. */
  readonly contractFamily?: ContractFamily;
}

/** A sale to read: its contract (EVM) or sale account (SVM). */
export interface SourceTarget {
  readonly saleUuid: string;
  readonly address: string;
  /** `EvmSource.family`; absent for the reference contract's. */
  readonly contractFamily?: ContractFamily;
}

/** The connection to a configured chain, shared by all sales on it. */
export interface ChainConnection {
  /** Time between two polls of the chain, in milliseconds. */
  readonly pollIntervalMs: number;
  /** Returns what the public is shown of the chain of a contract. Absent for a chain that isn't configured. */
  shown?(address: string): SourceChain;
  createReader(target: SourceTarget): SourceReader;
  /** Calls back at a new head, on chains that are watched for them. @returns a function that ends the callbacks. */
  onHead(listener: () => void): () => void;
  check(target: CheckTarget, signal: AbortSignal): Promise<SourceCheck>;
  /** @returns one for each address. @throws SourceFault if the nodes don't answer, or the chain isn't configured */
  checkTokens(addresses: readonly string[], signal: AbortSignal): Promise<readonly TokenCheck[]>;
  /** @throws SourceFault if the nodes don't answer, or the chain isn't configured */
  checkSigner(target: SignerTarget, signal: AbortSignal): Promise<SignerCheck>;
  /**
   * Returns why a position isn't final by the chain's own rule, for people; undefined where it is.
   *
   * @throws SourceFault if the nodes can't say it, or the chain isn't configured
   */
  checkFinality(position: SourcePosition, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Asks a smart account about a signature (EIP-1271). Absent on chains that have no such accounts.
   *
   * @throws SourceFault if the nodes don't answer
   */
  checkAccountSignature?(signature: AccountSignature, signal: AbortSignal): Promise<AccountSignatureCheck>;
  /**
   * Reads how bids leave an auction; undefined where they don't leave by a call, or it is too long. Absent on chains without such
   * contracts.
   *
   * @throws SourceFault if the nodes don't answer
   */
  bidExits?(target: ExitTarget, signal: AbortSignal): Promise<BidExits | undefined>;
  /** The chain's nodes, as of the last comparison. */
  nodeHeads(): readonly NodeHead[];
  /** Whether its nodes contradict what was read as final. Absent on chains where nobody can say. */
  isFinalContradicted?(): boolean;
  /** Second questions about logs so far. Absent on chains that aren't read by logs. */
  secondQuestions?(): SecondQuestions;
  close(): Promise<void>;
}
