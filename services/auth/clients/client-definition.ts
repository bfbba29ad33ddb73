import { invalidArgument } from "../../shared/errors/service-error.ts";
import { CONTACT_EMAIL } from "../base/scope.ts";
import type { Tenancy } from "../memberships/read-sale.ts";
import type { ClientDefinition } from "./client.ts";
import { clientNameViolations, trimmedClientName } from "./client-name.ts";
import { clientScopeViolations } from "./client-scopes.ts";
import { redirectUriViolations } from "./redirect-uri.ts";

/**
 * Checks a definition and normalises it for the store. It may be incomplete; the client can't sign users in then.
 *
 * @param before the definition that it replaces
 * @throws ServiceError `invalid_argument` that names each wrong field and its rule
 */
export function checkClientDefinition(
  definition: ClientDefinition,
  tenancy: Tenancy,
  before?: ClientDefinition,
): ClientDefinition {
  const { name, redirectUris, scopes } = definition;
  const violations = [
    ...clientNameViolations(name, before?.name),
    ...redirectUriViolations(redirectUris, tenancy),
    ...clientScopeViolations(scopes),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
  return { name: trimmedClientName(name), redirectUris, scopes };
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
