import { bytesOfHex } from "../../shared/encoding/hex.ts";
import { deleteConsents } from "../authorization/consents-store.ts";
import { recordEvent } from "../base/audit-store.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { leaveAllSales } from "../memberships/members-store.ts";
import { endSessionsOf } from "../sessions/sessions-store.ts";
import { revokeFamiliesOf } from "../tokens/token-families-store.ts";
import { lockAccount } from "./accounts-store.ts";

/**
 * Deletes an account with its sessions, consents, tokens and memberships. What is in the audit table stays, under a
 * UUID that says nothing any more.
 *
 * @returns false where there is none.
 * @throws ServiceError `failed_precondition` where it is the only owner of a sale.
 */
export async function deleteAccount(database: AuthDatabase, accountUuid: string, nowMs: bigint): Promise<boolean> {
  const account = bytesOfHex(accountUuid);
  return database.write(async (transaction) => {
    if (!(await lockAccount(transaction, database.dialect, accountUuid))) return false;
    await leaveAllSales(transaction, database.dialect, accountUuid);
    await revokeFamiliesOf(transaction, { accountUuid }, nowMs);
    await deleteConsents(transaction, { accountUuid });
    await endSessionsOf(transaction, accountUuid);
    await transaction.deleteFrom("founder").where("account", "=", account).execute();
    await transaction.deleteFrom("account").where("account", "=", account).execute();
    await recordEvent(transaction, { event: "account.deleted", accountUuid }, nowMs);
    return true;
  });
}
