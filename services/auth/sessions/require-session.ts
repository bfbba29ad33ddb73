import { ServiceError } from "../../shared/errors/service-error.ts";
import { checkRecentSignIn } from "../../shared/rpc/identity/recent-sign-in.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import type { Session } from "./session.ts";
import { findSession } from "./sessions-store.ts";

type SessionLookup = Pick<BaseDependencies, "database" | "clock">;

/** @throws ServiceError `unauthenticated` for a session that is unknown or has ended. */
export async function requireSession({ database, clock }: SessionLookup, token: string): Promise<Session> {
  const session = await findSession(database, token, clock());
  if (session === undefined) throw sessionEnded();
  return session;
}

/** @throws ServiceError as `requireSession`, and `failed_precondition` for a sign-in that is more than ten minutes old. */
export async function requireRecentSession(dependencies: SessionLookup, token: string): Promise<Session> {
  const session = await requireSession(dependencies, token);
  checkRecentSignIn(session, dependencies.clock());
  return session;
}

export function sessionEnded(): ServiceError {
  return new ServiceError("unauthenticated", "the session has ended; sign in again");
}
