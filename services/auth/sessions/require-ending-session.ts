import type { AuthContext } from "../base/context.ts";
import { countPasskeys } from "../base/passkey-count.ts";
import { requireSession } from "./require-session.ts";
import type { Session } from "./session.ts";

/**
 * Returns the session of somebody who ends other ones. With a code, that is possible a few times an hour where the account has a
 * passkey: whoever only reads its mails could otherwise end each session by passkey as soon as it begins, so that its owner never
 * changes the address. It isn't refused, as the lost device may have a session.
 *
 * @throws ServiceError as `requireSession`; `resource_exhausted`
 */
export async function requireEndingSession(context: AuthContext, sessionToken: string): Promise<Session> {
  const session = await requireSession(context, sessionToken);
  const { accountUuid, authenticatedBy } = session;
  if (authenticatedBy === "passkey") return session;
  const passkeys = await context.database.read((query) => countPasskeys(query, accountUuid));
  if (passkeys > 0) await context.rateLimits.take("end_sessions_account", accountUuid);
  return session;
}
