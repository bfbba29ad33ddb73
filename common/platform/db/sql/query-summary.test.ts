import fc from "fast-check";
import { expect, it } from "vitest";
import { mysqlLiteral } from "../mysql/mysql-dialect.ts";
import { queryOperation, querySummary } from "./query-summary.ts";

it.each([
  ["select * from `sale` where `uuid` = ?", "SELECT sale"],
  ['select "a"."x" from "account" as "a" inner join "session" as "s" on "s"."x" = "a"."x"', "SELECT account session"],
  ["insert into outbox (sale) values (?)", "INSERT outbox"],
  ["insert into a (x) values (?) on duplicate key update x = values(x)", "INSERT a"],
  ['insert into "a" ("x") values (?) on conflict ("x") do update set "y" = ?', "INSERT a"],
  ["insert into a (x) select x from b where y = ?", "INSERT a SELECT b"],
  ["update `sale` set `revision` = ?", "UPDATE sale"],
  ["delete from code where x < ?", "DELETE code"],
  ["select x from sale where y = ? for update", "SELECT sale"],
  ["select * from (select x from sale) as t join application on 1 = 1", "SELECT SELECT sale application"],
  ["commit", "COMMIT"],
  ["set session time_zone = '+00:00'", "SET"],
])("the summary of %s is %s", (statement, summary) => {
  expect(querySummary([statement])).toBe(summary);
});

it("several statements have one summary, which ends at a whole word", () => {
  expect(querySummary(["insert into outbox (x) values (1)", "update sale set x = 1"])).toBe(
    "INSERT outbox UPDATE sale",
  );
  const many = querySummary(Array.from({ length: 100 }, () => "select 1 from sale"));
  expect(many.length).toBeLessThanOrEqual(255);
  expect(many).toMatch(/^(SELECT sale ?)+$/);
});

it("the operation is the first word", () => {
  expect(["select 1", "  begin immediate", ""].map(queryOperation)).toEqual(["SELECT", "BEGIN", ""]);
});

it("no value that is written into a statement comes into its summary", () => {
  const secret = fc.tuple(fc.string(), fc.string()).map(([before, after]) => `${before} from hunter2 ${after}`);
  fc.assert(
    fc.property(secret, secret, (first, second) => {
      const values = `${mysqlLiteral(first)}, ${mysqlLiteral(second)}`;
      expect(querySummary([`insert into a (x, y) values (${values})`])).toBe("INSERT a");
    }),
  );
});
