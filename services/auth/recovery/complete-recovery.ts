import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Peer } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { lockAccount, storePasskeyRequirement } from "../accounts/accounts-store.ts";
import { deletePasses } from "../accounts/recovery-passes-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import type { AuthSchema } from "../base/schema.ts";
import { browserOf } from "../mail/browser-name.ts";
import { notify } from "../mail/notify.ts";
import { sessionEnded } from "../sessions/require-session.ts";
import type { Session } from "../sessions/session.ts";
import { sessionMessage } from "../sessions/session-message.ts";
import { readSession, startSession } from "../sessions/sessions-store.ts";
import { type ProvenPerson, requireRecentCode } from "./account-proof.ts";
import { findRecovery, takeReadyRecovery } from "./recoveries-store.ts";
import { recoveryState } from "./recovery.ts";
import { recoveryCompletedNotice } from "./recovery-notice.ts";

export function completeRecovery(context: AuthContext): ServiceImpl<typeof AccountService>["completeRecovery"] {
  return async ({ proof, recoveryUuid, peer }) => {
    const person = await requireRecentCode(context, proof);
    const completion = { person, recoveryUuid: recoveryUuid.toLowerCase(), token: newOpaqueToken(), peer };
    const session = await storeCompletion(context, completion, context.clock());
    void notify(context, [person.email], recoveryCompletedNotice(browserOf(peer)));
    return { sessionToken: completion.token, session: sessionMessage(session, session) };
  };
}

interface Completion {
  readonly person: ProvenPerson;
  readonly recoveryUuid: string;
  /** The secret of the new session. */
  readonly token: string;
  readonly peer: Peer | undefined;
}

/**
 * Uses the recovery up, removes the passkeys, ends all that could act for the account, and starts a session. If it runs again
 * after a commit whose outcome was lost, it finds the session.
 *
 * @throws ServiceError `failed_precondition` where the recovery can't be completed now
 */
async function storeCompletion(
  { database, endAccess }: AuthContext,
  { person, recoveryUuid, token, peer }: Completion,
  nowMs: bigint,
): Promise<Session> {
  const { dialect } = database;
  const { accountUuid } = person;
  return database.write(async (transaction) => {
    if (!(await lockAccount(transaction, dialect, accountUuid))) throw sessionEnded();
    if (!(await takeReadyRecovery(transaction, accountUuid, recoveryUuid, nowMs))) {
      const stored = await readSession(transaction, token);
      if (stored !== undefined) return stored;
      throw await refusal(transaction, accountUuid, recoveryUuid, nowMs);
    }
    for (const end of endAccess) await end(transaction, accountUuid, { dialect, nowMs });
    await storePasskeyRequirement(transaction, accountUuid, false);
    await deletePasses(transaction, accountUuid);
    return startRecovered(transaction, { person, recoveryUuid, token, peer }, nowMs);
  });
}

async function startRecovered(
  transaction: Transaction<AuthSchema>,
  { person, recoveryUuid: recovery, token, peer }: Completion,
  nowMs: bigint,
): Promise<Session> {
  const { accountUuid, email } = person;
  const account = { uuid: accountUuid, email };
  const start = { token, account, userAgent: peer?.userAgent ?? "", authenticatedBy: "code" } as const;
  const session = await startSession(transaction, start, nowMs);
  const details = { recovery, session: session.uuid, address: peer?.address ?? "" };
  await recordEvent(transaction, { event: "recovery.completed", accountUuid, details }, nowMs);
  return session;
}

async function refusal(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  recoveryUuid: string,
  nowMs: bigint,
): Promise<ServiceError> {
  const found = await findRecovery(transaction, accountUuid);
  const isWaiting = found?.uuid === recoveryUuid && recoveryState(found, nowMs) === "waiting";
  return new ServiceError(
    "failed_precondition",
    isWaiting ? "the recovery can't be completed yet: it waits for 72 hours" : "there is no such recovery any more",
  );
}
