import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mysqlDialect, sqliteDialect } from "./dialect.ts";
import { openSqlite } from "./open-sqlite.ts";
import { type KeyedSelection, selectByKeys } from "./select-by-keys.ts";

interface Schema {
  item: { place: string; number: bigint; name: string };
}

const SELECTION: KeyedSelection = { table: "item", columns: ["number", "name"], where: { place: "a" }, key: "number" };

describe("selectByKeys", () => {
  const database = openSqlite<Schema>(":memory:");
  beforeAll(async () => {
    await database.query.schema
      .createTable("item")
      .addColumn("place", "text")
      .addColumn("number", "bigint")
      .addColumn("name", "text")
      .execute();
    const values = [1n, 2n, 3n].flatMap((number) => [
      { place: "a", number, name: `a${number}` },
      { place: "b", number, name: `b${number}` },
    ]);
    await database.query.insertInto("item").values(values).execute();
  });
  afterAll(() => database.close());

  it("finds the rows under those keys that meet the condition", async () => {
    const rows = await database.write((transaction) =>
      selectByKeys(transaction, sqliteDialect, SELECTION, [1n, 3n, 4n]),
    );
    expect(rows).toEqual([
      { number: 1n, name: "a1" },
      { number: 3n, name: "a3" },
    ]);
  });

  it("sends MySQL one text without parameters", async () => {
    const sent: unknown[] = [];
    const transaction = {
      async executeQuery({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
        sent.push(sql, parameters);
        return { rows: [] };
      },
    };
    await selectByKeys(transaction as never, mysqlDialect, { ...SELECTION, where: { place: "it's" } }, [1n, 2n]);
    expect(sent).toEqual(["select number, name from item where place in ('it\\'s') and number in (1,2)", []]);
  });
});
