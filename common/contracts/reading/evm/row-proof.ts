import { commitmentDigest } from "../../../sale/record/commitment-digest.ts";
import type { StoredSale } from "../../source-reader.ts";
import type { RowReader } from "./row-reader.ts";
import { END_OF_INDEXES } from "./sweep.ts";

/** Rows of one step. Few, because the next read of the sale waits for it. */
const ROWS_PER_STEP = 200n;

export interface ProofStep {
  readonly rows: Pick<RowReader, "rows">;
  readonly stored: StoredSale;
  /** Number of rows of the contract at the store's position. */
  readonly count: bigint;
  readonly signal: AbortSignal;
}

/**
 * Compares the whole store with the contract, a few rows at a time. The steps may be at different positions: a row that was
 * stored wrongly stays wrong until its step, or until it is read again.
 */
export class RowProof {
  #next = 0n;

  /** Compares the next rows. @returns "differs" if the store isn't as the contract; errors are those of `RowReader`. */
  async step({ rows, stored, count, signal }: ProofStep): Promise<"equal" | "differs" | "done"> {
    const from = this.#next;
    const isLast = from + ROWS_PER_STEP >= count;
    const to = isLast ? count : from + ROWS_PER_STEP;
    const [read, digests] = await Promise.all([
      from < to ? rows.rows({ from, to }, signal) : [],
      digestsOf(stored, from, isLast ? END_OF_INDEXES : to),
    ]);
    const isEqual =
      digests.size === read.length && read.every((row) => digests.get(placeOf(row)) === commitmentDigest(row));
    if (!isEqual) return "differs";
    this.#next = to;
    return isLast ? "done" : "equal";
  }
}

/** Digests of the stored rows by index and ID. */
async function digestsOf(stored: StoredSale, from: bigint, to: bigint): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for await (const row of stored.digests(from, to)) digests.set(placeOf(row), row.digest);
  return digests;
}

function placeOf({
  sourceIndex,
  commitmentId,
}: {
  readonly sourceIndex: bigint;
  readonly commitmentId: string;
}): string {
  return `${sourceIndex}:${commitmentId}`;
}
