import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { ImportedCommitment } from "./commitment-fields.ts";
import { csvCommitments } from "./csv-commitments.ts";
import { ImportError } from "./import-error.ts";
import { jsonCommitments } from "./json-commitments.ts";

/** Contents of a file, once all of it has been read and checked. */
export interface ImportSummary {
  readonly commitments: bigint;
  readonly entities: bigint;
  /** Sums of all amounts, also of refunded commitments, by token as first written, in its smallest units. */
  readonly totals: ReadonlyMap<string, bigint>;
  /** SHA-256 of the file, in hex. */
  readonly digest: string;
}

/** A file of commitments. */
export class ImportFile {
  readonly #path: string;

  /** @param path of CSV, or of JSON lines if it ends with `.jsonl` or `.ndjson` */
  constructor(path: string) {
    this.#path = path;
  }

  /** Yields its commitments. @throws ImportError, or the error of a file that can't be read */
  commitments(onBytes: (bytes: Uint8Array) => void = () => {}): AsyncGenerator<ImportedCommitment, void> {
    const chunks = chunksOf(this.#path, onBytes);
    return /\.(jsonl|ndjson)$/i.test(this.#path) ? jsonCommitments(chunks) : csvCommitments(chunks);
  }

  /**
   * Reads all of it.
   *
   * @param paymentTokens the tokens that the sale takes
   * @throws ImportError for the first record that breaks a rule: of its fields, an ID that comes twice, an unknown token
   */
  async check(paymentTokens: readonly string[], signal: AbortSignal): Promise<ImportSummary> {
    const hash = createHash("sha256");
    const known = new Set(paymentTokens.map(tokenKey));
    const lineOfId = new Map<string, number>();
    const entities = new Set<string>();
    const totals = new Map<string, { readonly token: string; sum: bigint }>();
    for await (const { line, record } of this.commitments((bytes) => hash.update(bytes))) {
      signal.throwIfAborted();
      const id = keyOf(record.commitmentId);
      const earlier = lineOfId.get(id);
      if (earlier !== undefined) throw new ImportError(line, `the commitment_id is that of line ${earlier}`);
      lineOfId.set(id, line);
      entities.add(keyOf(record.entityId));
      for (const { token, amount } of record.amounts) {
        const key = tokenKey(token);
        if (!known.has(key)) throw new ImportError(line, `the sale has no payment token ${JSON.stringify(token)}`);
        const total = totals.get(key) ?? { token, sum: 0n };
        total.sum += BigInt(amount);
        totals.set(key, total);
      }
    }
    return {
      commitments: BigInt(lineOfId.size),
      entities: BigInt(entities.size),
      totals: new Map(Array.from(totals.values(), ({ token, sum }) => [token, sum])),
      digest: hash.digest("hex"),
    };
  }
}

async function* chunksOf(path: string, onBytes: (bytes: Uint8Array) => void): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of createReadStream(path)) {
    onBytes(chunk);
    yield chunk;
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
