import { OAuthError } from "./oauth-error.ts";

/** The scopes that there are. */
export const KNOWN_SCOPES = ["read_entities", "sale_eligibility_check", "contact_email"] as const;

/** Lets an application know the user's e-mail address. */
export const CONTACT_EMAIL = "contact_email";

const MAX_CHARACTERS = 1_024;
/** `scope` (RFC 6749 section 3.3): tokens of printable ASCII without `"` and `\`, one space between two. */
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
 * The scopes of a `scope` parameter, each once.
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

/** Scopes as they are stored and sent. */
export function scopeText(scopes: readonly string[]): string {
  return scopes.join(" ");
}

/** What `scopeText` gave. */
export function scopesOfText(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}

/**
 * What a request asks for: the scopes that it names, all where it names none, the required ones always; as the client is
 * configured now, in that order.
 */
export function requestedScopes(
  configured: readonly ClientScope[],
  named: readonly string[] | undefined,
): readonly ClientScope[] {
  return configured.filter(({ scope, required }) => required || named === undefined || named.includes(scope));
}
