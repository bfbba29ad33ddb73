import type { Kysely } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AuthContext } from "../base/context.ts";
import type { AuthSchema } from "../base/schema.ts";
import type { Session } from "./session.ts";
import { findSession, hasSession } from "./sessions-store.ts";

/** @throws ServiceError `unauthenticated` for a session that is unknown or has ended. */
export async function requireSession({ database, clock }: AuthContext, token: string): Promise<Session> {
  const session = await findSession(database, token, clock());
  if (session === undefined) throw sessionEnded();
  return session;
}

/**
 * Checks that a session hasn't ended since it was read. Run it in the transaction of a change, after the account was locked: what
 * ends the sessions of a thief, such as a recovery, holds the same lock, and his call that waits for it must change nothing then.
 *
 * @throws ServiceError `unauthenticated`
 */
export async function requireUnended(
  query: Kysely<AuthSchema>,
  session: Pick<Session, "accountUuid" | "uuid">,
): Promise<void> {
  if (!(await hasSession(query, session))) throw sessionEnded();
}

export function sessionEnded(): ServiceError {
  return new ServiceError("unauthenticated", "the session has ended; sign in again");
}
