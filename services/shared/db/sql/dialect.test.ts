import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { openSqlite } from "../sqlite/open-sqlite.ts";
import { mysqlDialect, sqliteDialect } from "./dialect.ts";

/** What node:sqlite throws for a statement. */
function sqliteError(...statements: readonly string[]): unknown {
  const database = new DatabaseSync(":memory:");
  try {
    for (const statement of statements) database.prepare(statement).run();
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
  throw new Error("nothing was thrown");
}

const table = "create table t (id integer primary key, name text unique)";
const mysqlError = (errno: number) => Object.assign(new Error("refused"), { errno, code: "ER_SOME" });
const connectionError = (code: string) => Object.assign(new Error("lost"), { code });

describe("a full disk", () => {
  it.each([
    ["a file that can't be written", 3],
    ["a file that can't be made larger", 14],
    ["a full disk", 1021],
    ["an error in writing", 1026],
    ["a full table", 1114],
  ])("is in MySQL %s", (_, errno) => {
    expect(mysqlDialect.isDiskFull(mysqlError(errno))).toBe(true);
  });

  it.each([
    ["a deadlock", mysqlError(1213)],
    ["a connection that was lost", connectionError("ECONNRESET")],
    ["nothing", undefined],
  ])("isn't in MySQL %s", (_, error) => {
    expect(mysqlDialect.isDiskFull(error)).toBe(false);
  });

  it("is told apart in SQLite", () => {
    expect(sqliteDialect.isDiskFull(sqliteError("pragma max_page_count = 1", table))).toBe(true);
    expect(sqliteDialect.isDiskFull(sqliteError("selec 1"))).toBe(false);
  });
});

describe("transient errors", () => {
  it.each([
    ["SQLITE_BUSY", 5],
    ["SQLITE_LOCKED", 6],
    ["SQLITE_BUSY_SNAPSHOT", 517],
  ])("are in SQLite %s", (_, errcode) => {
    expect(sqliteDialect.isTransient(Object.assign(new Error("busy"), { errcode }))).toBe(true);
  });

  it.each([
    ["a lock time-out", mysqlError(1205)],
    ["a deadlock", mysqlError(1213)],
    ["TiDB: retry the transaction", mysqlError(8002)],
    ["TiDB: retry the commit", mysqlError(8022)],
    ["TiDB: a write conflict", mysqlError(9007)],
    ["a connection that was lost", connectionError("PROTOCOL_CONNECTION_LOST")],
    ["a connection that was reset", connectionError("ECONNRESET")],
    ["a server that starts", connectionError("ECONNREFUSED")],
    ["a server that stops", connectionError("ER_SERVER_SHUTDOWN")],
    ["a server with too many connections", connectionError("ER_CON_COUNT_ERROR")],
    ["an error that ended its connection", Object.assign(new Error("gone"), { fatal: true })],
  ])("are in MySQL %s", (_, error) => {
    expect(mysqlDialect.isTransient(error)).toBe(true);
  });

  it.each([
    ["a duplicate key", sqliteError(table, "insert into t values (1, 'a'), (1, 'b')")],
    ["bad SQL", sqliteError("selec 1")],
    ["another error", new Error("busy")],
    ["what is no error", "busy"],
    ["nothing", undefined],
  ])("aren't in SQLite %s", (_, error) => {
    expect(sqliteDialect.isTransient(error)).toBe(false);
  });

  it.each([
    ["a duplicate key", mysqlError(1062)],
    ["bad SQL", mysqlError(1064)],
    ["another error", new Error("deadlock")],
    ["what is no error", null],
  ])("aren't in MySQL %s", (_, error) => {
    expect(mysqlDialect.isTransient(error)).toBe(false);
  });
});

describe("duplicates", () => {
  it("are told from SQLite's own errors, whichever key it is", () => {
    expect(sqliteDialect.isDuplicateKey(sqliteError(table, "insert into t values (1, 'a'), (1, 'b')"))).toBe(true);
    expect(sqliteDialect.isDuplicateKey(sqliteError(table, "insert into t values (1, 'a'), (2, 'a')"))).toBe(true);
    expect(sqliteDialect.isDuplicateKey(sqliteError(table, "insert into t values ('x', 'a')"))).toBe(false);
  });

  it("are told from MySQL's numbers", () => {
    expect([1062, 1061, 1213].map((errno) => mysqlDialect.isDuplicateKey(mysqlError(errno)))).toEqual([
      true,
      false,
      false,
    ]);
    expect([1061, 1062].map((errno) => mysqlDialect.isDuplicateIndex(mysqlError(errno)))).toEqual([true, false]);
  });

  it("of an index never stay behind in SQLite, so that one is a real error", () => {
    const error = sqliteError(table, "create index i on t (name)", "create index i on t (name)");
    expect(sqliteDialect.isDuplicateIndex(error)).toBe(false);
  });
});

describe("an upsert", () => {
  it.each([
    [sqliteDialect, "on conflict (a, b) do update set c = excluded.c, d = excluded.d"],
    [mysqlDialect, "on duplicate key update c = values(c), d = values(d)"],
  ])("overwrites the values and never the key ($0.name)", (dialect, clause) => {
    expect(dialect.upsertClause(["a", "b"], ["c", "d"])).toBe(clause);
  });
});

describe("SQLite's clock", () => {
  const database = openSqlite<Record<never, never>>(":memory:");
  afterAll(() => database.close());

  it("counts milliseconds since 1970, as an integer", async () => {
    const before = BigInt(Date.now());
    const { rows } = await sql<{ now: bigint }>`select ${sqliteDialect.nowMillis} as now`.execute(database.query);
    const now = rows[0]?.now ?? 0n;
    expect(typeof now).toBe("bigint");
    // Its clock is the process's own, cut to milliseconds.
    expect(now >= before - 1n && now <= BigInt(Date.now())).toBe(true);
  });
});
