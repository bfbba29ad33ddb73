import { OPENID } from "../base/oauth/scope.ts";
import type { TokenHolder } from "./token-holder.ts";

type Holder = Pick<TokenHolder, "clientScopes" | "consentedScopes">;

/**
 * The scopes of a grant that are in force: those that the user's consent still grants, and that the client is still
 * configured for. They never exceed the grant, so a consent that is given again doesn't widen an earlier grant. `openid` is in no
 * consent and no configuration, and stays.
 */
export function effectiveScopes(granted: readonly string[], holder: Holder): readonly string[] {
  const { clientScopes, consentedScopes } = holder;
  const configured = clientScopes.map(({ scope }) => scope);
  return granted.filter((scope) => scope === OPENID || (consentedScopes.includes(scope) && configured.includes(scope)));
}

/** Whether scopes let a client sign a user in: there are some, and none is missing that the client requires. */
export function sufficesFor({ clientScopes }: Holder, scopes: readonly string[]): boolean {
  return scopes.length > 0 && clientScopes.every(({ scope, required }) => !required || scopes.includes(scope));
}
