import { describe, expect, it } from "vitest";
import { mysqlDialect } from "./mysql-dialect.ts";

const serverError = (errno: number) => Object.assign(new Error("refused"), { errno, code: "ER_SOME" });
const connectionError = (code: string) => Object.assign(new Error("lost"), { code });

describe("a full disk", () => {
  it.each([
    ["a file that can't be written", 3],
    ["a file that can't be made larger", 14],
    ["a full disk", 1021],
    ["an error in writing", 1026],
    ["a full table", 1114],
  ])("is in MySQL %s", (_, errno) => {
    expect(mysqlDialect.isDiskFull(serverError(errno))).toBe(true);
  });

  it.each([
    ["a deadlock", serverError(1213)],
    ["a connection that was lost", connectionError("ECONNRESET")],
    ["nothing", undefined],
  ])("isn't in MySQL %s", (_, error) => {
    expect(mysqlDialect.isDiskFull(error)).toBe(false);
  });
});

describe("transient errors", () => {
  it.each([
    ["a lock time-out", serverError(1205)],
    ["a deadlock", serverError(1213)],
    ["a Galera node that isn't ready", serverError(1047)],
    ["TiDB: retry the transaction", serverError(8002)],
    ["TiDB: retry the commit", serverError(8022)],
    ["TiDB: a write conflict", serverError(9007)],
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
    ["a duplicate key", serverError(1062)],
    ["bad SQL", serverError(1064)],
    ["a refused password", Object.assign(serverError(1045), { fatal: true })],
    ["another error", new Error("deadlock")],
    ["a value that is no error", "busy"],
    ["null", null],
  ])("aren't in MySQL %s", (_, error) => {
    expect(mysqlDialect.isTransient(error)).toBe(false);
  });
});

describe("duplicates", () => {
  it("are recognised by MySQL's numbers", () => {
    const errors = [1062, 1061, 1213].map(serverError);
    expect(errors.map((error) => mysqlDialect.isDuplicateKey(error))).toEqual([true, false, false]);
    expect(errors.map((error) => mysqlDialect.isDuplicateIndex(error))).toEqual([false, true, false]);
  });
});

it("recognises a refused null by MySQL's number, and by the column that the message names", () => {
  const refused = Object.assign(serverError(1048), { sqlMessage: "Column 'revision' cannot be null" });
  expect(mysqlDialect.isNullRefused(refused, "revision")).toBe(true);
  expect(mysqlDialect.isNullRefused(refused, "vision")).toBe(false);
  expect(mysqlDialect.isNullRefused({ ...refused, errno: 1062 }, "revision")).toBe(false);
  expect(mysqlDialect.isNullRefused(undefined, "revision")).toBe(false);
});

it("overwrites the values of an upsert, never the key", () => {
  const clause = mysqlDialect.upsertClause(["a", "b"], ["c", "d"]);
  expect(clause).toBe("on duplicate key update c = values(c), d = values(d)");
  expect(mysqlDialect.upsertClause(["a", "b"], [])).toBe("on duplicate key update a = a");
});
