import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { openSqlite } from "./open-sqlite.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

/** The error that node:sqlite throws for one of the statements. */
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

const withCode = (errcode: number) => Object.assign(new Error("failed"), { errcode });

const table = "create table t (id integer primary key, name text unique)";

describe("a fault of the host", () => {
  it.each([
    ["SQLITE_FULL", sqliteError("pragma max_page_count = 1", table), "disk is full"],
    ["SQLITE_READONLY", sqliteError("pragma query_only = on", table), "can't be written"],
    ["SQLITE_NOMEM", withCode(7), "no memory"],
    ["SQLITE_IOERR_WRITE", withCode(778), "doesn't read or write"],
    ["SQLITE_IOERR_NOMEM", withCode(3082), "doesn't read or write"],
    ["SQLITE_CANTOPEN_ISDIR", withCode(526), "can't be opened"],
  ])("is %s", (_, error, words) => {
    expect(sqliteDialect.hostFault(error)).toContain(words);
  });

  it.each([
    ["bad SQL", sqliteError("selec 1")],
    ["a busy snapshot", withCode(517)],
    ["a damaged file", withCode(11)],
    ["nothing", undefined],
  ])("isn't %s", (_, error) => {
    expect(sqliteDialect.hostFault(error)).toBeUndefined();
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
    ["a duplicate key", sqliteError(table, "insert into t values (1, 'a'), (1, 'b')")],
    ["bad SQL", sqliteError("selec 1")],
    ["another error", new Error("busy")],
    ["a value that is no error", "busy"],
    ["nothing", undefined],
  ])("aren't in SQLite %s", (_, error) => {
    expect(sqliteDialect.isTransient(error)).toBe(false);
  });
});

describe("duplicates", () => {
  it("are recognised by SQLite's own errors, whichever key it is", () => {
    expect(sqliteDialect.isDuplicateKey(sqliteError(table, "insert into t values (1, 'a'), (1, 'b')"))).toBe(true);
    expect(sqliteDialect.isDuplicateKey(sqliteError(table, "insert into t values (1, 'a'), (2, 'a')"))).toBe(true);
    expect(sqliteDialect.isDuplicateKey(sqliteError(table, "insert into t values ('x', 'a')"))).toBe(false);
  });

  it("of an index never stay behind, so that one is a real error", () => {
    const error = sqliteError(table, "create index i on t (name)", "create index i on t (name)");
    expect(sqliteDialect.isDuplicateIndex(error)).toBe(false);
  });
});

it("recognises a refused null by SQLite's number, and by the column that the message names", () => {
  const refused = sqliteError("create table u (id integer, name text not null)", "insert into u values (1, null)");
  expect(sqliteDialect.isNullRefused(refused, "name")).toBe(true);
  expect(sqliteDialect.isNullRefused(refused, "id")).toBe(false);
  expect(sqliteDialect.isNullRefused(sqliteError(table, "selec 1"), "name")).toBe(false);
});

it("overwrites the values of an upsert, never the key", () => {
  const clause = sqliteDialect.upsertClause(["a", "b"], ["c", "d"]);
  expect(clause).toBe("on conflict (a, b) do update set c = excluded.c, d = excluded.d");
  expect(sqliteDialect.upsertClause(["a", "b"], [])).toBe("on conflict (a, b) do nothing");
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
