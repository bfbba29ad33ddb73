import { type SourceCommitment, SourceFault } from "../../source/source-reader.ts";
import { ContradictoryAnswers, type PinnedBlock } from "../contract/pinned-block.ts";
import type { SaleCalls } from "../contract/sale-calls.ts";
import { mayFitIfSmaller, RpcFault } from "../nodes/rpc-fault.ts";
import { checkRow } from "./check-row.ts";
import type { ChunkSize } from "./chunk-size.ts";

/** Indexes from `from` to before `to`. */
export interface IndexRange {
  readonly from: bigint;
  readonly to: bigint;
}

export interface RowReaderOptions {
  readonly pinned: PinnedBlock;
  readonly calls: SaleCalls;
  /** Shared by all readings of a sale: what a node refused stays known. */
  readonly chunkSize: ChunkSize;
  readonly paymentTokens: readonly string[];
}

/** Reads rows at a pinned block, in pieces as large as the node allows. */
export class RowReader {
  readonly #options: RowReaderOptions;
  readonly #tokens: ReadonlySet<string>;

  constructor(options: RowReaderOptions) {
    this.#options = options;
    this.#tokens = new Set(options.paymentTokens);
  }

  /** The rows of a range, checked one by one. Errors as in `PinnedBlock.call` and `checkRow`. */
  async rows({ from, to }: IndexRange, signal: AbortSignal): Promise<readonly SourceCommitment[]> {
    const pieces: (readonly SourceCommitment[])[] = [];
    for (let next = from; next < to; ) {
      const piece = await this.#piece(next, to, signal);
      for (const row of piece) checkRow(row, this.#tokens);
      pieces.push(piece);
      next += BigInt(piece.length);
    }
    return pieces.length === 1 ? (pieces[0] ?? []) : pieces.flat();
  }

  /** The first rows of a range, fewer after each refusal. */
  async #piece(from: bigint, to: bigint, signal: AbortSignal): Promise<readonly SourceCommitment[]> {
    const { pinned, calls, chunkSize } = this.#options;
    for (;;) {
      const rows = Math.min(chunkSize.rows, Number(to - from));
      try {
        const piece = await pinned.call(calls.rows(from, from + BigInt(rows)), signal);
        chunkSize.succeeded(rows);
        return piece;
      } catch (error) {
        if (isRevert(error)) await this.#checkCount(from + BigInt(rows), signal);
        if (!mayFitIfSmaller(error) || !chunkSize.failed(rows)) throw inWords(error, from);
      }
    }
  }

  /** A contract refuses rows that it doesn't have: then whoever counted them has seen another block. */
  async #checkCount(to: bigint, signal: AbortSignal): Promise<void> {
    const { pinned, calls } = this.#options;
    const count = await pinned.call(calls.numCommitments, signal);
    if (count >= to) return;
    const words = `first ${to} commitments or more, then ${count}`;
    throw new ContradictoryAnswers(
      `the node's answers about block ${pinned.block.number} contradict each other: ${words}`,
    );
  }
}

function isRevert(error: unknown): boolean {
  return error instanceof RpcFault && error.kind === "reverted";
}

function inWords(error: unknown, index: bigint): unknown {
  if (!mayFitIfSmaller(error) || !(error instanceof SourceFault)) return error;
  return new SourceFault(`the row at index ${index} can't be read, even alone: ${error.message}`, {
    remedy: "wait",
    cause: error,
  });
}
