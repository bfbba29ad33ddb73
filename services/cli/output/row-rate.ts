const WINDOW_MS = 10_000;
const MAX_SAMPLES = 100;

interface Sample {
  readonly atMillis: number;
  readonly rows: bigint;
}

/** The rate at which rows are read, over the last 10 seconds. */
export class RowRate {
  #samples: readonly Sample[] = [];

  /** Adds a sample. Fewer rows than before mean another sweep. @param atMillis time of a monotonic clock. */
  add(rows: bigint, atMillis: number): void {
    const last = this.#samples.at(-1);
    const samples = last !== undefined && rows < last.rows ? [] : this.#samples;
    const recent = samples.filter(
      (sample, index) => index === samples.length - 1 || atMillis - sample.atMillis <= WINDOW_MS,
    );
    this.#samples = [...recent, { atMillis, rows }].slice(-MAX_SAMPLES);
  }

  /** Undefined until rows have been read between two samples. */
  rowsPerSecond(): bigint | undefined {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined) return undefined;
    const millis = BigInt(Math.round(last.atMillis - first.atMillis));
    const rows = last.rows - first.rows;
    return millis > 0n && rows > 0n ? (rows * 1_000n) / millis : undefined;
  }
}
