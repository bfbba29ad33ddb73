import { requireRecentSession } from "../sessions/require-session.ts";
import type { Session } from "../sessions/session.ts";
import type { PasskeyDependencies } from "./dependencies.ts";

/**
 * Returns the session of somebody who may change the passkeys of their account.
 *
 * @throws ServiceError as `requireRecentSession`
 */
export function requirePasskeyChanger(dependencies: PasskeyDependencies, sessionToken: string): Promise<Session> {
  return requireRecentSession(dependencies, sessionToken);
}
