/** The time for which a read of the database's clock is used. Two clocks drift apart by less than 1 ms in it. */
const MAX_AGE_MS = 10_000;

/** An estimate of the database's clock without a query. It is never ahead, and at most a round trip behind. */
export class DatabaseClock {
  readonly #localMillis: () => number;
  #lastRead: { readonly databaseMillis: bigint; readonly localMillis: number } | undefined;

  constructor(localMillis: () => number = Date.now) {
    this.#localMillis = localMillis;
  }

  /** @param databaseMillis the time that the database has just returned: milliseconds since 1970 */
  note(databaseMillis: bigint): void {
    this.#lastRead = { databaseMillis, localMillis: this.#localMillis() };
  }

  /** Milliseconds since 1970. Undefined if the last read is too old. */
  now(): bigint | undefined {
    if (this.#lastRead === undefined) return undefined;
    const since = Math.floor(this.#localMillis() - this.#lastRead.localMillis);
    return since < 0 || since > MAX_AGE_MS ? undefined : this.#lastRead.databaseMillis + BigInt(since);
  }
}

interface ClockedDatabase {
  readonly dialect: { readonly name: string };
  nowMillis(): Promise<bigint>;
}

/** Returns a function that asks a database for its time: milliseconds since 1970. Undefined for SQLite, which has this process's. */
export function databaseTime(database: ClockedDatabase): (() => Promise<number>) | undefined {
  if (database.dialect.name === "sqlite") return undefined;
  return async () => Number(await database.nowMillis());
}
