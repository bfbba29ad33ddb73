import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { createConnection } from "mysql2/promise";
import { expect, it } from "vitest";
import { describeEachDatabase, type TestDatabase } from "../../support/databases/databases.ts";

describeEachDatabase("an empty test database", (variant) => {
  it("takes statements and shares nothing with the next one", async () => {
    const databases = [await variant.create(), await variant.create()];
    for (const database of databases) await createTable(database);
    for (const database of databases) await database.remove();
    for (const database of databases) if (database.dialect === "sqlite") expect(existsSync(database.file)).toBe(false);
  });
});

/** Fails where the table exists already. */
async function createTable(database: TestDatabase): Promise<void> {
  if (database.dialect === "sqlite") {
    const connection = new DatabaseSync(database.file);
    connection.exec("CREATE TABLE t (id INT PRIMARY KEY)");
    connection.close();
    return;
  }
  const connection = await createConnection(database.url);
  await connection.query("CREATE TABLE t (id INT PRIMARY KEY)");
  await connection.end();
}
