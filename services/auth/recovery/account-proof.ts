import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { checkRecentSignIn } from "../../../common/platform/rpc/identity/recent-sign-in.ts";
import type { AccountProof } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { findPass } from "../accounts/recovery-passes-store.ts";
import type { AuthenticationMethod } from "../base/authentication-method.ts";
import type { AuthContext } from "../base/context.ts";
import { requireSession, sessionEnded } from "../sessions/require-session.ts";

/** A person who has proven to own an account, or to read its mails. */
export interface ProvenPerson {
  readonly accountUuid: string;
  /** The address of the account. */
  readonly email: string;
  readonly authenticatedBy: AuthenticationMethod;
  readonly authenticatedAtMs: bigint;
}

/** Returns the person of a proof. @throws ServiceError `unauthenticated` where it has ended */
export async function requireProof(context: AuthContext, proof: AccountProof | undefined): Promise<ProvenPerson> {
  const { case: kind, value = "" } = proof?.proof ?? {};
  if (kind !== "recoveryPass") return requireSession(context, value);
  const pass = await context.database.read((query) => findPass(query, value, context.clock()));
  if (pass === undefined) throw sessionEnded();
  const { accountUuid, email, createdAtMs } = pass;
  return { accountUuid, email, authenticatedBy: "code", authenticatedAtMs: createdAtMs };
}

/**
 * Returns the person of a proof who entered a code in the last ten minutes. Whoever has a passkey needs no recovery, and a
 * session that was stolen is not enough for one.
 *
 * @throws ServiceError `unauthenticated`, `failed_precondition`
 */
export async function requireRecentCode(context: AuthContext, proof: AccountProof | undefined): Promise<ProvenPerson> {
  const person = await requireProof(context, proof);
  if (person.authenticatedBy === "passkey") {
    throw new ServiceError("failed_precondition", "you signed in with a passkey, so there is nothing to recover");
  }
  checkRecentSignIn(person, context.clock());
  return person;
}
