import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mysqlDialect } from "../mysql/mysql-dialect.ts";
import { openSqlite } from "../sqlite/open-sqlite.ts";
import { sqliteDialect } from "../sqlite/sqlite-dialect.ts";
import { deleteByKeys, selectByKeys } from "./by-keys.ts";

import { tableTarget } from "./table-target.ts";

interface Item {
  place: string;
  number: bigint;
  name: string;
}

interface Schema {
  item: Item;
}

const ITEMS = tableTarget<Item>("item", { place: "key", number: "key", name: "value" });
const ROWS = { columns: ["number", "name"], where: { place: "a" }, key: "number" } as const;

describe("rows by keys", () => {
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

  it("are those under the keys that meet the condition", async () => {
    const { rows } = await database.query.executeQuery(selectByKeys(sqliteDialect, ITEMS, ROWS, [1n, 3n, 4n]));
    expect(rows).toEqual([
      { number: 1n, name: "a1" },
      { number: 3n, name: "a3" },
    ]);
  });

  it("are deleted, and no others", async () => {
    await database.query.executeQuery(
      deleteByKeys(sqliteDialect, ITEMS, { where: { place: "b" }, key: "number" }, [2n, 3n, 4n]),
    );
    const rows = await database.query.selectFrom("item").select("name").orderBy("name").execute();
    expect(rows.map(({ name }) => name)).toEqual(["a1", "a2", "a3", "b1"]);
  });

  it("need one text without parameters on MySQL", () => {
    const { sql, parameters } = selectByKeys(mysqlDialect, ITEMS, { ...ROWS, where: { place: "it's" } }, [1n, 2n]);
    expect(sql).toBe("select number, name from item where place = 'it\\'s' and number in (1,2)");
    expect(parameters).toEqual([]);
  });

  it("come in the requested order and number", async () => {
    const latest = { ...ROWS, orderBy: ["name"], limit: 1 } as const;
    const { rows } = await database.query.executeQuery(selectByKeys(sqliteDialect, ITEMS, latest, [3n, 1n]));
    expect(rows).toEqual([{ number: 1n, name: "a1" }]);
  });
});
