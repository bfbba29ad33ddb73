import { OAuthError } from "./oauth-error.ts";

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
/** The syntax of `scope` (RFC 6749 section 3.3): tokens of printable ASCII without `"` and `\`, separated by one space. */
const SCOPE = /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/;

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
 * Parses a `scope` parameter. Repeated scopes are returned once.
 *
 * @throws OAuthError `invalid_scope`.
 */
export function parseScope(text: string): readonly string[] {
  if (text.length > MAX_CHARACTERS) {
    throw new OAuthError("invalid_scope", `scope must have at most ${MAX_CHARACTERS} characters`);
  }
  if (!SCOPE.test(text)) {
    throw new OAuthError("invalid_scope", "scope must be names with one space between two (RFC 6749 section 3.3)");
  }
  return [...new Set(text.split(" "))];
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
