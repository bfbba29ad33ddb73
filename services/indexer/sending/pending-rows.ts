import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import type { Difference } from "../../../common/contracts/source-snapshot.ts";

/** Half of the default limit of the commitments service (`RPC_MAX_REQUEST`), because sizes are estimates. */
const MAX_CALL_BYTES = 16 * 2 ** 20;
/** Estimate for the IDs and numbers of a record, with tags. */
const RECORD_BYTES = 128;
/** Estimate for a wallet, a token and 78 digits, with tags. */
const AMOUNT_BYTES = 224;

/** Rows of a snapshot that aren't sent yet, divided into calls that are bounded in rows and, roughly, in bytes. */
export class PendingRows {
  readonly #maxRows: number;
  #upserts: SourceCommitment[] = [];
  #removals: string[] = [];
  #upsertBytes = 0;

  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  get isEmpty(): boolean {
    return this.#rows === 0;
  }

  /** Whether more is pending than fits into one call. */
  get exceedsCall(): boolean {
    return this.#rows > this.#maxRows || (this.#upsertBytes > MAX_CALL_BYTES && this.#upserts.length > 1);
  }

  add({ upserts, removals }: Difference): void {
    for (const row of upserts) this.#upsertBytes += bytesOfRow(row);
    this.#upserts = this.#upserts.concat(upserts);
    this.#removals = this.#removals.concat(removals);
  }

  /** Removes and returns the rows for one call: upserts first, in their order. */
  take(): Difference {
    const upserts = this.#upserts.splice(0, this.#fittingUpserts());
    for (const row of upserts) this.#upsertBytes -= bytesOfRow(row);
    return { upserts, removals: this.#removals.splice(0, this.#maxRows - upserts.length) };
  }

  get #rows(): number {
    return this.#upserts.length + this.#removals.length;
  }

  /** Number of upserts that fit into a call; at least one, so that a single large row can't block the rest. */
  #fittingUpserts(): number {
    let bytes = 0;
    const end = this.#upserts.findIndex((row, index) => {
      bytes += bytesOfRow(row);
      return index === this.#maxRows || (index > 0 && bytes > MAX_CALL_BYTES);
    });
    return end === -1 ? this.#upserts.length : end;
  }
}

function bytesOfRow({ amounts, accepted = [], extraData }: SourceCommitment): number {
  return RECORD_BYTES + AMOUNT_BYTES * (amounts.length + accepted.length) + extraData.length;
}
