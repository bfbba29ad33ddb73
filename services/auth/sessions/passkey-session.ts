import type { Kysely } from "kysely";
import { refusedByRule, type ServiceError } from "../../../common/platform/errors/service-error.ts";
import { checkRecentSignIn } from "../../../common/platform/rpc/identity/recent-sign-in.ts";
import type { AuthContext } from "../base/context.ts";
import { countPasskeys } from "../base/passkey-count.ts";
import type { AuthSchema } from "../base/schema.ts";
import { requireSession } from "./require-session.ts";
import type { Session } from "./session.ts";

/** The rule that the errors of `checkPasskeySession` name. */
const PASSKEY_SIGN_IN_RULE = "passkey.sign_in_required";

/**
 * Checks that a session may make a change that needs a passkey where the account has one: to read its mails must not be enough.
 * Run it in the transaction of the change, after the account was locked, as a passkey may have been added since the session
 * was read. That the sign-in is recent is `requireRecentPasskeySession`'s to check, before the transaction.
 *
 * @throws ServiceError `failed_precondition`
 */
export async function requirePasskeySession(
  query: Kysely<AuthSchema>,
  session: Pick<Session, "accountUuid" | "authenticatedBy">,
): Promise<void> {
  checkPasskeySession(session, await countPasskeys(query, session.accountUuid));
}

/**
 * Returns the session of a recent sign-in, which was with a passkey where the account has one.
 *
 * @throws ServiceError as `requireSession` and `requirePasskeySession`, and `failed_precondition` for a sign-in that is more
 *   than ten minutes old
 */
export async function requireRecentPasskeySession(context: AuthContext, token: string): Promise<Session> {
  const session = await requireSession(context, token);
  checkRecentSignIn(session, context.clock());
  await context.database.read((query) => requirePasskeySession(query, session));
  return session;
}

/** @param passkeys the number of passkeys of the account @throws ServiceError `failed_precondition` */
export function checkPasskeySession({ authenticatedBy }: Pick<Session, "authenticatedBy">, passkeys: number): void {
  if (passkeys === 0 || authenticatedBy === "passkey") return;
  throw passkeySignInRequired("the account has a passkey: sign in with it");
}

/** Returns the error for a person who must sign in with a passkey. */
export function passkeySignInRequired(message: string): ServiceError {
  return refusedByRule(PASSKEY_SIGN_IN_RULE, message);
}
