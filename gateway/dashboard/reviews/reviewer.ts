import type { CallOptions } from "@connectrpc/connect";
import { atEntities } from "../../web/auth/at-entities.ts";
import { AUTH_PATHS } from "../../web/auth/auth-paths.ts";
import { type CurrentSession, requireSession } from "../../web/auth/session.ts";
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

/** Returns the reviewer. @throws PageError 403 for anybody else; SignInRequired, which leads back to `next` */
export async function reviewerOf(
  c: AuthContext,
  dependencies: TakingPartDependencies,
  next = c.req.path,
): Promise<Reviewer> {
  const current = await requireSession(c, dependencies, next);
  const options = await atEntities(current, dependencies, next);
  const { isReviewer } = await dependencies.participation.entities.getSetupPolicy({}, options);
  if (!isReviewer) throw noReviewer();
  return { ...current, atEntities: options, isRecent: isRecentSession(current) };
}

function noReviewer(): PageError {
  return new PageError(
    403,
    "Only reviewers see this page",
    "The operator of this installation says who checks identities. Sign in with another address, or ask them.",
    { link: { href: AUTH_PATHS.account, text: "Your account" } },
  );
}
