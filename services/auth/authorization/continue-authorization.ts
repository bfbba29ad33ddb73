import type { AuthContext } from "../base/context.ts";
import { OPENID } from "../base/oauth/scope.ts";
import { type ConsentScope, consentScopes } from "../consents/consent.ts";
import { decideAuthorization } from "./authorization-decision.ts";
import { codeUrl } from "./authorization-response.ts";
import type { AuthorizationStep } from "./authorization-step.ts";
import type { ClientSession } from "./client-session-store.ts";
import { grantCode } from "./grant-code.ts";
import { judgeSignIn } from "./judge-sign-in.ts";
import {
  answeredStep,
  type ResumedAuthorization,
  resumeAuthorization,
  sessionStep,
  useStoredSession,
} from "./resume-authorization.ts";

/** An authorization for which a browser shows a page. */
export interface AuthorizationInBrowser {
  readonly handle: string;
  readonly browserToken: string;
  /** Empty for none. */
  readonly sessionToken: string;
  /** Whether the user's own answer to the consent page is under way, so that no remembered one gives a code. */
  readonly answering?: boolean;
}

/**
 * Continues an authorization after a sign-in, or shows its page again.
 *
 * @throws ServiceError `resource_exhausted`, `unavailable`.
 */
export async function continueAuthorization(
  context: AuthContext,
  browser: AuthorizationInBrowser,
): Promise<AuthorizationStep> {
  const nowMs = context.clock();
  const resumed = await resumeAuthorization(context, browser, nowMs);
  if (resumed.kind === "error") return resumed;
  const session = await useStoredSession(context, resumed, browser, nowMs);
  const verdict = await judgeSignIn(context, { ...resumed, session }, nowMs);
  if (verdict.kind !== "fit") return sessionStep(resumed, verdict);
  if (browser.answering) return askForConsent(resumed, verdict.session);
  return decide(context, resumed, verdict.session, nowMs);
}

/** Grants a code, or asks for the consent of a user whose session is fit. */
async function decide(
  context: AuthContext,
  resumed: ResumedAuthorization,
  session: ClientSession,
  nowMs: bigint,
): Promise<AuthorizationStep> {
  const decision = decideAuthorization(resumed.request, resumed.requested, session.consent);
  if (decision.kind !== "grant") return consentStep(resumed, session, decision.scopes);
  const code = await grantCode(context, { ...resumed, session, scopes: decision.scopes }, nowMs);
  return code === undefined ? answeredStep(resumed) : { kind: "redirect", url: codeUrl(resumed.address, code) };
}

/** Returns the consent page for the present session, whatever was decided before. */
export function askForConsent(resumed: ResumedAuthorization, session: ClientSession): AuthorizationStep {
  return consentStep(resumed, session, consentScopes(resumed.requested, session.consent));
}

function consentStep(
  { handle, request, target }: ResumedAuthorization,
  { accountUuid, email }: ClientSession,
  scopes: readonly ConsentScope[],
): AuthorizationStep {
  const identifies = request.scopes.includes(OPENID);
  return { kind: "consent", handle, target, accountUuid, email, scopes, identifies };
}
