/** How long a reading of the database's clock is gone by: in that time two clocks drift apart by less than a millisecond. */
const GOOD_FOR_MS = 10_000;

/** The database's clock as this process can tell it without asking: never ahead of it, and behind by a round trip at most. */
export class DatabaseClock {
  readonly #localMillis: () => number;
  #reading: { readonly databaseMillis: bigint; readonly localMillis: number } | undefined;

  constructor(localMillis: () => number = Date.now) {
    this.#localMillis = localMillis;
  }

  /** @param databaseMillis what the database has just told: milliseconds since 1970 */
  note(databaseMillis: bigint): void {
    this.#reading = { databaseMillis, localMillis: this.#localMillis() };
  }

  /** Milliseconds since 1970; undefined where the last reading is too old to go by. */
  now(): bigint | undefined {
    if (this.#reading === undefined) return undefined;
    const since = Math.floor(this.#localMillis() - this.#reading.localMillis);
    return since < 0 || since > GOOD_FOR_MS ? undefined : this.#reading.databaseMillis + BigInt(since);
  }
}
