import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { lockAccount, requiresPasskey } from "../accounts/accounts-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { countPasskeys } from "../base/passkey-count.ts";
import type { AuthSchema } from "../base/schema.ts";
import { browserOf } from "../mail/browser-name.ts";
import { notify } from "../mail/notify.ts";
import { requireRecentPasskeySession } from "../sessions/passkey-session.ts";
import { requireUnended } from "../sessions/require-session.ts";
import type { Session } from "../sessions/session.ts";
import { endOtherPasskeySessions } from "../sessions/sessions-store.ts";
import { passkeyRemovedNotice } from "./passkey-notice.ts";
import { deletePasskey } from "./passkeys-store.ts";

export function removePasskey(context: AuthContext): ServiceImpl<typeof AccountService>["removePasskey"] {
  const { database, clock, salesRequiringPasskeys } = context;
  return async ({ sessionToken, passkeyUuid, peer }) => {
    const session = await requireRecentPasskeySession(context, sessionToken);
    const { accountUuid, email } = session;
    const sales = await salesRequiringPasskeys(accountUuid);
    const uuid = passkeyUuid.toLowerCase();
    const removed = await database.write(async (transaction) => {
      await lockAccount(transaction, database.dialect, accountUuid);
      await requireUnended(transaction, session);
      const passkey = await deletePasskey(transaction, { uuid, accountUuid });
      if (passkey === undefined) throw noSuchPasskey();
      const left = await countPasskeys(transaction, accountUuid);
      checkRemoval({ left, isRequired: await requiresPasskey(transaction, accountUuid), sales });
      const details = { passkey: uuid, address: peer?.address ?? "" };
      await recordEvent(transaction, { event: "passkey.removed", accountUuid, details }, clock());
      await endSessionsByPasskey(transaction, session, clock());
      return passkey;
    });
    void notify(context, [email], passkeyRemovedNotice(removed.name, browserOf(peer)));
    return {};
  };
}

/**
 * Ends the other sessions that began with a passkey. Whoever has the device of the removed one may have signed in with it just
 * now, and could otherwise add a new one. Which passkey a session began with isn't stored.
 */
async function endSessionsByPasskey(
  transaction: Transaction<AuthSchema>,
  { accountUuid, uuid: by }: Pick<Session, "accountUuid" | "uuid">,
  nowMs: bigint,
): Promise<void> {
  const count = await endOtherPasskeySessions(transaction, accountUuid, by);
  if (count === 0) return;
  const details = { by, count, reason: "passkey removed" };
  await recordEvent(transaction, { event: "session.others_ended", accountUuid, details }, nowMs);
}

export function noSuchPasskey(): ServiceError {
  return new ServiceError("not_found", "the account has no such passkey");
}

/** The effect of removing a passkey. */
interface RemovalEffect {
  /** The number of passkeys that would be left. */
  readonly left: number;
  /** Whether the account requires a passkey at each sign-in. */
  readonly isRequired: boolean;
  /** UUIDs of the sales that require passkeys of the person, an owner or editor of them. */
  readonly sales: readonly string[];
}

/**
 * Checks that nobody locks themselves out by removing the last passkey.
 *
 * @throws ServiceError `failed_precondition`
 */
export function checkRemoval({ left, isRequired, sales }: RemovalEffect): void {
  if (left > 0) return;
  if (isRequired) throw refusal("your account requires a passkey: end that first, or add another passkey");
  const [sale] = sales;
  if (sale !== undefined) throw refusal(`the sale ${sale} requires a passkey of you: add another passkey first`);
}

function refusal(message: string): ServiceError {
  return new ServiceError("failed_precondition", `the last passkey can't be removed: ${message}`);
}
