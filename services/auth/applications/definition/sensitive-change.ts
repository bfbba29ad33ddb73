import { type ClientDefinition, changesRedirectUris, requiresEmail } from "./application-definition.ts";
import { DEFAULT_SECURITY, weakensSecurity } from "./application-security.ts";

/** The parts of a change of a client that need more than the role of an editor, and are mailed to the owners. */
export interface SensitiveChange {
  /** Whether it changes the redirect URIs, which decide where users are sent. */
  readonly redirectUris: boolean;
  /** Whether users have to give their e-mail addresses from now on, and didn't before. */
  readonly requiresEmail: boolean;
  /** Whether it weakens the security settings, as `weakensSecurity` says. */
  readonly weakerSecurity: boolean;
}

/** @param before undefined for a new client */
export function sensitiveChange(before: ClientDefinition | undefined, after: ClientDefinition): SensitiveChange {
  return {
    redirectUris: changesRedirectUris(before ?? { ...after, redirectUris: [] }, after),
    requiresEmail: requiresEmail(after) && (before === undefined || !requiresEmail(before)),
    weakerSecurity: weakensSecurity(before?.security ?? DEFAULT_SECURITY, after.security),
  };
}
