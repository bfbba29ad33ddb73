import { createHash } from "node:crypto";
import { type CommitmentsSummary, checkCommitments } from "../../../common/sale/csv/check-commitments.ts";
import type { ImportedCommitment } from "../../../common/sale/csv/commitment-fields.ts";
import { csvCommitments } from "../../../common/sale/csv/csv-commitments.ts";
import { fileChunks } from "../files/file-chunks.ts";
import { jsonCommitments } from "./json-commitments.ts";

/** Contents of a file, once all of it has been read and checked. */
export interface ImportSummary extends CommitmentsSummary {
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
    const chunks = fileChunks(this.#path, onBytes);
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
    const commitments = this.commitments((bytes) => hash.update(bytes));
    const summary = await checkCommitments(commitments, { paymentTokens, signal });
    return { ...summary, digest: hash.digest("hex") };
  }
}
