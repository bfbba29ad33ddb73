import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthenticationMethod } from "../base/authentication-method.ts";
import type { AuthContext } from "../base/context.ts";
import type { AuthSchema } from "../base/schema.ts";
import { browserOf } from "../mail/browser-name.ts";
import { notify } from "../mail/notify.ts";
import { requireProof } from "./account-proof.ts";
import { deleteRecovery, findRecovery } from "./recoveries-store.ts";
import { recoveryStoppedNotice } from "./recovery-notice.ts";

/**
 * Stops a recovery, for everybody who can prove to own the account or to read its mails. Whoever reads the mails can so delay
 * the owner, but never get in sooner: see docs/decisions.md.
 */
export function stopRecovery(context: AuthContext): ServiceImpl<typeof AccountService>["stopRecovery"] {
  const { database, clock } = context;
  return async ({ proof, recoveryUuid, peer }) => {
    const { accountUuid, email, authenticatedBy: by } = await requireProof(context, proof);
    const stop = { accountUuid, recoveryUuid: recoveryUuid.toLowerCase(), by, address: peer?.address ?? "" };
    const stopped = await database.write(async (transaction) => {
      const found = await findRecovery(transaction, accountUuid);
      if (found?.byOperator) throw operatorOnly();
      return storeStop(transaction, stop, clock());
    });
    if (!stopped) throw new ServiceError("not_found", "the account has no such recovery");
    void notify(context, [email], recoveryStoppedNotice(browserOf(peer)));
    return {};
  };
}

/**
 * Stops the recovery that waits for an account, if there is one: somebody has just signed in with a passkey, so not all are
 * lost. In the transaction of the sign-in.
 *
 * @returns whether there was one
 */
export async function stopRecoveryBySignIn(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  address: string,
  nowMs: bigint,
): Promise<boolean> {
  const recovery = await findRecovery(transaction, accountUuid);
  if (recovery === undefined || recovery.byOperator) return false;
  return storeStop(transaction, { accountUuid, recoveryUuid: recovery.uuid, by: "passkey", address }, nowMs);
}

/** The operator begins a recovery where a thief has a passkey of the account, and would stop any other. */
function operatorOnly(): ServiceError {
  return new ServiceError("failed_precondition", "the operator began the recovery, who alone can stop it");
}

/** A recovery that is to be stopped, and by what kind of sign-in. */
export interface Stop {
  readonly accountUuid: string;
  readonly recoveryUuid: string;
  readonly by: AuthenticationMethod | "operator";
  /** The network address of the browser, for the audit table. */
  readonly address: string;
}

export async function storeStop(
  transaction: Transaction<AuthSchema>,
  { accountUuid, recoveryUuid: recovery, by, address }: Stop,
  nowMs: bigint,
): Promise<boolean> {
  if (!(await deleteRecovery(transaction, accountUuid, recovery))) return false;
  await recordEvent(transaction, { event: "recovery.stopped", accountUuid, details: { recovery, by, address } }, nowMs);
  return true;
}
