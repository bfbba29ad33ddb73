import { expect, it } from "vitest";
import { mysqlDialect } from "../mysql/mysql-dialect.ts";
import { sqliteDialect } from "../sqlite/sqlite-dialect.ts";
import { BoundValues } from "./bound-values.ts";

function statement(bound: BoundValues): string {
  return `${bound.one("it's ?")} ${bound.list([1n, null])} ${bound.rows([[Buffer.from("a")], [2]])} ${bound.one("")}`;
}

it("collects the values as parameters, in the order of the text", () => {
  const bound = new BoundValues(sqliteDialect);
  expect(statement(bound)).toBe("? (?,?) (?),(?) ?");
  expect(bound.parameters).toEqual(["it's ?", 1n, null, Buffer.from("a"), 2, ""]);
});

it("writes them into the text if the dialect has literals", () => {
  const bound = new BoundValues(mysqlDialect);
  expect(statement(bound)).toBe("'it\\'s ?' (1,NULL) (x'61'),(2) ''");
  expect(bound.parameters).toEqual([]);
});
