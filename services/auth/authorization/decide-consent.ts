import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import { OPENID } from "../base/oauth/scope.ts";
import { chosenScopes, consentAfter } from "../consents/consent.ts";
import type { Session } from "../sessions/session.ts";
import { answerAuthorizationRequest } from "./authorization-requests-store.ts";
import { codeUrl, errorUrl } from "./authorization-response.ts";
import type { AuthorizationStep } from "./authorization-step.ts";
import { type AuthorizationInBrowser, askForConsent } from "./continue-authorization.ts";
import { grantCode } from "./grant-code.ts";
import { judgeSignIn } from "./judge-sign-in.ts";
import {
  answeredStep,
  type ResumedAuthorization,
  resumeAuthorization,
  sessionStep,
  useStoredSession,
} from "./resume-authorization.ts";

export interface ConsentDecision extends AuthorizationInBrowser {
  /** The account that the page has asked. */
  readonly accountUuid: string;
  readonly approve: boolean;
  /** The chosen scopes; only with `approve`. */
  readonly scopes: readonly string[];
}

/**
 * Handles the user's answer to the consent page. A request can be answered once: a page in another tab, or one to which the
 * browser goes back, finds it answered.
 *
 * @throws ServiceError `invalid_argument` for scopes that the page can't send; `resource_exhausted`, `unavailable`.
 */
export async function decideConsent(context: AuthContext, decision: ConsentDecision): Promise<AuthorizationStep> {
  const nowMs = context.clock();
  const resumed = await resumeAuthorization(context, decision, nowMs);
  if (resumed.kind === "error") return resumed;
  const found = await useStoredSession(context, resumed, decision, nowMs);
  if (!decision.approve) return deny(context, resumed, found, nowMs);
  const verdict = await judgeSignIn(context, { ...resumed, session: found }, nowMs);
  if (verdict.kind !== "fit") return sessionStep(resumed, verdict);
  const { session } = verdict;
  if (session.accountUuid !== decision.accountUuid) return askForConsent(resumed, session);
  const scopes = chosenScopes(resumed.requested, decision.scopes);
  if (scopes.length === 0 && !resumed.request.scopes.includes(OPENID)) return deny(context, resumed, session, nowMs);
  return approve(context, resumed, session, scopes, nowMs);
}

async function approve(
  context: AuthContext,
  resumed: ResumedAuthorization,
  session: Session,
  scopes: readonly string[],
  nowMs: bigint,
): Promise<AuthorizationStep> {
  const grant = {
    ...resumed,
    session,
    scopes,
    consentAfter: (before: Parameters<typeof consentAfter>[0]) => consentAfter(before, resumed.requested, scopes),
  };
  const code = await grantCode(context, grant, nowMs);
  return code === undefined ? answeredStep(resumed) : { kind: "redirect", url: codeUrl(resumed.address, code) };
}

/**
 * Refuses the request. It needs no session, because everyone who sees the page may cancel. Only what somebody who has signed in
 * refuses is recorded: rows of the audit table are kept for long, and strangers could write any number of them.
 */
async function deny(
  { database }: AuthContext,
  resumed: ResumedAuthorization,
  session: Session | undefined,
  nowMs: bigint,
): Promise<AuthorizationStep> {
  const { uuid: clientUuid, saleUuid } = resumed.target.client;
  const event = { event: "consent.denied", accountUuid: session?.accountUuid, clientUuid, saleUuid } as const;
  const denied = await database.write(async (transaction) => {
    if (!(await answerAuthorizationRequest(transaction, resumed.handle, nowMs))) return false;
    if (session !== undefined) await recordEvent(transaction, event, nowMs);
    return true;
  });
  return denied ? { kind: "redirect", url: errorUrl(resumed.address, DENIED) } : answeredStep(resumed);
}

const DENIED = new OAuthError("access_denied", "the user has refused");
