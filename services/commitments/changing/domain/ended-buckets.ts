import { REACH_S, RESOLUTIONS_S } from "../../base/domain/history-windows.ts";

/** A period of the stored history; both in seconds, `bucket` since 1970. */
export interface HistoryBucket {
  readonly resolution: bigint;
  readonly bucket: bigint;
}

/** The periods of a history that end with a commitment, when commitments are gone through by time descending. */
export class EndedBuckets {
  readonly #now: bigint;
  readonly #met = new Set<string>();

  /** @param now seconds since 1970 */
  constructor(now: bigint) {
    this.#now = now;
  }

  /** Returns the periods that are over, whose last commitment is one of this time, and that are still read as such. */
  endingWith(atSeconds: bigint): readonly HistoryBucket[] {
    return RESOLUTIONS_S.flatMap((resolution, index) => {
      const bucket = atSeconds - (atSeconds % resolution);
      const isRead = bucket + resolution <= this.#now && bucket >= this.#now - (REACH_S[index] ?? 0n);
      const name = `${resolution} ${bucket}`;
      if (!isRead || this.#met.has(name)) return [];
      this.#met.add(name);
      return [{ resolution, bucket }];
    });
  }
}
