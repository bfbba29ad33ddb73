import { expect, it } from "vitest";
import { migrateStore, missingMigrations, openStore } from "./open-store.ts";

/** Two that came in one release, so that no database has one of them alone. */
const TOGETHER = "502_";

it("numbers each migration apart, so that none comes before one that a database has", async () => {
  const database = await openStore({ sqliteFile: ":memory:" });
  const names = await missingMigrations(database);
  const numbers = names.filter((name) => !name.startsWith(TOGETHER)).map((name) => name.slice(0, name.indexOf("_")));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.length).toBeGreaterThan(70);
  expect(await migrateStore(database)).toEqual([...names].toSorted());
  await database.close();
});
