import { recordEvent } from "../base/audit-store.ts";
import { OAuthError } from "../base/oauth-error.ts";
import type { Session } from "../sessions/session.ts";
import { findSession } from "../sessions/sessions-store.ts";
import { isSignedInFor } from "./authorization-decision.ts";
import { answerAuthorizationRequest } from "./authorization-requests-store.ts";
import { codeUrl, errorUrl } from "./authorization-response.ts";
import type { AuthorizationStep } from "./authorization-step.ts";
import { chosenScopes, consentAfter } from "./consent.ts";
import { type AuthorizationInBrowser, askForConsent } from "./continue-authorization.ts";
import type { AuthorizationDependencies } from "./dependencies.ts";
import { grantCode } from "./grant-code.ts";
import { answeredStep, type ResumedAuthorization, resumeAuthorization, signInStep } from "./resume-authorization.ts";

export interface ConsentDecision extends AuthorizationInBrowser {
  /** Whom the page asked. */
  readonly accountUuid: string;
  readonly approve: boolean;
  /** What is granted, with `approve`. */
  readonly scopes: readonly string[];
}

/**
 * The user's answer to the consent page. A request has one answer: the page of another tab, or one that the browser went
 * back to, finds it answered.
 *
 * @throws ServiceError `invalid_argument` for scopes that no page of ours sends; `resource_exhausted`, `unavailable`.
 */
export async function decideConsent(
  deps: AuthorizationDependencies,
  decision: ConsentDecision,
): Promise<AuthorizationStep> {
  const nowMs = deps.clock();
  const taken = await resumeAuthorization(deps, decision, nowMs);
  if (taken.kind === "error") return taken;
  const session = await findSession(deps.database, decision.sessionToken, nowMs);
  if (!decision.approve) return deny(deps, taken, session, nowMs);
  if (session === undefined || !isSignedInFor(taken.request, session)) return signInStep(taken);
  if (session.accountUuid !== decision.accountUuid) return askForConsent(deps, taken, session);
  const scopes = chosenScopes(taken.asked, decision.scopes);
  if (scopes.length === 0) return deny(deps, taken, session, nowMs);
  return approve(deps, taken, session, scopes, nowMs);
}

async function approve(
  deps: AuthorizationDependencies,
  taken: ResumedAuthorization,
  session: Session,
  scopes: readonly string[],
  nowMs: bigint,
): Promise<AuthorizationStep> {
  const grant = {
    ...taken,
    session,
    scopes,
    consentAfter: (before: Parameters<typeof consentAfter>[0]) => consentAfter(before, taken.asked, scopes),
  };
  const code = await grantCode(deps, grant, nowMs);
  return code === undefined ? answeredStep(taken) : { kind: "redirect", url: codeUrl(taken.address, code) };
}

/** Needs nobody signed in: whoever holds the page may leave it. */
async function deny(
  { database }: AuthorizationDependencies,
  taken: ResumedAuthorization,
  session: Session | undefined,
  nowMs: bigint,
): Promise<AuthorizationStep> {
  const { uuid: clientUuid, saleUuid } = taken.target.client;
  const event = { event: "consent.denied", accountUuid: session?.accountUuid, clientUuid, saleUuid } as const;
  const denied = await database.write(async (transaction) => {
    if (!(await answerAuthorizationRequest(transaction, taken.handle, nowMs))) return false;
    await recordEvent(transaction, event, nowMs);
    return true;
  });
  return denied ? { kind: "redirect", url: errorUrl(taken.address, DENIED) } : answeredStep(taken);
}

const DENIED = new OAuthError("access_denied", "the user has refused");
