import type { CallOptions } from "@connectrpc/connect";
import { AuthenticationMethod } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { ACCOUNT_LINK } from "../../web/pages/account-link.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { atEntities } from "../../web/sessions/at-entities.ts";
import { signInRulesOf } from "../../web/sessions/passkey-session.ts";
import { type CurrentSession, requireSession } from "../../web/sessions/session.ts";
import { isRecentSession } from "../base/founder.ts";
import { type PasskeyDemand, passkeyNeeded } from "../base/passkey-needed.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";

/** A signed-in reviewer of this deployment. */
export interface Reviewer extends CurrentSession {
  /** Options of calls of the entities service on the reviewer's behalf. */
  readonly atEntities: CallOptions;
  /** Whether the sign-in is recent enough to decide. */
  readonly isRecent: boolean;
}

const REVIEWER_DEMAND: PasskeyDemand = {
  title: ({ dashboard }) => dashboard.reviews.passkeyTitle,
  byCode: ({ dashboard }) => dashboard.reviews.passkeyByCode,
  none: ({ dashboard }) => dashboard.reviews.passkeyNone,
};

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
  const { isReviewer } = await dependencies.entitiesUpstream.entities.getSetupPolicy({}, options);
  if (!isReviewer) throw noReviewer();
  if (current.session.authenticatedBy !== AuthenticationMethod.PASSKEY) {
    const rules = await signInRulesOf(dependencies, current.sessionToken);
    throw passkeyNeeded(REVIEWER_DEMAND, (rules?.passkeys ?? 0) > 0, next);
  }
  return { ...current, atEntities: options, isRecent: isRecentSession(current) };
}

function noReviewer(): PageError {
  return new PageError(
    403,
    ({ dashboard }) => dashboard.reviews.onlyTitle,
    ({ dashboard }) => dashboard.reviews.onlyText,
    { link: ACCOUNT_LINK },
  );
}
