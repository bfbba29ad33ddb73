import type { CliOutput } from "../base/cli-context.ts";
import { RowProgress } from "../output/row-progress.ts";

/** The progress of reading a contract, perhaps several times and with another number of rows each time. */
export class ReadProgress {
  readonly #errors: CliOutput;
  #total: bigint | undefined;
  #progress: RowProgress | undefined;

  constructor(errors: CliOutput) {
    this.#errors = errors;
  }

  /** @param read number of rows that were read so far */
  async show(read: bigint, total: bigint): Promise<void> {
    if (total !== this.#total) {
      await this.end();
      this.#progress = new RowProgress("read", total, this.#errors);
      this.#total = total;
    }
    await this.#progress?.show(read);
  }

  async end(): Promise<void> {
    await this.#progress?.end();
    this.#progress = undefined;
    this.#total = undefined;
  }
}
