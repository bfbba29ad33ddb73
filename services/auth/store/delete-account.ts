import { bytesOfHex } from "../../shared/hex.ts";
import { lockAccount } from "./accounts.ts";
import { recordEvent } from "./audit.ts";
import { deleteConsents } from "./consents.ts";
import { leaveAllSales } from "./members.ts";
import type { AuthDatabase } from "./schema.ts";
import { endSessionsOf } from "./sessions.ts";
import { revokeFamiliesOf } from "./token-families.ts";

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
