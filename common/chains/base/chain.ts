import type { ChainFamily } from "./chain-family.ts";

/** A chain as the operator configured it (`CHAINS` or the file that `CHAINS_FILE` names, JSON). */
export interface EvmChain {
  readonly family: "evm";
  readonly name: string;
  readonly chainId: number;
  /** The symbol of its own coin; absent where nobody says it. */
  readonly coinSymbol?: string;
  /** JSON-RPC over HTTP, in order of preference; at least one. They may contain secrets, so they are never shown. */
  readonly urls: readonly string[];
  /** Optional WebSocket URL that announces new heads. */
  readonly webSocketUrl?: string;
  /** Number of blocks on top of a block before it is read; `finalized` reads only what the chain calls final. */
  readonly confirmations: number | "finalized";
  /** Time between two polls of the head, in milliseconds. */
  readonly pollIntervalMs: number;
  /** Most concurrent requests to one URL. */
  readonly maxConcurrency: number;
  /** Rows in the first chunk of a sweep; later chunks adapt to the node. */
  readonly chunkRows: number;
  /** Longest time between two sweeps, in milliseconds, as long as sweeps take at most a tenth of the time. */
  readonly sweepIntervalMs: number;
  /** Limit for the commitments of a contract, because a sweep takes up to 64 bytes of memory for each. */
  readonly maxCommitments: number;
  /** Blocks that a URL may be behind the others. One that is farther behind and doesn't move isn't asked. */
  readonly maxHeadLag: number;
  /** Timeout of a request, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Address of a contract's page at a block explorer, with `{address}` in the place of the contract's; if there is one. */
  readonly explorerUrl?: string;
}

export interface SvmChain {
  readonly family: "svm";
  readonly name: string;
  /** The program whose accounts are read: base58. */
  readonly program: string;
  /** The cluster's `getGenesisHash`, base58; not checked if it is absent. */
  readonly genesisHash?: string;
  readonly urls: readonly string[];
  readonly commitment: "confirmed" | "finalized";
  readonly pollIntervalMs: number;
  readonly maxConcurrency: number;
  /** Slots that a URL may be behind the others. One that is farther behind and doesn't move isn't asked. */
  readonly maxHeadLag: number;
  readonly requestTimeoutMs: number;
  /** The explorer, as of an EVM chain. */
  readonly explorerUrl?: string;
}

/** The chains of each family. */
export interface Chains {
  readonly evm: EvmChain;
  readonly svm: SvmChain;
}

export type Chain = Chains[ChainFamily];

/** The program of an SVM chain's sales by default: base58. */
export const REFERENCE_PROGRAM = "3XxHCh947y1PAMK5y8oecBtaLU7TtTj9r4yMYwzFbJYs";
