/** The time for which a read of the database's clock is used. Two clocks drift apart by less than 1 ms in it. */
const MAX_AGE_MS = 10_000;
/** A larger difference between the spans of two clocks of this machine comes of one that was set. */
const SET_MS = 100;

/** This machine's clocks, in milliseconds. */
interface LocalClocks {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/**
 * An estimate of the database's clock without a query. It is never ahead, and at most a round trip behind. After this machine's clock was
 * set there is none until the next read: it may be the database's clock, too.
 */
export class DatabaseClock {
  readonly #local: () => LocalClocks;
  #lastRead: { readonly databaseMillis: bigint; readonly local: LocalClocks } | undefined;

  constructor(local: () => LocalClocks = () => ({ monotonicMs: performance.now(), wallMs: Date.now() })) {
    this.#local = local;
  }

  /** @param databaseMillis the time that the database has just returned: milliseconds since 1970 */
  note(databaseMillis: bigint): void {
    this.#lastRead = { databaseMillis, local: this.#local() };
  }

  /** Milliseconds since 1970. Undefined if the last read is too old. */
  now(): bigint | undefined {
    if (this.#lastRead === undefined) return undefined;
    const { databaseMillis, local } = this.#lastRead;
    const { monotonicMs, wallMs } = this.#local();
    const since = Math.floor(monotonicMs - local.monotonicMs);
    if (since > MAX_AGE_MS || Math.abs(wallMs - local.wallMs - since) > SET_MS) return undefined;
    return databaseMillis + BigInt(since);
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
