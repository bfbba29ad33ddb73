import { expect, it } from "vitest";
import { mysqlDialect } from "../mysql/mysql-dialect.ts";
import { sqliteDialect } from "../sqlite/sqlite-dialect.ts";
import { updateStatement } from "./update-statement.ts";

it("updates the row under a key, with values bound as the dialect does", () => {
  const set = { name: "it's ?", number: 1n, note: null };
  expect(updateStatement(sqliteDialect, "item", set, { place: "a", note: null })).toMatchObject({
    sql: "update item set name = ?, number = ?, note = ? where place = ? and note is null",
    parameters: ["it's ?", 1n, null, "a"],
  });
  expect(updateStatement(mysqlDialect, "item", set, { place: Buffer.from("a"), note: null })).toMatchObject({
    sql: "update item set name = 'it\\'s ?', number = 1, note = NULL where place = x'61' and note is null",
    parameters: [],
  });
});
