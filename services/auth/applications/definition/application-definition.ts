import { invalidArgument, type Violation } from "../../../../common/platform/errors/service-error.ts";
import { brokenNameRules } from "../../../../common/platform/names/name-rules.ts";
import { looksLikeProduct } from "../../../../common/platform/names/product-name.ts";
import { type ClientScope, CONTACT_EMAIL, isKnownScope, KNOWN_SCOPES } from "../../base/oauth/scope.ts";
import type { Tenancy } from "../../memberships/read-sale.ts";
import { type ClientSecurity, checkSecurity, DEFAULT_SECURITY, type EnteredSecurity } from "./application-security.ts";
import { redirectUriViolations } from "./redirect-uri.ts";

const MAX_NAME_CHARACTERS = 100;

/** The settings of a client that a founder decides. */
export interface ClientDefinition {
  /** 1 to 100 characters, shown to users. */
  readonly name: string;
  /** Compared as exact strings (RFC 9700 section 2.1). */
  readonly redirectUris: readonly string[];
  readonly scopes: readonly ClientScope[];
  readonly security: ClientSecurity;
}

/** A definition as a founder enters it. */
export interface EnteredDefinition extends Omit<ClientDefinition, "security"> {
  /** Undefined to keep the settings that the client has; a new client gets the default ones. */
  readonly security?: EnteredSecurity | undefined;
}

/**
 * Checks a definition and normalises it for the store. It may be incomplete; the client can't sign users in then.
 *
 * @param before the definition that it replaces
 * @throws ServiceError `invalid_argument` that names each wrong field and its rule
 */
export function checkClientDefinition(
  entered: EnteredDefinition,
  tenancy: Tenancy,
  before?: ClientDefinition,
): ClientDefinition {
  const { name, redirectUris, scopes } = entered;
  const kept = { security: before?.security ?? DEFAULT_SECURITY, violations: [] };
  const { security, violations: wrongSecurity } =
    entered.security === undefined ? kept : checkSecurity(entered.security, tenancy);
  const violations = [
    ...clientNameViolations(name, before?.name),
    ...redirectUriViolations(redirectUris, tenancy, "definition.redirect_uris"),
    ...clientScopeViolations(scopes),
    ...wrongSecurity,
  ];
  if (violations.length > 0) throw invalidArgument(violations);
  return { name: trimmedClientName(name), redirectUris, scopes, security };
}

/** Whether users must give an application their e-mail addresses. */
export function requiresEmail({ scopes }: Pick<ClientDefinition, "scopes">): boolean {
  return scopes.some(({ scope, required }) => scope === CONTACT_EMAIL && required);
}

/** Whether two definitions have different redirect URIs, in whatever order. */
export function changesRedirectUris(before: ClientDefinition, after: ClientDefinition): boolean {
  const uris = new Set(before.redirectUris);
  return after.redirectUris.length !== uris.size || after.redirectUris.some((uri) => !uris.has(uri));
}

/** The name of a client as it is stored: without surrounding white space. */
function trimmedClientName(name: string): string {
  return name.trim();
}

/**
 * Returns the violations of the name of a client, which users see on the pages of an authorization and in mails.
 *
 * @param kept the name that the client has, which may be older than the rules
 */
function clientNameViolations(name: string, kept?: string): readonly Violation[] {
  const trimmed = trimmedClientName(name);
  const broken = brokenNameRules(trimmed, { maxCharacters: MAX_NAME_CHARACTERS, kept });
  const posing = trimmed !== kept && looksLikeProduct(trimmed) ? [POSING] : [];
  return [...broken, ...posing].map((rule) => ({ field: "definition.name", ...rule }));
}

/** An application with the product's name could ask people for what they would give only to us. */
const POSING = {
  rule: "name.product",
  message: "must not be, or look like, Tidemark, the name of this service",
};

/** Returns the violations of the scopes in a client's definition. */
function clientScopeViolations(scopes: readonly ClientScope[]): readonly Violation[] {
  const names = scopes.map(({ scope }) => scope);
  return names.flatMap((name, index) => {
    const field = `definition.scopes[${index}].scope`;
    if (!isKnownScope(name)) {
      return [{ field, rule: "scope.unknown", message: `must be one of ${KNOWN_SCOPES.join(", ")}` }];
    }
    if (names.indexOf(name) < index) return [{ field, rule: "scope.doubled", message: "is there twice" }];
    return [];
  });
}
