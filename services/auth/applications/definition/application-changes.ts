import { APPLICATION_LISTS, requirementText, SECURITY_WORDS } from "../../../../common/sale/words/application-words.ts";
import type { SettingChange } from "../../../../common/sale/words/setting-change.ts";
import type { ClientDefinition } from "./application-definition.ts";
import type { ClientSecurity } from "./application-security.ts";
import { jwkThumbprint, type PublicJwk } from "./public-jwk.ts";

/** Returns the settings in which two definitions of a client differ, as the activity log of its sale shows them. */
export function clientChanges(before: ClientDefinition, after: ClientDefinition): readonly SettingChange[] {
  const scopes = new Set([...before.scopes, ...after.scopes].map(({ scope }) => scope));
  const changes = [
    { field: "Name", before: before.name, after: after.name },
    ...Array.from(scopes, (scope) => ({ field: scope, before: useOf(before, scope), after: useOf(after, scope) })),
    ...listChanges(APPLICATION_LISTS.redirectUri, before.redirectUris, after.redirectUris),
  ];
  return [...changes.filter(isChange), ...securityChanges(before.security, after.security)];
}

/** Returns the security settings that differ, in the same form. */
export function securityChanges(before: ClientSecurity, after: ClientSecurity): readonly SettingChange[] {
  const changes = [
    ...SECURITY_WORDS.map(({ name, text }) => ({ field: name, before: text(before), after: text(after) })),
    ...LISTS.flatMap(({ field, list }) => listChanges(field, list(before), list(after))),
  ];
  return changes.filter(isChange);
}

const LISTS: readonly { readonly field: string; list(security: ClientSecurity): readonly string[] }[] = [
  { field: APPLICATION_LISTS.publicKey, list: ({ jwks }) => jwks.map(keyText) },
  { field: APPLICATION_LISTS.postLogoutUri, list: ({ postLogoutRedirectUris }) => postLogoutRedirectUris },
];

/** Returns the `kid` of a key and the SHA-256 thumbprint that tells it from others (RFC 7638). */
function keyText(key: PublicJwk): string {
  return `${key.kid} (${key.kty}${key.alg === undefined ? "" : `, ${key.alg}`}, ${jwkThumbprint(key)})`;
}

/** Returns each entry of two lists: the side that doesn't have it is empty. */
function listChanges(field: string, before: readonly string[], after: readonly string[]): readonly SettingChange[] {
  const held = (list: readonly string[], entry: string) => (list.includes(entry) ? entry : "");
  const entries = new Set([...before, ...after]);
  return Array.from(entries, (entry) => ({ field, before: held(before, entry), after: held(after, entry) }));
}

function isChange({ before, after }: SettingChange): boolean {
  return before !== after;
}

function useOf({ scopes }: ClientDefinition, name: string): string {
  const found = scopes.find(({ scope }) => scope === name);
  if (found === undefined) return "off";
  return requirementText(found.required);
}
