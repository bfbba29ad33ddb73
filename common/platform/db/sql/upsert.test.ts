import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openSqlite } from "../sqlite/open-sqlite.ts";
import { sqliteDialect } from "../sqlite/sqlite-dialect.ts";
import { tableTarget } from "./table-target.ts";
import { insertStatement, upsertRows } from "./upsert.ts";

interface Item {
  place: string;
  number: bigint;
  name: string;
  note: string | null;
}

interface Schema {
  item: Item;
}

const TARGET = tableTarget<Item>("item", { place: "key", number: "key", name: "value", note: "value" });

describe("upsertRows", () => {
  const database = openSqlite<Schema>(":memory:");
  beforeEach(async () => {
    await database.query.schema.dropTable("item").ifExists().execute();
    await database.query.schema
      .createTable("item")
      .addColumn("place", "text", (column) => column.notNull())
      .addColumn("number", "bigint", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("note", "text")
      .addPrimaryKeyConstraint("item_key", ["place", "number"])
      .execute();
  });
  afterAll(() => database.close());

  const upsert = (rows: readonly Item[]) =>
    database.write((transaction) => upsertRows(transaction, sqliteDialect, TARGET, rows));
  const items = () =>
    database.query.selectFrom("item").select(["place", "number", "name", "note"]).orderBy("number").execute();

  it("inserts rows that are new and overwrites those with the same key", async () => {
    await upsert([
      { place: "a", number: 1n, name: "one", note: null },
      { place: "a", number: 2n, name: "two", note: "old" },
    ]);
    await upsert([
      { place: "a", number: 2n, name: "zwei", note: null },
      { place: "a", number: 3n, name: "three", note: "new" },
    ]);
    expect(await items()).toEqual([
      { place: "a", number: 1n, name: "one", note: null },
      { place: "a", number: 2n, name: "zwei", note: null },
      { place: "a", number: 3n, name: "three", note: "new" },
    ]);
  });

  it("distinguishes keys by all of their columns", async () => {
    await upsert([{ place: "a", number: 1n, name: "here", note: null }]);
    await upsert([{ place: "b", number: 1n, name: "there", note: null }]);
    expect(await items()).toHaveLength(2);
  });

  it("binds values: none of them becomes SQL", async () => {
    const name = "x'); drop table item; --";
    await upsert([{ place: "a", number: 1n, name, note: "?" }]);
    expect(await items()).toMatchObject([{ name, note: "?" }]);
  });

  it("isn't an insert, which fails as a whole if a key exists", async () => {
    await upsert([{ place: "a", number: 2n, name: "two", note: null }]);
    const rows = [
      { place: "a", number: 1n, name: "one", note: null },
      { place: "a", number: 2n, name: "zwei", note: null },
    ];
    const insertion = database.write((transaction) =>
      transaction.executeQuery(insertStatement(sqliteDialect, TARGET, rows)),
    );
    const error = await insertion.catch((thrown: unknown) => thrown);
    expect(sqliteDialect.isDuplicateKey(error)).toBe(true);
    expect(await items()).toEqual([{ place: "a", number: 2n, name: "two", note: null }]);
  });

  it("takes each value from the column of its name", async () => {
    await upsert([{ note: "last", name: "first", number: 1n, place: "a" }]);
    expect(await items()).toEqual([{ place: "a", number: 1n, name: "first", note: "last" }]);
  });

  it("doesn't compile where a column is left out, or isn't one of the row's", () => {
    // @ts-expect-error `note` is missing.
    tableTarget<Item>("item", { place: "key", number: "key", name: "value" });
    // @ts-expect-error There is no column `nme`.
    tableTarget<Item>("item", { place: "key", number: "key", nme: "value", note: "value" });
  });

  it("does nothing without rows", async () => {
    await upsert([]);
    expect(await items()).toEqual([]);
  });
});
