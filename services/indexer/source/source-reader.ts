/** A raw amount: smallest units of `token`, 0 to 2^256-1. Addresses in canonical form: EVM lower-case, SVM base58. */
export interface SourceAmount {
  readonly wallet: string;
  readonly token: string;
  readonly amount: bigint;
}

/** A commitment as its contract holds it: the fields of `services/shared/commitment-record/commitment-digest.ts`, and its index. */
export interface SourceCommitment {
  /** 64 lower-case hex digits. */
  readonly commitmentId: string;
  /** 32 lower-case hex digits. */
  readonly entityId: string;
  readonly createdAtSeconds: bigint;
  readonly priceTicks: bigint;
  readonly lockup: boolean;
  readonly refunded: boolean;
  readonly amounts: readonly SourceAmount[];
  readonly extraData: Uint8Array;
  /** Position in the contract's list. On SVM chains, where there is none, the order in which entities were first seen. */
  readonly sourceIndex: bigint;
}

/** `stage()` of the reference contract, 0 to 4. */
export type SourceStage = "pre_open" | "commitment" | "cancellation" | "settlement" | "done";

export interface SourcePosition {
  /** Block number or slot. */
  readonly height: bigint;
  /** Lower-case hex without `0x`; empty on chains that are read by slot. */
  readonly hash: string;
}

/** A stored commitment, as far as a comparison needs it. */
export interface StoredDigest {
  readonly sourceIndex: bigint;
  readonly commitmentId: string;
  /** Hex of the 16 bytes of `commitmentDigest`. */
  readonly digest: string;
}

/** A sale as the commitments service stores it. A reader compares its source with it. */
export interface StoredSale {
  /** The position of the last snapshot; absent before the first one. */
  readonly position?: SourcePosition;
  readonly hasSnapshot: boolean;
  readonly paymentTokens: readonly string[];
  /** Stored commitments with source indexes from `from` (inclusive) to `to` (exclusive), ascending. */
  digests(from: bigint, to: bigint): AsyncIterable<StoredDigest>;
  /** Stored commitments with these IDs (at most 500); unknown IDs are left out. */
  records(commitmentIds: readonly string[]): Promise<readonly SourceCommitment[]>;
}

/** A part of the differences between source and store. */
export interface Difference {
  readonly upserts: readonly SourceCommitment[];
  /** Commitment IDs. */
  readonly removals: readonly string[];
}

/**
 * A consistent snapshot of a source, as differences from the store: once all of them are applied, the store equals the
 * source at one block.
 */
export interface Snapshot {
  readonly position: SourcePosition;
  readonly stage?: SourceStage;
  /** The newest height that the chain is known to have. */
  readonly headHeight: bigint;
  /** Whether everything was read again, or only what changed. */
  readonly kind: "sweep" | "partial";
  /** Number of rows in the source. */
  readonly count: bigint;
  /**
   * Read during the iteration, one chunk in memory at a time. The iteration throws a `SourceFault` if the source turns out
   * to be inconsistent; then nothing of the snapshot may become visible.
   */
  readonly differences: AsyncIterable<Difference>;
  /** Rows read so far during the iteration, to show the progress of a sweep. */
  rowsRead(): bigint;
  /** A problem of the source that doesn't prevent publishing, as a text for founders. Known after the iteration. */
  warning(): string | undefined;
}

/** Reads the source of one sale. It keeps state from one snapshot to the next, so that it can read only what changed. */
export interface SourceReader {
  /**
   * Reads the next snapshot; undefined if the store is up to date with the source.
   *
   * @throws SourceFault
   */
  next(stored: StoredSale, signal: AbortSignal): Promise<Snapshot | undefined>;
  /** The newest height of the chain at the last read; 0 before the first one. */
  headHeight(): bigint;
  /** Confirms that the snapshot was applied. Not called if it had no differences: the store's position stays. */
  applied(snapshot: Snapshot): void;
  /** Drops the state, because a snapshot wasn't applied or the store may have changed otherwise. The next read is a sweep. */
  invalidate(): void;
}

/** Thrown if a source can't be read now. The message says what to do and has no secrets, such as keys in URLs. */
export class SourceFault extends Error {
  /** `wait`: it passes by itself; `mend`: somebody must change a setting or the contract. */
  readonly remedy: "wait" | "mend";
  /** Milliseconds to wait before the next request, if the node asked for a wait. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { remedy: "wait" | "mend"; retryAfterMs?: number; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SourceFault";
    this.remedy = options.remedy;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The result of checking an address, as `sale check` shows it. */
export interface SourceCheck {
  readonly readable: boolean;
  /** Problems, each with what to do about it. */
  readonly problems: readonly string[];
  readonly commitmentCount: bigint;
  /** 0 to 4. */
  readonly stage?: number;
  readonly saleUuid?: string;
  readonly paymentTokens: readonly string[];
  /** Block or slot at which this was read. */
  readonly height: bigint;
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
  createReader(target: SourceTarget): SourceReader;
  /** Calls back at a new head, on chains that are watched for them. @returns a function that ends the callbacks. */
  onHead(listener: () => void): () => void;
  check(address: string, signal: AbortSignal): Promise<SourceCheck>;
  /** The chain's nodes, as of the last comparison. */
  nodeHeads(): readonly NodeHead[];
  close(): Promise<void>;
}
