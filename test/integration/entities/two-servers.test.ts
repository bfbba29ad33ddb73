import { describe, expect, inject, it, onTestFinished } from "vitest";
import { closeAccount } from "../../../services/entities/accounts/close-account.ts";
import { migrateStore, openStore } from "../../../services/entities/base/open-store.ts";
import { isAccountClosed } from "../../../services/entities/entities/closed-accounts-store.ts";
import { lockEntity } from "../../../services/entities/entities/entities-store.ts";
import type { EntitiesDatabase } from "../../../services/entities/schema/schema.ts";
import { storeEntity } from "../../../services/entities/testing/sample-entity.ts";
import { databases } from "../../support/databases.ts";
import { mysqlOf } from "../../support/mysql-of.ts";

const isCluster = inject("mariaDb").urls.length > 1;

/** A lock for reading holds on one server of a cluster only: what is read under it may be old at the commit. */
describe.skipIf(!isCluster)("at two servers of a cluster", () => {
  /** Opens a new database at the first and at the second server. */
  async function openBoth(): Promise<readonly [EntitiesDatabase, EntitiesDatabase]> {
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

  it("a transaction that has locked an entity runs again after its account was closed", async () => {
    const [here, there] = await openBoth();
    const { uuid, accountUuid } = await storeEntity(here);
    const close = closeAccount({ database: there, clock: () => 1n });
    const seen: boolean[] = [];
    await here.write(async (transaction) => {
      await lockEntity(transaction, here.dialect, uuid);
      seen.push(await isAccountClosed(transaction, accountUuid));
      if (seen.length === 1) await close({ accountUuid } as never, {} as never);
    });
    expect(seen).toEqual([false, true]);
  });
});
