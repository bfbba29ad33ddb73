import { describe, expect, it } from "vitest";
import { closeAccount } from "../../../services/entities/accounts/accounts-rpc.ts";
import * as store from "../../../services/entities/base/open-store.ts";
import { isAccountClosed } from "../../../services/entities/entities/closed-accounts-store.ts";
import { lockEntity } from "../../../services/entities/entities/entities-store.ts";
import { storeEntity } from "../../../services/entities/testing/sample-entity.ts";
import { isCluster, openAtTwoServers } from "../../support/databases/two-servers.ts";

/** A lock for reading holds on one server of a cluster only: what is read under it may be old at the commit. */
describe.skipIf(!isCluster())("at two servers of a cluster", () => {
  it("a transaction that has locked an entity runs again after its account was closed", async () => {
    const [here, there] = await openAtTwoServers(store);
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
