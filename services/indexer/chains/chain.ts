/** A chain as the operator configured it (`CHAINS` or the file that `CHAINS_FILE` names, JSON). */
export interface EvmChain {
  readonly kind: "evm";
  readonly name: string;
  readonly chainId: number;
  /** JSON-RPC over HTTP, in order of preference; at least one. May hold secrets: never shown. */
  readonly urls: readonly string[];
  /** Optional WebSocket URL that announces new heads. */
  readonly webSocketUrl?: string;
  /** Blocks on top of a block before it is read; `finalized`: only what the chain calls final. */
  readonly confirmations: number | "finalized";
  /** Between two looks at the head, in milliseconds. */
  readonly pollIntervalMs: number;
  /** Requests at once to one URL. */
  readonly maxConcurrency: number;
  /** Rows that a chunk begins with. */
  readonly chunkRows: number;
  /** A whole sweep at least this often, in milliseconds, as far as it takes no more than a tenth of the time. */
  readonly sweepIntervalMs: number;
  /** A contract that says it has more commitments isn't read: a sweep takes up to 64 bytes of memory for each. */
  readonly maxCommitments: number;
  /** Blocks that a URL may be behind the others; one that stands still farther back isn't asked. */
  readonly maxHeadLag: number;
  /** Of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

export interface SvmChain {
  readonly kind: "svm";
  readonly name: string;
  /** The program whose accounts are read: base58. */
  readonly program: string;
  /** Which cluster it is, as `getGenesisHash` tells: base58. Not checked where it is absent. */
  readonly genesisHash?: string;
  readonly urls: readonly string[];
  readonly commitment: "confirmed" | "finalized";
  readonly pollIntervalMs: number;
  readonly maxConcurrency: number;
  /** As of an EVM chain, in slots. */
  readonly maxHeadLag: number;
  readonly requestTimeoutMs: number;
}

export type Chain = EvmChain | SvmChain;
