import { ServiceError } from "../../shared/errors/service-error.ts";
import { recordEvent } from "../base/audit-store.ts";
import type { AuthDatabase } from "../base/schema.ts";
import type { Account } from "./account.ts";
import { changeEmail, findAccount } from "./accounts-store.ts";
import { takeSignIn } from "./sign-ins-store.ts";

export interface ProvenEmailChange {
  /** Whose code was right. */
  readonly handle: string;
  readonly accountUuid: string;
  readonly email: string;
  /** Where it came from, for the audit table. */
  readonly address: string;
}

/**
 * Gives the account the address that was proven to be its owner's. Run again after a commit whose outcome was lost, it
 * finds what it did.
 *
 * @returns undefined where another call has used the code up, or the account has gone.
 * @throws ServiceError `already_exists` where another account has the address.
 */
export async function completeEmailChange(
  database: AuthDatabase,
  { handle, accountUuid, email, address }: ProvenEmailChange,
  nowMs: bigint,
): Promise<Account | undefined> {
  return database.write(async (transaction) => {
    const taken = await takeSignIn(transaction, handle);
    const before = await findAccount(transaction, accountUuid);
    if (before === undefined) return undefined;
    if (!taken) return before.email === email ? before : undefined;
    if (!(await changeEmail(transaction, database.dialect, accountUuid, email))) throw emailTaken();
    await recordEvent(transaction, { event: "account.email_changed", accountUuid, details: { address } }, nowMs);
    return { ...before, email };
  });
}

function emailTaken(): ServiceError {
  return new ServiceError("already_exists", "another account has this e-mail address");
}
