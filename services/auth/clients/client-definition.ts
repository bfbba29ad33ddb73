import { invalidArgument } from "../../shared/errors/service-error.ts";
import type { Tenancy } from "../memberships/read-sale.ts";
import type { ClientDefinition } from "./client.ts";
import { clientNameViolations, trimmedClientName } from "./client-name.ts";
import { clientScopeViolations } from "./client-scopes.ts";
import { redirectUriViolations } from "./redirect-uri.ts";

/**
 * A definition as it is stored. It need not be complete: what is missing keeps the client from signing users in.
 *
 * @throws ServiceError `invalid_argument` naming each wrong field and its rule
 */
export function checkClientDefinition(definition: ClientDefinition, tenancy: Tenancy): ClientDefinition {
  const { name, redirectUris, scopes } = definition;
  const violations = [
    ...clientNameViolations(name),
    ...redirectUriViolations(redirectUris, tenancy),
    ...clientScopeViolations(scopes),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
  return { name: trimmedClientName(name), redirectUris, scopes };
}

/** Whether two definitions send users to other places. Their order doesn't count. */
export function changesRedirectUris(before: ClientDefinition, after: ClientDefinition): boolean {
  const uris = new Set(before.redirectUris);
  return after.redirectUris.length !== uris.size || after.redirectUris.some((uri) => !uris.has(uri));
}
