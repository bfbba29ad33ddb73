import { countPasskeys } from "../base/passkey-count.ts";
import type { SessionDependencies } from "./dependencies.ts";
import { requireSession } from "./require-session.ts";
import type { Session } from "./session.ts";

/**
 * Returns the session of somebody who ends other ones. With a code, that is possible a few times an hour where the account has a
 * passkey: whoever only reads its mails could otherwise end each session by passkey as soon as it begins, so that its owner never
 * changes the address. It isn't refused, as the lost device may have a session.
 *
 * @throws ServiceError as `requireSession`; `resource_exhausted`
 */
export async function requireEndingSession(dependencies: SessionDependencies, sessionToken: string): Promise<Session> {
  const session = await requireSession(dependencies, sessionToken);
  const { accountUuid, authenticatedBy } = session;
  if (authenticatedBy === "passkey") return session;
  const passkeys = await dependencies.database.read((query) => countPasskeys(query, accountUuid));
  if (passkeys > 0) await dependencies.rateLimits.take("end_sessions_account", accountUuid);
  return session;
}
