import type { SettingChange } from "../../shared/sale-definition/setting-change.ts";
import type { ClientDefinition } from "./client.ts";

/** Returns the settings in which two definitions of a client differ, as the activity log of its sale shows them. */
export function clientChanges(before: ClientDefinition, after: ClientDefinition): readonly SettingChange[] {
  const scopes = new Set([...before.scopes, ...after.scopes].map(({ scope }) => scope));
  const uris = new Set([...before.redirectUris, ...after.redirectUris]);
  const changes = [
    { field: "Name", before: before.name, after: after.name },
    ...Array.from(scopes, (scope) => ({ field: scope, before: useOf(before, scope), after: useOf(after, scope) })),
    ...Array.from(uris, (uri) => ({ field: "Redirect URI", before: held(before, uri), after: held(after, uri) })),
  ];
  return changes.filter((change) => change.before !== change.after);
}

function useOf({ scopes }: ClientDefinition, name: string): string {
  const found = scopes.find(({ scope }) => scope === name);
  if (found === undefined) return "off";
  return found.required ? "required" : "optional";
}

function held({ redirectUris }: ClientDefinition, uri: string): string {
  return redirectUris.includes(uri) ? uri : "";
}
