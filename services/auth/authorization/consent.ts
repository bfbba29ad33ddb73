import { invalidArgument, type Violation } from "../../shared/errors/service-error.ts";
import type { ClientScope } from "../base/scope.ts";

/** What a user has decided about a client so far. */
export interface Consent {
  readonly granted: readonly string[];
  readonly declined: readonly string[];
}

/** A scope as the user is asked for it. */
export interface ConsentScope extends ClientScope {
  /** How it stands at first: required, or granted the last time. */
  readonly granted: boolean;
}

export const NO_CONSENT: Consent = { granted: [], declined: [] };

/**
 * What earlier decisions grant of the scopes that are asked for; undefined where the user must be asked: for a scope that
 * wasn't decided, for a required one that wasn't granted, and where nothing would be granted.
 */
export function grantWithoutAsking(asked: readonly ClientScope[], consent: Consent): readonly string[] | undefined {
  const granted = asked.filter(({ scope }) => consent.granted.includes(scope));
  const settled = asked.every(
    ({ scope, required }) => consent.granted.includes(scope) || (!required && consent.declined.includes(scope)),
  );
  return settled && granted.length > 0 ? granted.map(({ scope }) => scope) : undefined;
}

export function consentScopes(asked: readonly ClientScope[], consent: Consent): readonly ConsentScope[] {
  return asked.map(({ scope, required }) => ({
    scope,
    required,
    granted: required || consent.granted.includes(scope),
  }));
}

/**
 * What the user grants by a form, in the order of what is asked.
 *
 * @throws ServiceError `invalid_argument` where a required scope is missing, or one is granted that isn't asked for: no
 *   form of ours sends that.
 */
export function chosenScopes(asked: readonly ClientScope[], chosen: readonly string[]): readonly string[] {
  const violations = [...unrequestedScopes(asked, chosen), ...missingScopes(asked, chosen)];
  if (violations.length > 0) throw invalidArgument(violations);
  return asked.filter(({ scope }) => chosen.includes(scope)).map(({ scope }) => scope);
}

function unrequestedScopes(asked: readonly ClientScope[], chosen: readonly string[]): readonly Violation[] {
  const foreign = chosen.some((name) => !asked.some(({ scope }) => scope === name));
  return foreign ? [{ field: "scopes", rule: "scopes.not_asked", message: "must be among those asked for" }] : [];
}

function missingScopes(asked: readonly ClientScope[], chosen: readonly string[]): readonly Violation[] {
  const missing = asked.filter(({ scope, required }) => required && !chosen.includes(scope));
  const names = missing.map(({ scope }) => scope).join(", ");
  const message = `must have the required ${names}`;
  return names === "" ? [] : [{ field: "scopes", rule: "scopes.required", message }];
}

/** What is remembered after a decision; scopes that weren't asked for stay as they were decided before. */
export function consentAfter(before: Consent, asked: readonly ClientScope[], granted: readonly string[]): Consent {
  const names = asked.map(({ scope }) => scope);
  const earlier = (scopes: readonly string[]) => scopes.filter((scope) => !names.includes(scope));
  return {
    granted: [...earlier(before.granted), ...granted],
    declined: [...earlier(before.declined), ...names.filter((scope) => !granted.includes(scope))],
  };
}
