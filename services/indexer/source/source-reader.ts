/** A raw amount: smallest units of `token`, 0 to 2^256-1. Addresses in canonical form: EVM lower-case, SVM base58. */
export interface SourceAmount {
  readonly wallet: string;
  readonly token: string;
  readonly amount: bigint;
}

/** A commitment as its contract holds it. What `services/shared/commitment-record/commitment-digest.ts` digests, and its index. */
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
  /** Where the contract lists it; for SVM the order in which the entities were first seen. */
  readonly sourceIndex: bigint;
}

/** `stage()` of the reference contract, 0 to 4. */
export type SourceStage = "pre_open" | "commitment" | "cancellation" | "settlement" | "done";

export interface SourcePosition {
  /** Block number or slot. */
  readonly height: bigint;
  /** Lower-case hex without `0x`; empty where the chain is read by slot. */
  readonly hash: string;
}

/** What is stored of a commitment, as far as a comparison needs it. */
export interface StoredDigest {
  readonly sourceIndex: bigint;
  readonly commitmentId: string;
  /** Hex of the 16 bytes of `commitmentDigest`. */
  readonly digest: string;
}

/** What the commitments service has of a sale; a reader compares its source with it. */
export interface StoredSale {
  /** Up to where the sale was read before; absent before the first snapshot. */
  readonly position?: SourcePosition;
  readonly hasSnapshot: boolean;
  readonly paymentTokens: readonly string[];
  /** What is stored under source indexes from `from` to before `to`, ascending. */
  digests(from: bigint, to: bigint): AsyncIterable<StoredDigest>;
  /** The commitments stored under these IDs (at most 500); unknown ones are left out. */
  records(commitmentIds: readonly string[]): Promise<readonly SourceCommitment[]>;
}

/** A part of what differs between source and store. */
export interface Difference {
  readonly upserts: readonly SourceCommitment[];
  /** Commitment IDs. */
  readonly removals: readonly string[];
}

/** One consistent reading of a source: after all its differences are applied, the store shows what one block had. */
export interface Reading {
  readonly position: SourcePosition;
  readonly stage?: SourceStage;
  /** The newest height that the chain is known to have. */
  readonly headHeight: bigint;
  /** Everything was read again, or only what changed. */
  readonly kind: "sweep" | "partial";
  /** Rows that the source has. */
  readonly count: bigint;
  /**
   * Read while iterated, a chunk in memory at a time. It throws a `SourceFault` where the source turns out not to be
   * consistent; nothing of the reading may then become visible.
   */
  readonly differences: AsyncIterable<Difference>;
  /** Rows of the source read so far, while the differences are iterated; for people who wait for a sweep. */
  rowsRead(): bigint;
  /** Known after the iteration: what is wrong with the source though its rows are published, in words for a founder. */
  warning(): string | undefined;
}

/** Reads the source of one sale. It keeps what it learnt from one reading to the next; a doubt makes the next one a sweep. */
export interface SourceReader {
  /**
   * The next reading, or nothing where the source is where the store is.
   *
   * @throws SourceFault
   */
  next(stored: StoredSale, signal: AbortSignal): Promise<Reading | undefined>;
  /** The newest height that the chain was known to have at the last reading; 0 before the first. */
  headHeight(): bigint;
  /** The store has taken the reading. Not told of one that had nothing to take: the store stays where it was. */
  applied(reading: Reading): void;
  /** The reading wasn't applied, or the store may have changed otherwise: what was learnt is in doubt. */
  doubt(reason: string): void;
}

/** Why a source can't be read now: in words that say what to do, without secrets such as keys in URLs. */
export class SourceFault extends Error {
  /** `wait`: passes by itself; `mend`: somebody has to change a setting or the contract. */
  readonly remedy: "wait" | "mend";
  /** Not to be asked again before this many milliseconds have passed, where the node said so. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { remedy: "wait" | "mend"; retryAfterMs?: number; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SourceFault";
    this.remedy = options.remedy;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What `sale check` tells of an address. */
export interface SourceCheck {
  readonly readable: boolean;
  /** What is wrong, in words that say what to do. */
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

/** How far a chain's node follows it, compared with the chain's other nodes. */
export interface NodeHead {
  readonly host: string;
  /** Blocks or slots. */
  readonly behindBy: bigint;
  /** Why it is, or may be, left out, for whoever looks after it; absent where all is well. */
  readonly trouble?: string;
}

/** The way to a configured chain, shared by all sales on it. */
export interface ChainConnection {
  /** Between two looks at the chain, in milliseconds. */
  readonly pollIntervalMs: number;
  createReader(target: SourceTarget): SourceReader;
  /** Calls back when there is a new head, where the node announces it. @returns what ends that. */
  onHead(listener: () => void): () => void;
  check(address: string, signal: AbortSignal): Promise<SourceCheck>;
  /** The chain's nodes as they were last compared. */
  nodeHeads(): readonly NodeHead[];
  close(): Promise<void>;
}
