import { invalidArgument, type Violation } from "../../../common/platform/errors/service-error.ts";
import type { ClientScope } from "../base/oauth/scope.ts";

/** The decisions of a user about the scopes of a client so far. */
export interface Consent {
  readonly granted: readonly string[];
  readonly declined: readonly string[];
}

/**
 * The version of the consent page's words about scopes (`gateway/web/texts/scope-text.ts`). It is raised when they say that an
 * application may do more than before; whoever agreed to older words is then asked again.
 */
export const CONSENT_WORDS_VERSION = 2;

/** A consent, and the words to which the user agreed. */
export interface WordedConsent extends Consent {
  /** `CONSENT_WORDS_VERSION` at that time; 0 before there were versions, and without a decision. */
  readonly wordsVersion: number;
}

/** A scope on the consent page. */
export interface ConsentScope extends ClientScope {
  /** Whether it is preselected: it is required, or was granted the last time. */
  readonly granted: boolean;
}

export const NO_CONSENT: Consent = { granted: [], declined: [] };

/**
 * Returns the requested scopes that earlier decisions grant. Returns undefined if the user must be asked: about a scope that
 * wasn't decided, about a required one that wasn't granted, or because nothing would be granted.
 *
 * @param identifies whether the request has the scope `openid`, so that it gets something even without any other scope
 */
export function grantWithoutAsking(
  requested: readonly ClientScope[],
  consent: Consent,
  identifies: boolean,
): readonly string[] | undefined {
  const granted = requested.filter(({ scope }) => consent.granted.includes(scope));
  const settled = requested.every(
    ({ scope, required }) => consent.granted.includes(scope) || (!required && consent.declined.includes(scope)),
  );
  return settled && (granted.length > 0 || identifies) ? granted.map(({ scope }) => scope) : undefined;
}

export function consentScopes(requested: readonly ClientScope[], consent: Consent): readonly ConsentScope[] {
  return requested.map(({ scope, required }) => ({
    scope,
    required,
    granted: required || consent.granted.includes(scope),
  }));
}

/**
 * Checks the scopes that a user has chosen in a form, and returns them in the order of the request.
 *
 * @throws ServiceError `invalid_argument` if a required scope is missing, or one wasn't requested; Tidemark's own form never
 *   sends that.
 */
export function chosenScopes(requested: readonly ClientScope[], chosen: readonly string[]): readonly string[] {
  const violations = [...unrequestedScopes(requested, chosen), ...missingScopes(requested, chosen)];
  if (violations.length > 0) throw invalidArgument(violations);
  return requested.filter(({ scope }) => chosen.includes(scope)).map(({ scope }) => scope);
}

function unrequestedScopes(requested: readonly ClientScope[], chosen: readonly string[]): readonly Violation[] {
  const foreign = chosen.some((name) => !requested.some(({ scope }) => scope === name));
  return foreign ? [{ field: "scopes", rule: "scopes.not_asked", message: "must be among the requested ones" }] : [];
}

function missingScopes(requested: readonly ClientScope[], chosen: readonly string[]): readonly Violation[] {
  const missing = requested.filter(({ scope, required }) => required && !chosen.includes(scope));
  const names = missing.map(({ scope }) => scope).join(", ");
  const message = `must have the required ${names}`;
  return names === "" ? [] : [{ field: "scopes", rule: "scopes.required", message }];
}

/**
 * The scopes that earlier grants keep after a decision; undefined if it grants what was granted before. A scope that is
 * granted anew is granted to new tokens only.
 */
export function keptScopes(before: Consent, after: Consent): readonly string[] | undefined {
  const kept = after.granted.filter((scope) => before.granted.includes(scope));
  const isSame = kept.length === before.granted.length && kept.length === after.granted.length;
  return isSame ? undefined : kept;
}

/** The consent after a decision. Earlier decisions about scopes that weren't requested are kept. */
export function consentAfter(before: Consent, requested: readonly ClientScope[], granted: readonly string[]): Consent {
  const names = requested.map(({ scope }) => scope);
  const earlier = (scopes: readonly string[]) => scopes.filter((scope) => !names.includes(scope));
  return {
    granted: [...earlier(before.granted), ...granted],
    declined: [...earlier(before.declined), ...names.filter((scope) => !granted.includes(scope))],
  };
}
