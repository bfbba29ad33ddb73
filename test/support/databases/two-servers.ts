import { inject, onTestFinished } from "vitest";
import type { MysqlOptions } from "../../../common/platform/db/mysql/mysql-options.ts";
import { databases } from "./databases.ts";
import { mysqlOf } from "./mysql-of.ts";

/** Whether MariaDB is a cluster whose servers all take writes. */
export function isCluster(): boolean {
  return inject("mariaDb").urls.length > 1;
}

/** A service's store. */
interface Store<Database> {
  readonly openStore: (config: { readonly mysql: MysqlOptions }) => Promise<Database>;
  readonly migrateStore: (database: Database) => Promise<unknown>;
}

/** Opens a new database at the first and at the second server of a cluster. Both are closed when the test has ended. */
export async function openAtTwoServers<Database extends { close(): Promise<void> }>({
  openStore,
  migrateStore,
}: Store<Database>): Promise<readonly [Database, Database]> {
  const created = await databases()[0]?.create();
  if (created?.dialect !== "mysql") throw new Error("no cluster");
  const open = async (url = "") => {
    const database = await openStore({ mysql: mysqlOf(url) });
    onTestFinished(() => database.close());
    return database;
  };
  const first = await open(created.url);
  await migrateStore(first);
  return [first, await open(created.otherUrls?.[0])];
}
