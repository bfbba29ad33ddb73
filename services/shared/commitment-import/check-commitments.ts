import type { ImportedCommitment } from "./commitment-fields.ts";
import { ImportError, type OnProblem, throwProblem, unknownToken } from "./import-error.ts";

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
  readonly #known: ReadonlySet<string>;
  readonly #onProblem: OnProblem;
  readonly #lineOfId = new Map<string, number>();
  readonly #entities = new Set<string>();
  readonly #totals = new Map<string, { readonly token: string; sum: bigint }>();

  constructor(paymentTokens: readonly string[], onProblem: OnProblem) {
    this.#known = new Set(paymentTokens.map(tokenKey));
    this.#onProblem = onProblem;
  }

  get count(): number {
    return this.#lineOfId.size;
  }

  get summary(): CommitmentsSummary {
    return {
      commitments: BigInt(this.#lineOfId.size),
      entities: BigInt(this.#entities.size),
      totals: new Map(Array.from(this.#totals.values(), ({ token, sum }) => [token, sum])),
    };
  }

  add({ line, record }: ImportedCommitment): void {
    const id = keyOf(record.commitmentId);
    const earlier = this.#lineOfId.get(id);
    if (earlier !== undefined) {
      this.#onProblem(new ImportError(line, `the commitment_id is that of line ${earlier}`));
      return;
    }
    this.#lineOfId.set(id, line);
    this.#entities.add(keyOf(record.entityId));
    for (const { token, amount } of record.amounts) this.#addAmount(line, token, BigInt(amount));
  }

  #addAmount(line: number, token: string, amount: bigint): void {
    const key = tokenKey(token);
    if (!this.#known.has(key)) {
      this.#onProblem(unknownToken(line, token));
      return;
    }
    const total = this.#totals.get(key) ?? { token, sum: 0n };
    total.sum += amount;
    this.#totals.set(key, total);
  }
}

/** Addresses of EVM chains mean the same in any case, those of Solana don't. */
function tokenKey(token: string): string {
  return token.startsWith("0x") ? token.toLowerCase() : token;
}

/** The bytes as a text of as many characters, which takes a third of the memory of hex. */
function keyOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
