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
  readonly requestTimeoutMs: number;
}

export type Chain = EvmChain | SvmChain;
