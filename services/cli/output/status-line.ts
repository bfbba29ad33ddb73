import type { CliOutput } from "../base/context.ts";
import { write } from "./write.ts";

/** Without a terminal, a changed number is no reason for a line more often than this. */
const LINE_INTERVAL_MS = 5_000;
const ERASE_TO_END = "\u001b[K";
const DEFAULT_COLUMNS = 80;

/** A line that is told again and again: on a terminal one that is overwritten, else a new one now and then. */
export class StatusLine {
  readonly #output: CliOutput;
  #kind: string | undefined;
  #writtenAt = 0;
  #isOpen = false;

  constructor(output: CliOutput) {
    this.#output = output;
  }

  /** A `kind` unlike the last one's is told at once, everywhere. `atMillis`: of a clock that never goes back. */
  async show(kind: string, text: string, atMillis: number): Promise<void> {
    const isNews = kind !== this.#kind;
    this.#kind = kind;
    if (this.#output.isTTY === true) {
      this.#isOpen = true;
      // A line that wraps couldn't be overwritten.
      const line = text.slice(0, (this.#output.columns ?? DEFAULT_COLUMNS) - 1);
      return write(this.#output, `\r${line}${ERASE_TO_END}`);
    }
    if (!isNews && atMillis - this.#writtenAt < LINE_INTERVAL_MS) return;
    this.#writtenAt = atMillis;
    await write(this.#output, `${text}\n`);
  }

  /** What is written next stands on a line of its own. */
  async end(): Promise<void> {
    if (this.#isOpen) await write(this.#output, "\n");
    this.#isOpen = false;
  }
}
