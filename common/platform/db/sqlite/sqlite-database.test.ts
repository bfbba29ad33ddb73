import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NodeSqliteDatabase } from "./sqlite-database.ts";

const STATEMENT_CACHE_SIZE = 256;

describe("NodeSqliteDatabase", () => {
  let folder: string;
  let database: NodeSqliteDatabase;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tidemark-sqlite-"));
    database = new NodeSqliteDatabase(join(folder, "test.sqlite"));
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const first = (sql: string, ...parameters: unknown[]) => database.prepare(sql).all(parameters)[0];

  it.each([
    ["the largest integer", 2n ** 63n - 1n],
    ["the smallest integer", -(2n ** 63n)],
    ["one beyond what a number holds", 2n ** 53n + 1n],
    ["text", "潮位"],
    ["null", null],
  ])("gives back %s exactly", (_, value) => {
    expect(first("select ? as value", value)).toEqual({ value });
  });

  it("gives back integers as bigint, whatever they were bound as", () => {
    expect(first("select cast(? as integer) as value", 5)).toEqual({ value: 5n });
  });

  it("gives back bytes", () => {
    expect(first("select ? as value", Buffer.from([0, 255]))).toEqual({ value: Uint8Array.of(0, 255) });
  });

  it.each([
    ["a boolean", true],
    ["undefined", undefined],
    ["an object", { toString: () => "1" }],
    ["an array", [1]],
    ["a date", new Date(0)],
  ])("binds no %s", (_, value) => {
    expect(() => first("select ? as value", value)).toThrow(TypeError);
  });

  it("binds no integer beyond 64 bits", () => {
    expect(() => first("select ? as value", 2n ** 63n)).toThrow();
  });

  it("knows whether a statement returns rows", () => {
    expect(database.prepare("select 1").reader).toBe(true);
    expect(database.prepare("create table t (a)").reader).toBe(false);
  });

  it("returns the number of rows that a statement changed", () => {
    database.prepare("create table t (a)").run([]);
    expect(database.prepare("insert into t values (?), (?)").run([1n, 2n]).changes).toBe(2n);
  });

  it("iterates over rows", () => {
    const rows = [...database.prepare("select 1 as a union select 2").iterate([])];
    expect(rows).toEqual([{ a: 1n }, { a: 2n }]);
  });

  it("keeps 256 statements, and drops the least recently used one", () => {
    const statementOf = (number: number) => database.prepare(`select ${number}`);
    const statements = Array.from({ length: STATEMENT_CACHE_SIZE }, (_, number) => statementOf(number));
    expect(statementOf(0)).toBe(statements[0]);
    statementOf(STATEMENT_CACHE_SIZE);
    expect(statementOf(0)).toBe(statements[0]);
    expect(statementOf(1)).not.toBe(statements[1]);
  });

  it("writes ahead, durably, and waits little for another's lock", () => {
    const settings = ["journal_mode", "synchronous", "foreign_keys"].map((name) => first(`pragma ${name}`));
    expect(settings).toEqual([{ journal_mode: "wal" }, { synchronous: 2n }, { foreign_keys: 1n }]);
    expect(first("pragma busy_timeout")).toEqual({ timeout: 100n });
  });
});
