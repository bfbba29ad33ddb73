import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "./database.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";
import { sqliteDialect } from "./sqlite/sqlite-dialect.ts";

interface Schema {
  entry: { attempt: bigint };
}

/** The error that the dialect of these tests calls transient. */
class LostRace extends Error {}

const ATTEMPTS = 8;

describe("a database", () => {
  let database: Database<Schema>;
  let attempts = 0;

  beforeEach(async () => {
    attempts = 0;
    const { query } = openSqlite<Schema>(":memory:");
    database = new Database(query, { ...sqliteDialect, isTransient: (error) => error instanceof LostRace });
    await query.schema.createTable("entry").addColumn("attempt", "bigint").execute();
  });
  afterEach(() => database.close());

  /** Writes a row, then fails in the first attempts. */
  const writing = (failures: number, failure = new LostRace("lost")) =>
    database.write(async (transaction) => {
      attempts += 1;
      await transaction
        .insertInto("entry")
        .values({ attempt: BigInt(attempts) })
        .execute();
      if (attempts <= failures) throw failure;
      return `attempt ${attempts}`;
    });
  const entries = () => database.query.selectFrom("entry").select("attempt").execute();

  it("runs the whole transaction again after a lost race, and keeps only the last attempt", async () => {
    expect(await writing(2)).toBe("attempt 3");
    expect(await entries()).toEqual([{ attempt: 3n }]);
  });

  it("gives up in the end: the caller may retry", async () => {
    const failure = new LostRace("lost");
    await expect(writing(ATTEMPTS, failure)).rejects.toMatchObject({ code: "unavailable", cause: failure });
    expect(attempts).toBe(ATTEMPTS);
    expect(await entries()).toEqual([]);
  });

  it("succeeds with the last attempt too", async () => {
    expect(await writing(ATTEMPTS - 1)).toBe(`attempt ${ATTEMPTS}`);
  });

  it("throws any other error as it is, after one attempt that left nothing", async () => {
    const failure = new TypeError("no race");
    await expect(writing(1, failure)).rejects.toBe(failure);
    expect(attempts).toBe(1);
    expect(await entries()).toEqual([]);
  });

  describe("a transaction that has locked its keys", () => {
    /** Another node of a cluster has the key until the transaction has failed for the given number of times. */
    const inserting = (failures: number, write: "write" | "writeLocked") =>
      database[write](async (transaction) => {
        attempts += 1;
        const taken = attempts <= failures ? [{ attempt: 1n }] : [];
        await transaction
          .insertInto("entry")
          .values([...taken, { attempt: 1n }])
          .execute();
        return `attempt ${attempts}`;
      });
    beforeEach(() => database.query.schema.createIndex("key").unique().on("entry").column("attempt").execute());

    it("runs again while another node has one of them", async () => {
      expect(await inserting(2, "writeLocked")).toBe("attempt 3");
      expect(await entries()).toEqual([{ attempt: 1n }]);
    });

    it("is unavailable if that doesn't pass", async () => {
      await expect(inserting(ATTEMPTS, "writeLocked")).rejects.toMatchObject({ code: "unavailable" });
      expect(attempts).toBe(ATTEMPTS);
    });

    it("is the only one that runs again: elsewhere a taken key is the caller's to judge", async () => {
      const refusal = inserting(1, "write").catch((error: unknown) => database.dialect.isDuplicateKey(error));
      expect(await refusal).toBe(true);
      expect(attempts).toBe(1);
    });
  });

  it("reports a full disk at once", async () => {
    await sql`pragma max_page_count = 4`.execute(database.query);
    const filling = database.write(async (transaction) => {
      attempts += 1;
      await sql`create table large as select zeroblob(100000) as content`.execute(transaction);
    });
    const cause = expect.objectContaining({ errcode: 13 });
    await expect(filling).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("disk is full"),
      cause,
    });
    expect(attempts).toBe(1);
  });

  it("says what is the matter where SQLite rolled back by itself, leaves nothing, and goes on once there is room", async () => {
    // Room for some rows of the transaction, not for all; without a cache SQLite writes while it runs.
    await sql`pragma cache_size = 1`.execute(database.query);
    await sql`pragma max_page_count = 20`.execute(database.query);
    const filling = (count: number) =>
      database.write(async (transaction) => {
        await sql`create table content (bytes blob)`.execute(transaction);
        for (let row = 0; row < count; row += 1)
          await sql`insert into content values (zeroblob(3000))`.execute(transaction);
      });
    await expect(filling(100)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("disk is full"),
    });
    await filling(1);
    expect((await sql`select * from content`.execute(database.query)).rows).toHaveLength(1);
  });

  it("reads again after a lost race, too", async () => {
    await writing(0);
    let reads = 0;
    const read = await database.snapshot(async (transaction) => {
      reads += 1;
      if (reads < 3) throw new LostRace("lost");
      return transaction.selectFrom("entry").select("attempt").execute();
    });
    expect([reads, read]).toEqual([3, [{ attempt: 1n }]]);
  });

  it("can be used after a transaction that failed", async () => {
    await expect(writing(1, new TypeError("no race"))).rejects.toThrow();
    expect(await writing(0)).toBe("attempt 2");
  });
});
