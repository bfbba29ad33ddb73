import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { withCallSignal } from "../../../common/platform/concurrency/call-signal.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { lockAccount } from "../accounts/accounts-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { countPasskeys } from "../base/passkey-count.ts";
import type { AuthSchema } from "../base/schema.ts";
import { browserOf } from "../mail/browser-name.ts";
import { sessionEnded } from "../sessions/require-session.ts";
import { requireRecentCode } from "./account-proof.ts";
import { deleteRecovery, findRecovery, insertRecovery } from "./recoveries-store.ts";
import { newRecovery, type Recovery, recoveryState } from "./recovery.ts";
import { recoveryMessage } from "./recovery-message.ts";
import { sendDueNotices } from "./send-due-notices.ts";

export function beginRecovery(context: AuthContext): ServiceImpl<typeof AccountService>["beginRecovery"] {
  const { database, clock, rateLimits } = context;
  return async ({ proof, peer }) => {
    const { accountUuid } = await requireRecentCode(context, proof);
    await rateLimits.take("recovery_account", accountUuid);
    const nowMs = clock();
    const { language } = browserOf(peer);
    const requested = newRecovery({ uuid: randomUUID(), accountUuid, language, byOperator: false }, nowMs);
    const recovery = await database.writeLocked(async (transaction) => {
      if (!(await lockAccount(transaction, database.dialect, accountUuid))) throw sessionEnded();
      return storeRecovery(transaction, requested, peer?.address ?? "", nowMs);
    });
    void mailBeginning(context);
    return { recovery: recoveryMessage(recovery, nowMs) };
  };
}

/** The time that the first notice has before it is left to the periodic work. */
const SEND_TIMEOUT_MS = 30_000;

/** Mails that a recovery has begun. The answer doesn't wait for it, so it must not end with the call. */
async function mailBeginning(context: AuthContext): Promise<void> {
  const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
  try {
    await withCallSignal(signal, () => sendDueNotices(context, signal));
  } catch (error) {
    context.logger.warn({ err: error }, "the mail about a recovery that has begun is sent later");
  }
}

/**
 * Stores a recovery unless one waits already. The operator's replaces one that others could stop. The transaction must have
 * locked the account.
 *
 * @returns the one that waits
 */
export async function storeRecovery(
  transaction: Transaction<AuthSchema>,
  recovery: Recovery,
  address: string,
  nowMs: bigint,
): Promise<Recovery> {
  const { accountUuid, byOperator } = recovery;
  const found = await findRecovery(transaction, accountUuid);
  const isKept = found !== undefined && recoveryState(found, nowMs) !== "expired" && (found.byOperator || !byOperator);
  if (isKept) return found;
  if (found !== undefined) await deleteRecovery(transaction, accountUuid, found.uuid);
  if ((await countPasskeys(transaction, accountUuid)) === 0) throw nothingToRecover();
  await insertRecovery(transaction, recovery);
  const details = { recovery: recovery.uuid, address, ...(byOperator && { by: "operator" }) };
  await recordEvent(transaction, { event: "recovery.begun", accountUuid, details }, nowMs);
  return recovery;
}

function nothingToRecover(): ServiceError {
  return new ServiceError("failed_precondition", "the account has no passkey, so there is nothing to recover");
}
