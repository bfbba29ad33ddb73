import type { Session } from "../sessions/session.ts";
import { findSession } from "../sessions/sessions-store.ts";
import { decideAuthorization, isSignedInFor } from "./authorization-decision.ts";
import { codeUrl } from "./authorization-response.ts";
import type { AuthorizationStep } from "./authorization-step.ts";
import { type ConsentScope, consentScopes } from "./consent.ts";
import { findConsent } from "./consents-store.ts";
import type { AuthorizationDependencies } from "./dependencies.ts";
import { grantCode } from "./grant-code.ts";
import { answeredStep, type ResumedAuthorization, resumeAuthorization, signInStep } from "./resume-authorization.ts";

/** An authorization that a browser has a page of. */
export interface AuthorizationInBrowser {
  readonly handle: string;
  readonly browserToken: string;
  /** Empty for none. */
  readonly sessionToken: string;
}

/**
 * Takes an authorization up again, after a sign-in or to show its page anew.
 *
 * @throws ServiceError `resource_exhausted`, `unavailable`.
 */
export async function continueAuthorization(
  deps: AuthorizationDependencies,
  browser: AuthorizationInBrowser,
): Promise<AuthorizationStep> {
  const nowMs = deps.clock();
  const taken = await resumeAuthorization(deps, browser, nowMs);
  if (taken.kind === "error") return taken;
  const session = await findSession(deps.database, browser.sessionToken, nowMs);
  if (session === undefined || !isSignedInFor(taken.request, session)) return signInStep(taken);
  const decision = decideAuthorization(taken.request, taken.asked, await consentOf(deps, taken, session));
  if (decision.kind !== "grant") return consentStep(taken, session, decision.scopes);
  const code = await grantCode(deps, { ...taken, session, scopes: decision.scopes }, nowMs);
  return code === undefined ? answeredStep(taken) : { kind: "redirect", url: codeUrl(taken.address, code) };
}

/** The consent page for whoever has signed in, whatever was decided before. */
export async function askForConsent(
  deps: AuthorizationDependencies,
  taken: ResumedAuthorization,
  session: Session,
): Promise<AuthorizationStep> {
  return consentStep(taken, session, consentScopes(taken.asked, await consentOf(deps, taken, session)));
}

async function consentOf(
  { database }: AuthorizationDependencies,
  { target }: ResumedAuthorization,
  { accountUuid }: Session,
) {
  return database.read((query) => findConsent(query, { accountUuid, clientUuid: target.client.uuid }));
}

function consentStep(
  { handle, target }: ResumedAuthorization,
  { accountUuid, email }: Session,
  scopes: readonly ConsentScope[],
): AuthorizationStep {
  return { kind: "consent", handle, target, accountUuid, email, scopes };
}
