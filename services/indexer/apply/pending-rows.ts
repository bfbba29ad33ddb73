import type { Difference, SourceCommitment } from "../source/source-reader.ts";

/** Half of what the commitments service takes by default (`RPC_MAX_REQUEST`): sizes are estimates. */
const MAX_CALL_BYTES = 16 * 2 ** 20;
/** IDs, numbers and their tags. */
const RECORD_BYTES = 128;
/** Wallet, token, 78 digits and their tags. */
const AMOUNT_BYTES = 224;

/** Rows of a reading that aren't sent yet, as they fit into calls: bounded in rows and, roughly, in bytes. */
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

  /** Whether more is pending than one call takes. */
  get exceedCall(): boolean {
    return this.#rows > this.#maxRows || (this.#upsertBytes > MAX_CALL_BYTES && this.#upserts.length > 1);
  }

  add({ upserts, removals }: Difference): void {
    for (const row of upserts) this.#upsertBytes += bytesOfRow(row);
    this.#upserts = this.#upserts.concat(upserts);
    this.#removals = this.#removals.concat(removals);
  }

  /** Takes out what one call takes: upserts first, in their order. */
  take(): Difference {
    const upserts = this.#upserts.splice(0, this.#fittingUpserts());
    for (const row of upserts) this.#upsertBytes -= bytesOfRow(row);
    return { upserts, removals: this.#removals.splice(0, this.#maxRows - upserts.length) };
  }

  get #rows(): number {
    return this.#upserts.length + this.#removals.length;
  }

  /** At least one, so that there is no end of calls. */
  #fittingUpserts(): number {
    let bytes = 0;
    const end = this.#upserts.findIndex((row, index) => {
      bytes += bytesOfRow(row);
      return index === this.#maxRows || (index > 0 && bytes > MAX_CALL_BYTES);
    });
    return end === -1 ? this.#upserts.length : end;
  }
}

function bytesOfRow({ amounts, extraData }: SourceCommitment): number {
  return RECORD_BYTES + AMOUNT_BYTES * amounts.length + extraData.length;
}
