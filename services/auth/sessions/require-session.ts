import { ServiceError } from "../../shared/errors/service-error.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import { checkRecentSignIn, type Session } from "./session.ts";
import { findSession } from "./sessions-store.ts";

type SessionLookup = Pick<BaseDependencies, "database" | "clock">;

/** @throws ServiceError `unauthenticated` where the session is unknown or over. */
export async function requireSession({ database, clock }: SessionLookup, token: string): Promise<Session> {
  const session = await findSession(database, token, clock());
  if (session === undefined) throw sessionEnded();
  return session;
}

/** @throws ServiceError as `requireSession`; `failed_precondition` where the sign-in is more than ten minutes old. */
export async function requireRecentSession(dependencies: SessionLookup, token: string): Promise<Session> {
  const session = await requireSession(dependencies, token);
  checkRecentSignIn(session, dependencies.clock());
  return session;
}

export function sessionEnded(): ServiceError {
  return new ServiceError("unauthenticated", "the session has ended; sign in again");
}
