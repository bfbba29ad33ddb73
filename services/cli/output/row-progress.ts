import type { CliOutput } from "../base/cli-context.ts";
import { progressLine } from "./progress-line.ts";
import { RowRate } from "./row-rate.ts";
import { StatusLine } from "./status-line.ts";

const INTERVAL_MS = 100;

/** The progress of a known number of rows, shown only on a terminal. */
export class RowProgress {
  readonly #kind: string;
  readonly #rowsTotal: bigint;
  readonly #line: StatusLine | undefined;
  readonly #rate = new RowRate();
  #shownAt = 0;

  constructor(kind: string, rowsTotal: bigint, errors: CliOutput) {
    this.#kind = kind;
    this.#rowsTotal = rowsTotal;
    this.#line = errors.isTTY === true ? new StatusLine(errors) : undefined;
  }

  async show(rowsDone: bigint): Promise<void> {
    const now = performance.now();
    if (this.#line === undefined || (now - this.#shownAt < INTERVAL_MS && rowsDone < this.#rowsTotal)) return;
    this.#shownAt = now;
    this.#rate.add(rowsDone, now);
    const progress = { rowsDone, rowsTotal: this.#rowsTotal, rowsPerSecond: this.#rate.rowsPerSecond() };
    await this.#line.show(this.#kind, progressLine(progress), now);
  }

  async end(): Promise<void> {
    await this.#line?.end();
  }
}
