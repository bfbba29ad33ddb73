import type { SourcePosition } from "../chains/base/source-position.ts";
import type { SourceCommitment } from "./source-commitment.ts";
import type { Snapshot } from "./source-snapshot.ts";

/** A stored commitment, as far as a comparison needs it. */
export interface StoredDigest {
  readonly sourceIndex: bigint;
  readonly commitmentId: string;
  /** Hex of the 16 bytes of `commitmentDigest`. */
  readonly digest: string;
}

/** A sale as the commitments service stores it. A reader compares its source with it. */
export interface StoredSale {
  /** The position of the last snapshot, or a later one at which the source was found to have the same rows; absent before the first. */
  readonly position?: SourcePosition;
  readonly hasSnapshot: boolean;
  readonly paymentTokens: readonly string[];
  /** `EvmSource.contract_version`; absent if the definition doesn't say it. */
  readonly contractVersion?: number;
  readonly cancelledKeepsAmounts: boolean;
  /** Whether the sale is settled; absent where it isn't. */
  readonly settled?: boolean;
  /** Stored commitments with source indexes from `from` (inclusive) to `to` (exclusive), ascending. */
  digests(from: bigint, to: bigint): AsyncIterable<StoredDigest>;
  /** Stored commitments with these IDs (at most 500); unknown IDs are left out. */
  records(commitmentIds: readonly string[]): Promise<readonly SourceCommitment[]>;
}

/** Reads the source of one sale. It keeps state from one snapshot to the next, so that it can read only what changed. */
export interface SourceReader {
  /**
   * Reads the next snapshot; undefined if the store is up to date with the source.
   *
   * @throws SourceFault
   */
  next(stored: StoredSale, signal: AbortSignal): Promise<Snapshot | undefined>;
  /** The position at which the last `next` found the store up to date without a snapshot; undefined if it couldn't find out. */
  upToDateAt(): SourcePosition | undefined;
  /** Milliseconds for which the source won't be read again, because reading it whole takes its nodes long; else 0. */
  restMs(): number;
  /** The newest height of the chain at the last read; 0 before the first one. */
  headHeight(): bigint;
  /** Confirms that the store is equal to the snapshot: it was applied, or had no differences. */
  applied(snapshot: Snapshot): void;
  /**
   * Continues to check rows that earlier reads took on trust, for a fraction of a second. If one is wrong, the next read is
   * a sweep. Absent where no read does so.
   *
   * @param stored the sale after the last read.
   * @throws the errors of `stored`; the signal's reason once that is aborted.
   */
  prove?(stored: StoredSale, signal: AbortSignal): Promise<void>;
  /** Drops the state, because a snapshot wasn't applied or the store may have changed otherwise. The next read is a sweep. */
  invalidate(): void;
}
