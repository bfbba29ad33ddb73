/** How long something may be missing of a bus before its server is left: longer than two calls of it. */
export const SILENT_BUS_MS = 5_000;

/**
 * The rule by which a server of the bus counts as cut off from the others. Such a server keeps its clients' connections, acknowledges
 * nothing and delivers nothing, so that only what is missing tells of it.
 */
export class Silence {
  readonly #now: () => number;
  /** Time at which the first was missing since the last sign of life; undefined if nothing is. */
  #since: number | undefined;

  /** @param now monotonic clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether something has been missing for `SILENT_BUS_MS`. */
  get isLong(): boolean {
    return this.#since !== undefined && this.#now() - this.#since >= SILENT_BUS_MS;
  }

  /** Notes that something is missing. */
  noteMissing(): void {
    this.#since ??= this.#now();
  }

  /** Forgets what was missing. */
  end(): void {
    this.#since = undefined;
  }
}
