import type { CliOutput } from "../base/cli-context.ts";
import { write } from "./write.ts";

/** Shortest time between two lines that differ only in numbers, if the output isn't a terminal. */
const LINE_INTERVAL_MS = 5_000;
const ERASE_TO_END = "\u001b[K";
const DEFAULT_COLUMNS = 80;

/** A status that changes often. A terminal shows it in one line that is overwritten; other outputs get a line sometimes. */
export class StatusLine {
  readonly #output: CliOutput;
  #kind: string | undefined;
  #writtenAt = 0;
  #isOpen = false;

  constructor(output: CliOutput) {
    this.#output = output;
  }

  /** Shows a status. One of another `kind` is always written at once. @param atMillis time of a monotonic clock. */
  async show(kind: string, text: string, atMillis: number): Promise<void> {
    const isOtherKind = kind !== this.#kind;
    this.#kind = kind;
    if (this.#output.isTTY === true) {
      this.#isOpen = true;
      // A line that wraps couldn't be overwritten.
      const line = text.slice(0, (this.#output.columns ?? DEFAULT_COLUMNS) - 1);
      return write(this.#output, `\r${line}${ERASE_TO_END}`);
    }
    if (!isOtherKind && atMillis - this.#writtenAt < LINE_INTERVAL_MS) return;
    this.#writtenAt = atMillis;
    await write(this.#output, `${text}\n`);
  }

  /** Ends the line, so that further output begins on a new one. */
  async end(): Promise<void> {
    if (this.#isOpen) await write(this.#output, "\n");
    this.#isOpen = false;
  }
}
