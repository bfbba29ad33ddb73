import type { CompiledQuery, Transaction } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openSqlite } from "../sqlite/open-sqlite.ts";
import { sqliteDialect } from "./dialect.ts";
import { executeInOrder, insertStatement, upsertRows } from "./upsert.ts";

interface Schema {
  item: { place: string; number: bigint; name: string; note: string | null };
}

const TARGET = { table: "item", keys: ["place", "number"], values: ["name", "note"] };

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

  const upsert = (rows: readonly (readonly unknown[])[]) =>
    database.write((transaction) => upsertRows(transaction, sqliteDialect, TARGET, rows));
  const items = () =>
    database.query.selectFrom("item").select(["place", "number", "name", "note"]).orderBy("number").execute();

  it("inserts rows that are new and overwrites those with the same key", async () => {
    await upsert([
      ["a", 1n, "one", null],
      ["a", 2n, "two", "old"],
    ]);
    await upsert([
      ["a", 2n, "zwei", null],
      ["a", 3n, "three", "new"],
    ]);
    expect(await items()).toEqual([
      { place: "a", number: 1n, name: "one", note: null },
      { place: "a", number: 2n, name: "zwei", note: null },
      { place: "a", number: 3n, name: "three", note: "new" },
    ]);
  });

  it("tells keys apart by all of their columns", async () => {
    await upsert([["a", 1n, "here", null]]);
    await upsert([["b", 1n, "there", null]]);
    expect(await items()).toHaveLength(2);
  });

  it("binds values: none of them becomes SQL", async () => {
    const name = "x'); drop table item; --";
    await upsert([["a", 1n, name, "?"]]);
    expect(await items()).toMatchObject([{ name, note: "?" }]);
  });

  it("is no insertion: that one fails as a whole where a key exists", async () => {
    await upsert([["a", 2n, "two", null]]);
    const rows = [
      ["a", 1n, "one", null],
      ["a", 2n, "zwei", null],
    ];
    const insertion = database.write((transaction) =>
      transaction.executeQuery(insertStatement(sqliteDialect, TARGET, rows)),
    );
    const error = await insertion.catch((thrown: unknown) => thrown);
    expect(sqliteDialect.isDuplicateKey(error)).toBe(true);
    expect(await items()).toEqual([{ place: "a", number: 2n, name: "two", note: null }]);
  });

  it("does nothing without rows", async () => {
    await upsert([]);
    expect(await items()).toEqual([]);
  });
});

describe("executeInOrder", () => {
  const statement = (name: string) => ({ sql: name }) as CompiledQuery;

  it("puts the next statement together while one is under way, and sends it only after that has succeeded", async () => {
    const events: string[] = [];
    const transaction = {
      async executeQuery({ sql }: CompiledQuery) {
        events.push(`send ${sql}`);
        await Promise.resolve();
        events.push(`done ${sql}`);
      },
    } as unknown as Transaction<Schema>;
    function* statements() {
      for (const name of ["a", "b"]) {
        events.push(`make ${name}`);
        yield statement(name);
      }
    }
    await executeInOrder(transaction, statements());
    expect(events).toEqual(["make a", "send a", "make b", "done a", "send b", "done b"]);
  });

  it("sends nothing after a statement that failed, and leaves none under way", async () => {
    const sent: string[] = [];
    const transaction = {
      async executeQuery({ sql }: CompiledQuery) {
        sent.push(sql);
        if (sql === "b") throw new Error("deadlock");
      },
    } as unknown as Transaction<Schema>;
    const work = executeInOrder(transaction, ["a", "b", "c", "d"].map(statement));
    await expect(work).rejects.toThrow("deadlock");
    expect(sent).toEqual(["a", "b"]);
  });
});
