import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mysqlDialect, mysqlLiteral } from "./mysql-dialect.ts";

const serverError = (errno: number) => Object.assign(new Error("refused"), { errno, code: "ER_SOME" });
const connectionError = (code: string) => Object.assign(new Error("lost"), { code });

describe("a fault of the host", () => {
  it.each([
    ["a file that can't be written", 3, "disk is full"],
    ["a file that can't be made larger", 14, "disk is full"],
    ["a full disk", 1021, "disk is full"],
    ["an error in writing", 1026, "disk is full"],
    ["a full table", 1114, "disk is full"],
    ["no memory", 1037, "no memory"],
    ["no memory for sorting", 1038, "no memory"],
    ["no resources", 1041, "no memory"],
    ["a server that only reads", 1290, "only reads"],
    ["a server in read-only mode", 1836, "only reads"],
  ])("is in MySQL %s", (_, errno, words) => {
    expect(mysqlDialect.hostFault(serverError(errno))).toContain(words);
  });

  it.each([
    ["a deadlock", serverError(1213)],
    ["a connection that was lost", connectionError("ECONNRESET")],
    ["nothing", undefined],
  ])("isn't in MySQL %s", (_, error) => {
    expect(mysqlDialect.hostFault(error)).toBeUndefined();
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
    ["a statement that took too long", connectionError("PROTOCOL_SEQUENCE_TIMEOUT")],
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

it("names the rule of MYSQL_URL that a refused account, or an absent database, broke", () => {
  const rules = [1044, 1045, 1049, 1213].map((number) => mysqlDialect.refusal(serverError(number)));
  expect(rules).toEqual([
    expect.stringMatching(/^expected a database that the account may use/),
    expect.stringMatching(/^expected user and password/),
    expect.stringMatching(/^expected the name of an existing database/),
    undefined,
  ]);
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

const ESCAPES = new Map(Object.entries({ 0: "\0", b: "\b", t: "\t", n: "\n", r: "\r", Z: "\x1a" }));

/** The text that MySQL reads from a string literal, with backslash escapes on. */
function meaningOf(literal: string): string {
  const body = /^'((?:[^'\\]|\\.)*)'$/s.exec(literal)?.[1];
  if (body === undefined) throw new Error(`${literal} isn't one literal`);
  return body.replaceAll(/\\(.)/gs, (_, character: string) => ESCAPES.get(character) ?? character);
}

describe("a literal", () => {
  it.each([
    [null, "NULL"],
    ["", "''"],
    ["[1,2] {x}", "'[1,2] {x}'"],
    ["it's", "'it\\'s'"],
    ["a\\b", "'a\\\\b'"],
    ["0\0\n\r\x1a", "'0\\0\\n\\r\\Z'"],
    ["ü", "'ü'"],
    [0, "0"],
    [-7, "-7"],
    [2n ** 64n - 1n, "18446744073709551615"],
    [-(2n ** 63n), "-9223372036854775808"],
    [Buffer.from([0, 0x27, 0xff]), "x'0027ff'"],
    [new Uint8Array(0), "x''"],
    [new Uint8Array([1, 2, 3, 4]).subarray(1, 3), "x'0203'"],
  ])("of a value is $1", (value, literal) => {
    expect(mysqlLiteral(value)).toBe(literal);
  });

  it("of a string means that string, and ends where it ends", () => {
    const characters = fc.constantFrom("'", "\\", "\0", "\n", "\x1a", '"', "%", "?", "ä", "\u{1f600}", "a");
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: characters }), fc.string({ unit: "binary" })), (text) => {
        expect(meaningOf(mysqlLiteral(text))).toBe(text);
      }),
    );
  });

  it.each([
    ["a fraction", 1.5],
    ["an unsafe integer", 2 ** 53],
    ["nothing", undefined],
    ["a flag", true],
    ["an object", { toString: () => "1" }],
    ["a list", [1]],
    ["a date", new Date(0)],
  ])("isn't made of %s", (_, value) => {
    expect(() => mysqlLiteral(value)).toThrow(TypeError);
  });
});
