import { ServiceError } from "../../shared/errors/service-error.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import type { Session } from "./session.ts";
import { findSession } from "./sessions-store.ts";

export type SessionLookup = Pick<BaseDependencies, "database" | "clock">;

/** @throws ServiceError `unauthenticated` for a session that is unknown or has ended. */
export async function requireSession({ database, clock }: SessionLookup, token: string): Promise<Session> {
  const session = await findSession(database, token, clock());
  if (session === undefined) throw sessionEnded();
  return session;
}

export function sessionEnded(): ServiceError {
  return new ServiceError("unauthenticated", "the session has ended; sign in again");
}
