import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "./database.ts";
import { migrateToLatest } from "./migrate.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

type Schema = Record<string, Record<string, unknown>>;

const createTable = (name: string): Migration => ({
  up: (database: Kysely<unknown>) => database.schema.createTable(name).addColumn("id", "integer").execute(),
});
const failing: Migration = { up: () => Promise.reject(new Error("no space left")) };

describe("migrateToLatest", () => {
  let database: Database<Schema>;
  beforeEach(() => {
    database = openSqlite<Schema>(":memory:");
  });
  afterEach(() => database.close());
  const tables = async () => (await database.query.introspection.getTables()).map(({ name }) => name);

  it("runs the migrations that haven't run yet, in the order of their names, and returns their names", async () => {
    const [one, two, three] = [createTable("one"), createTable("two"), createTable("three")];
    expect(await migrateToLatest(database, { "002_two": two, "001_one": one })).toEqual(["001_one", "002_two"]);
    expect(await migrateToLatest(database, { "001_one": one, "002_two": two, "003_three": three })).toEqual([
      "003_three",
    ]);
    expect(await tables()).toEqual(["one", "three", "two"]);
  });

  it("throws what a migration throws; SQLite then keeps nothing of the run", async () => {
    const broken = { "001_one": createTable("one"), "002_two": failing };
    await expect(migrateToLatest(database, broken)).rejects.toThrow("no space left");
    expect(await tables()).toEqual([]);
    const mended = { "001_one": createTable("one"), "002_two": createTable("two") };
    expect(await migrateToLatest(database, mended)).toEqual(["001_one", "002_two"]);
  });

  it("changes nothing in the schema of a newer version", async () => {
    const one = createTable("one");
    await migrateToLatest(database, { "001_one": one, "002_two": createTable("two") });
    expect(await migrateToLatest(database, { "001_one": one })).toEqual([]);
    expect(await tables()).toEqual(["one", "two"]);
  });

  it("refuses a schema that lacks a migration and has one that isn't known", async () => {
    await migrateToLatest(database, { "001_one": createTable("one"), "002_two": createTable("two") });
    const others = { "001_one": createTable("one"), "002_other": createTable("other") };
    await expect(migrateToLatest(database, others)).rejects.toThrow("002_two");
    expect(await tables()).toEqual(["one", "two"]);
  });
});
