import type { SourceChain } from "../chains/base/source-chain.ts";
import type { SourceStage } from "./source-commitment.ts";
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
  readonly stage?: SourceStage;
  /** Major version of the reference contract, as the contract itself says it. */
  readonly contractVersion?: number;
  /** The value that the sale's `cancelled_keeps_amounts` must have; absent if the version isn't known. */
  readonly cancelledKeepsAmounts?: boolean;
  readonly saleUuid?: string;
  readonly paymentTokens: readonly string[];
  /** Block or slot at which this was read. */
  readonly height: bigint;
}

/** The facts of a token on its chain. */
export interface TokenCheck {
  /** The address as it was asked for. */
  readonly address: string;
  /** Absent if the token doesn't say. */
  readonly decimals?: number;
  /** Absent if the token has none that can be shown. */
  readonly symbol?: string;
  /** Why the decimals are unknown, with what to do about it; absent if they are known. */
  readonly problem?: string;
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
}

/** A signature that a smart account may have given. All fields are `0x` and hexadecimal digits. */
export interface AccountSignature {
  readonly account: string;
  /** 32 bytes. */
  readonly digest: string;
  readonly signature: string;
}

/** A smart account's answer about a signature. */
export interface AccountSignatureCheck {
  readonly valid: boolean;
  /** Whether there is a contract at the address. */
  readonly hasCode: boolean;
}

/** A source to check. */
export interface CheckTarget {
  readonly address: string;
  /** `EvmSource.contract_version`; absent if nobody says it. */
  readonly contractVersion?: number;
}

/** A sale to read: its contract (EVM) or sale account (SVM). */
export interface SourceTarget {
  readonly saleUuid: string;
  readonly address: string;
}

/** The lag of a node behind the other nodes of its chain. */
export interface NodeHead {
  readonly host: string;
  /** Blocks or slots. */
  readonly behindBy: bigint;
  /** The problem because of which the node may not be asked; absent if it is healthy. */
  readonly problem?: string;
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
   * Asks a smart account about a signature (EIP-1271). Absent on chains that have no such accounts.
   *
   * @throws SourceFault if the nodes don't answer
   */
  checkAccountSignature?(signature: AccountSignature, signal: AbortSignal): Promise<AccountSignatureCheck>;
  /** The chain's nodes, as of the last comparison. */
  nodeHeads(): readonly NodeHead[];
  close(): Promise<void>;
}
