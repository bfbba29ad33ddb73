import { OAuthError } from "./oauth-error.ts";
import { namesOf } from "./oauth-parameters.ts";

/** The scopes that a client can be configured for. */
export const KNOWN_SCOPES = ["read_entities", "sale_eligibility_check", "contact_email"] as const;

/** The scope that shows the user's e-mail address to an application. */
export const CONTACT_EMAIL = "contact_email";

/**
 * The scope of OpenID Connect (Core section 3.1.2.1). Every client may request it, none is configured for it, and no consent lists
 * it: it gives an ID token, whose subject is the one that access tokens have anyway.
 */
export const OPENID = "openid";

const MAX_CHARACTERS = 1_024;
/** The characters of `scope` (RFC 6749 section 3.3): printable ASCII without `"` and `\`, and spaces between names. */
const SCOPE = /^[ !#-[\]-~]*$/;

/** A scope that a client may request. */
export interface ClientScope {
  readonly scope: string;
  /** Whether a user who doesn't grant it can't sign in. */
  readonly required: boolean;
}

export function isKnownScope(scope: string): boolean {
  return (KNOWN_SCOPES as readonly string[]).includes(scope);
}

/**
 * Parses a `scope` parameter. Names that mean nothing here are ignored (OpenID Connect Core section 3.1.2.1): libraries ask every
 * server for `profile`, `email` and `offline_access`, and the answer's `scope` says what was granted. Repeated scopes are returned
 * once.
 *
 * @param text undefined for a request without the parameter
 * @returns undefined where it names nothing at all
 * @throws OAuthError `invalid_scope` for text that is no list of names
 */
export function parseScope(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  if (text.length > MAX_CHARACTERS) {
    throw new OAuthError("invalid_scope", `scope must have at most ${MAX_CHARACTERS} characters`);
  }
  if (!SCOPE.test(text)) {
    throw new OAuthError("invalid_scope", "scope must be names with spaces between them (RFC 6749 section 3.3)");
  }
  const names = namesOf(text);
  if (names.length === 0) return undefined;
  return [...new Set(names)].filter((name) => name === OPENID || isKnownScope(name));
}

/** Joins scopes with spaces, as they are stored and sent. */
export function scopeText(scopes: readonly string[]): string {
  return scopes.join(" ");
}

/** Splits text that `scopeText` has made. */
export function scopesOfText(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}

/**
 * The scopes that a request asks the user for, in the order of the client's present configuration: the required ones and
 * those that the request names, or all if it names none.
 */
export function requestedScopes(
  configured: readonly ClientScope[],
  named: readonly string[] | undefined,
): readonly ClientScope[] {
  return configured.filter(({ scope, required }) => required || named === undefined || named.includes(scope));
}
