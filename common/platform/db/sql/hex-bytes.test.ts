import { expect, it } from "vitest";
import { mysqlDialect } from "../mysql/mysql-dialect.ts";
import { sqliteDialect } from "../sqlite/sqlite-dialect.ts";
import { BoundValues } from "./bound-values.ts";
import { HexBytes, hexBytes } from "./hex-bytes.ts";

it("are written as the bytes that they stand for", () => {
  const bytes = [new HexBytes("00ff"), new HexBytes(""), hexBytes("11111111-1111-4111-8111-11111111abcd")];
  const literals = new BoundValues(mysqlDialect);
  expect(literals.list(bytes)).toBe("(x'00ff',x'',x'1111111111114111811111111111abcd')");
  const bound = new BoundValues(sqliteDialect);
  expect(bound.list(bytes)).toBe("(?,?,?)");
  expect(bound.parameters).toEqual(bytes.map(({ hex }) => Buffer.from(hex, "hex")));
});

it.each(["0", "0g", "AB", "00 ", "00\n", "'", "00' or '1'='1", "0x00"])("refuse %j", (text) => {
  expect(() => new HexBytes(text)).toThrow("lower-case hex");
});
