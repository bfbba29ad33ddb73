import { Code } from "@connectrpc/connect";
import {
  AuthenticationMethod,
  type GetSignInRulesResponse,
} from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../http/hono-context.ts";
import type { AuthDependencies } from "./auth-dependencies.ts";
import { isRefused } from "./auth-failure.ts";
import { type CurrentSession, orSignIn, requireRecentSession, SignInRequired } from "./session.ts";

/** A session, with what the account's passkeys are needed for. */
export interface PasskeySession extends CurrentSession {
  /** Undefined where the auth service is of a version without such rules. */
  readonly rules: GetSignInRulesResponse | undefined;
}

/**
 * Returns the session of a user who signed in recently, with a passkey where the account has one. The auth service wants the
 * same.
 *
 * @throws SignInRequired
 */
export async function requirePasskeySession(
  c: AuthContext,
  dependencies: AuthDependencies,
  next: string,
): Promise<PasskeySession> {
  const current = await requireRecentSession(c, dependencies, next);
  const rules = await orSignIn(() => signInRulesOf(dependencies, current.sessionToken), next);
  const isByPasskey = current.session.authenticatedBy === AuthenticationMethod.PASSKEY;
  if (rules !== undefined && rules.passkeys > 0 && !isByPasskey) throw new SignInRequired(next, true, true);
  return { ...current, rules };
}

/** Returns what the passkeys of an account are needed for; undefined where the auth service is of a version without that. */
export async function signInRulesOf(
  { clients }: Pick<AuthDependencies, "clients">,
  sessionToken: string,
): Promise<GetSignInRulesResponse | undefined> {
  try {
    return await clients.accounts.getSignInRules({ proof: { proof: { case: "sessionToken", value: sessionToken } } });
  } catch (error) {
    if (isRefused(error, Code.Unimplemented)) return undefined;
    throw error;
  }
}
