import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import { describe, expect, it } from "vitest";
import { findOrCreateAccount, lockAccount, lockAccountOf } from "../../../services/auth/accounts/accounts-store.ts";
import * as store from "../../../services/auth/base/open-store.ts";
import type { AuthDatabase, AuthSchema } from "../../../services/auth/base/schema.ts";
import { roleOf, storeMember } from "../../../services/auth/memberships/members-store.ts";
import { ensureSaleAccess, lockSale } from "../../../services/auth/memberships/sale-access-store.ts";
import type { Session } from "../../../services/auth/sessions/session.ts";
import { endAllSessions, hasSession, startSession } from "../../../services/auth/sessions/sessions-store.ts";
import { isCluster, openAtTwoServers } from "../../support/databases/two-servers.ts";

type Lock = (transaction: Transaction<AuthSchema>, dialect: AuthDatabase["dialect"], session: Session) => unknown;

/** A lock for reading holds on one server of a cluster only: what is read under it may be old at the commit. */
describe.skipIf(!isCluster())("at two servers of a cluster", () => {
  it.each<[string, Lock]>([
    ["lockAccount", (transaction, dialect, { accountUuid }) => lockAccount(transaction, dialect, accountUuid)],
    ["lockAccountOf", lockAccountOf],
  ])("a change in a session runs again after its account's sessions were ended under the lock: %s", async (_, lock) => {
    const [here, there] = await openAtTwoServers(store);
    const { dialect } = here;
    const session = await here.write(async (transaction) => {
      const account = await findOrCreateAccount(transaction, dialect, "a@example.com", 1n);
      const start = { token: "t".repeat(43), account, userAgent: "", authenticatedBy: "passkey" as const };
      return startSession(transaction, start, 1n);
    });
    const seen: boolean[] = [];
    await here.write(async (transaction) => {
      await lock(transaction, dialect, session);
      seen.push(await hasSession(transaction, session));
      if (seen.length > 1) return;
      await there.write(async (other) => {
        await lock(other, dialect, session);
        await endAllSessions(other, session.accountUuid);
      });
    });
    expect(seen).toEqual([true, false]);
  });

  it("a change of a sale runs again after its members were changed under the lock", async () => {
    const [here, there] = await openAtTwoServers(store);
    const { dialect } = here;
    const [saleUuid, accountUuid] = [randomUUID(), randomUUID()];
    await ensureSaleAccess(here, saleUuid);
    const seen: unknown[] = [];
    await here.write(async (transaction) => {
      await lockSale(transaction, dialect, saleUuid);
      seen.push((await roleOf(transaction, saleUuid, accountUuid))?.role);
      if (seen.length > 1) return;
      await there.write(async (other) => {
        await lockSale(other, dialect, saleUuid);
        await storeMember(other, dialect, saleUuid, { accountUuid, role: "owner" });
      });
    });
    expect(seen).toEqual([undefined, "owner"]);
  });
});
