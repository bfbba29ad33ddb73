import type { ImportedCommitment } from "./commitment-fields.ts";
import { ImportError, type OnProblem, throwProblem, unknownToken } from "./import-error.ts";
import { bytesKey } from "./map-keys.ts";
import { TokenTotals } from "./token-totals.ts";

/** Contents of a file, once all of it has been read and checked. */
export interface CommitmentsSummary {
  readonly commitments: bigint;
  readonly entities: bigint;
  /** Sums of all amounts, also of refunded commitments, by token as first written, in its smallest units. */
  readonly totals: ReadonlyMap<string, bigint>;
}

export interface CommitmentCheck {
  /** The tokens that the sale takes. */
  readonly paymentTokens: readonly string[];
  readonly signal: AbortSignal;
  /** Called with an ID that comes twice, or an unknown token; throws it by default. */
  readonly onProblem?: OnProblem;
  /** Called with the number of commitments read so far. */
  readonly onProgress?: (commitments: number) => Promise<void>;
}

/** Reads commitments, adds them up, and checks what no record says by itself. @throws what reading them throws */
export async function checkCommitments(
  commitments: AsyncIterable<ImportedCommitment>,
  { paymentTokens, signal, onProblem = throwProblem, onProgress }: CommitmentCheck,
): Promise<CommitmentsSummary> {
  const contents = new Contents(paymentTokens, onProblem);
  for await (const commitment of commitments) {
    signal.throwIfAborted();
    contents.add(commitment);
    await onProgress?.(contents.count);
  }
  return contents.summary;
}

class Contents {
  readonly #onProblem: OnProblem;
  readonly #lineOfId = new Map<string, number>();
  readonly #entities = new Set<string>();
  readonly #totals: TokenTotals;

  constructor(paymentTokens: readonly string[], onProblem: OnProblem) {
    this.#totals = new TokenTotals(paymentTokens);
    this.#onProblem = onProblem;
  }

  get count(): number {
    return this.#lineOfId.size;
  }

  get summary(): CommitmentsSummary {
    return {
      commitments: BigInt(this.#lineOfId.size),
      entities: BigInt(this.#entities.size),
      totals: this.#totals.sums,
    };
  }

  add({ line, record }: ImportedCommitment): void {
    const id = bytesKey(record.commitmentId);
    const earlier = this.#lineOfId.get(id);
    if (earlier !== undefined) {
      this.#onProblem(new ImportError(line, `the commitment_id is that of line ${earlier}`));
      return;
    }
    this.#lineOfId.set(id, line);
    this.#entities.add(bytesKey(record.entityId));
    for (const { token, amount } of record.amounts) {
      if (!this.#totals.add(token, BigInt(amount))) this.#onProblem(unknownToken(line, token));
    }
  }
}
