import type { SettingChange } from "../../shared/sale-definition/setting-change.ts";
import { POST_LOGOUT_FIELD } from "../memberships/owner-notice.ts";
import type { ClientDefinition } from "./client.ts";
import type { ClientSecurity } from "./client-security.ts";
import { jwkThumbprint, type PublicJwk } from "./public-jwk.ts";

/** Returns the settings in which two definitions of a client differ, as the activity log of its sale shows them. */
export function clientChanges(before: ClientDefinition, after: ClientDefinition): readonly SettingChange[] {
  const scopes = new Set([...before.scopes, ...after.scopes].map(({ scope }) => scope));
  const uris = new Set([...before.redirectUris, ...after.redirectUris]);
  const changes = [
    { field: "Name", before: before.name, after: after.name },
    ...Array.from(scopes, (scope) => ({ field: scope, before: useOf(before, scope), after: useOf(after, scope) })),
    ...Array.from(uris, (uri) => ({ field: "Redirect URI", before: held(before, uri), after: held(after, uri) })),
  ];
  return [...changes.filter(isChange), ...securityChanges(before.security, after.security)];
}

/** Returns the security settings that differ, in the same form. */
export function securityChanges(before: ClientSecurity, after: ClientSecurity): readonly SettingChange[] {
  const all = (list: (security: ClientSecurity) => readonly string[]) => [
    ...new Set([...list(before), ...list(after)]),
  ];
  const changes = [
    ...SETTINGS.map(({ field, text }) => ({ field, before: text(before), after: text(after) })),
    ...LISTS.flatMap(({ field, list }) =>
      all(list).map((entry) => ({
        field,
        before: list(before).includes(entry) ? entry : "",
        after: list(after).includes(entry) ? entry : "",
      })),
    ),
  ];
  return changes.filter(isChange);
}

const SETTINGS: readonly { readonly field: string; text(security: ClientSecurity): string }[] = [
  {
    field: "Pushed authorization requests",
    text: (security) => (security.requirePushedAuthorizationRequests ? "required" : "optional"),
  },
  { field: "DPoP", text: (security) => (security.dpopBoundAccessTokens ? "required" : "optional") },
  { field: "ID token algorithm", text: (security) => security.idTokenSignedResponseAlg },
  { field: "Client authentication", text: (security) => security.tokenEndpointAuthMethod },
];

const LISTS: readonly { readonly field: string; list(security: ClientSecurity): readonly string[] }[] = [
  { field: "Public key", list: ({ jwks }) => jwks.map(keyText) },
  { field: POST_LOGOUT_FIELD, list: ({ postLogoutRedirectUris }) => postLogoutRedirectUris },
];

/** Returns the `kid` of a key and the SHA-256 thumbprint that tells it from others (RFC 7638). */
function keyText(key: PublicJwk): string {
  return `${key.kid} (${key.kty}${key.alg === undefined ? "" : `, ${key.alg}`}, ${jwkThumbprint(key)})`;
}

function isChange({ before, after }: SettingChange): boolean {
  return before !== after;
}

function useOf({ scopes }: ClientDefinition, name: string): string {
  const found = scopes.find(({ scope }) => scope === name);
  if (found === undefined) return "off";
  return found.required ? "required" : "optional";
}

function held({ redirectUris }: ClientDefinition, uri: string): string {
  return redirectUris.includes(uri) ? uri : "";
}
