import { requirePasskeySession } from "../sessions/passkey-session.ts";
import { requireRecentSession } from "../sessions/require-session.ts";
import type { Session } from "../sessions/session.ts";
import type { PasskeyDependencies } from "./dependencies.ts";

/**
 * Returns the session of somebody who may change the passkeys of their account: where it has one, the sign-in must have been
 * with it.
 *
 * @throws ServiceError as `requireRecentSession` and `requirePasskeySession`
 */
export async function requirePasskeyChanger(dependencies: PasskeyDependencies, sessionToken: string): Promise<Session> {
  const session = await requireRecentSession(dependencies, sessionToken);
  await dependencies.database.read((query) => requirePasskeySession(query, session));
  return session;
}
