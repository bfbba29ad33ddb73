import type { CallOptions } from "@connectrpc/connect";
import { AuthenticationMethod } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { atEntities } from "../../web/auth/at-entities.ts";
import { AUTH_PATHS } from "../../web/auth/auth-paths.ts";
import { signInRulesOf } from "../../web/auth/passkey-session.ts";
import { type CurrentSession, requireSession, signInUrl } from "../../web/auth/session.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { isRecentSession } from "../founder.ts";
import type { TakingPartDependencies } from "../taking-part-dependencies.ts";

/** A signed-in reviewer of this deployment. */
export interface Reviewer extends CurrentSession {
  /** Options of calls of the entities service on the reviewer's behalf. */
  readonly atEntities: CallOptions;
  /** Whether the sign-in is recent enough to decide. */
  readonly isRecent: boolean;
}

/**
 * Returns the reviewer, who must have signed in with a passkey. The entities service wants the same.
 *
 * @throws PageError 403 for anybody else, and without a passkey; SignInRequired, which leads back to `next`
 */
export async function reviewerOf(
  c: AuthContext,
  dependencies: TakingPartDependencies,
  next = c.req.path,
): Promise<Reviewer> {
  const current = await requireSession(c, dependencies, next);
  const options = await atEntities(current, dependencies, next);
  const { isReviewer } = await dependencies.participation.entities.getSetupPolicy({}, options);
  if (!isReviewer) throw noReviewer();
  if (current.session.authenticatedBy !== AuthenticationMethod.PASSKEY) {
    const rules = await signInRulesOf(dependencies, current.sessionToken);
    throw passkeyNeeded((rules?.passkeys ?? 0) > 0, next);
  }
  return { ...current, atEntities: options, isRecent: isRecentSession(current) };
}

function passkeyNeeded(hasPasskey: boolean, next: string): PageError {
  const href = signInUrl({ next, isRepeated: true, needsPasskey: true });
  return new PageError(
    403,
    "Reviewers need a passkey",
    hasPasskey ? "You signed in with a code." : "Your account has no passkey yet: add one, then sign in with it.",
    {
      link: hasPasskey
        ? { href, text: "Sign in with a passkey" }
        : { href: AUTH_PATHS.passkeys, text: "Add a passkey" },
    },
  );
}

function noReviewer(): PageError {
  return new PageError(
    403,
    "Only reviewers see this page",
    "The operator of this installation says who checks identities. Sign in with another address, or ask them.",
    { link: { href: AUTH_PATHS.account, text: "Your account" } },
  );
}
