import type { ExpectedContract } from "./compare/compare-contract.ts";
import type { ShownSale } from "./compare/shown-sale.ts";

/** A sale to compare, and the nodes to compare it with. */
export interface VerifyOptions extends ExpectedContract {
  /** Reads the sale as Tidemark shows it now. */
  readonly readShown: (signal: AbortSignal) => Promise<ShownSale>;
  /** JSON-RPC URLs of nodes of the sale's chain, at least one. */
  readonly nodes: readonly string[];
  /** Sends requests to nodes of an EVM chain, for instance through a wallet; the runtime's own `fetch` by default. */
  readonly nodeFetch?: typeof fetch;
  /** On Solana: the program that owns the sale account, base58; the reference program by default. */
  readonly program?: string;
  readonly signal: AbortSignal;
  /** Called with the number of the chain's commitments that were read so far, and of all. */
  readonly onProgress: (read: bigint, all: bigint) => Promise<void>;
  /** Waits between attempts; a timer by default. */
  readonly wait?: (millis: number, signal: AbortSignal) => Promise<unknown>;
}

/** Options with their wait. */
export type WaitingOptions = VerifyOptions & Required<Pick<VerifyOptions, "wait">>;
