// @ts-check

const RETRY_MS = 5_000;

/** Times at which a document is loaded that is needed again and again. They are milliseconds of any one clock. */
export class Reloads {
  #startedAt = -Infinity;
  #hasFailed = false;

  /**
   * Whether it is time for another load.
   *
   * @param {number} now
   * @param {number} intervalMs time between two loads, unless the last one has failed
   */
  isDue(now, intervalMs) {
    return now - this.#startedAt > (this.#hasFailed ? RETRY_MS : intervalMs);
  }

  /** @param {number} now */
  start(now) {
    this.#startedAt = now;
    this.#hasFailed = false;
  }

  /** Notes that the load that was started last has failed. */
  fail() {
    this.#hasFailed = true;
  }

  /** Makes the next load due at once. */
  hurry() {
    this.#startedAt = -Infinity;
  }
}
