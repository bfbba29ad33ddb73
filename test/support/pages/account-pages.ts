import { entityPaths, NEW_ENTITY_PATH } from "../../../gateway/account/entities/entity-paths.ts";
import { isOfPattern, routeTable } from "../../../gateway/testing/route-table.ts";
import { AUTH_PATHS } from "../../../gateway/web/sessions/auth-paths.ts";

const ENTITY = entityPaths(":entity");

/** Routes of sign-in, OAuth and the account that show a page: a browser visits each, at two widths and in both languages. */
export const ACCOUNT_PAGES: readonly string[] = [
  AUTH_PATHS.authorize,
  AUTH_PATHS.continue,
  AUTH_PATHS.logout,
  AUTH_PATHS.signIn,
  AUTH_PATHS.code,
  AUTH_PATHS.recoveryByPass,
  AUTH_PATHS.signedOut,
  AUTH_PATHS.account,
  AUTH_PATHS.email,
  AUTH_PATHS.emailCode,
  AUTH_PATHS.passkeys,
  AUTH_PATHS.passkeyOffer,
  AUTH_PATHS.passkeyRule,
  AUTH_PATHS.recovery,
  AUTH_PATHS.data,
  AUTH_PATHS.deleteAccount,
  AUTH_PATHS.liveness,
  AUTH_PATHS.stopAlerts,
  NEW_ENTITY_PATH,
  ENTITY.entity,
  ENTITY.wallet,
  ENTITY.remove,
];

/** The other routes of sign-in, OAuth and the account, each with the reason why no browser visits it. */
export const OTHER_ACCOUNT_PATHS: Readonly<Record<string, string>> = {
  [AUTH_PATHS.consent]: "a form's address",
  [AUTH_PATHS.chooseAccount]: "a form's address",
  [AUTH_PATHS.confirmLogout]: "a form's address",
  [AUTH_PATHS.signOut]: "a form's address",
  [AUTH_PATHS.endSession]: "a form's address",
  [AUTH_PATHS.endOtherSessions]: "a form's address",
  [AUTH_PATHS.withdraw]: "a form's address",
  [AUTH_PATHS.alerts]: "a form's address",
  [AUTH_PATHS.passkeySignIn]: "a form's address",
  [AUTH_PATHS.renamePasskey]: "a form's address",
  [AUTH_PATHS.removePasskey]: "a form's address",
  [AUTH_PATHS.passkeySignInQuestion]: "for the script of passkeys",
  [AUTH_PATHS.passkeyQuestion]: "for the script of passkeys",
  [AUTH_PATHS.dataFile]: "a file",
  [AUTH_PATHS.push]: "for applications",
  [AUTH_PATHS.token]: "for applications",
  [AUTH_PATHS.revoke]: "for applications",
  [AUTH_PATHS.introspect]: "for applications",
  [AUTH_PATHS.userinfo]: "for applications",
  [AUTH_PATHS.metadata]: "for applications",
  [AUTH_PATHS.openIdConfiguration]: "for applications",
  [AUTH_PATHS.jwks]: "for applications",
  "/": "a redirect",
  "/founder": "a redirect",
  "/svc/{sale}": "a redirect",
  "/svc/{sale}/home": "a redirect",
  [`${AUTH_PATHS.account}/*`]: "the answer for a page that doesn't exist",
};

/** Routes of sign-in, OAuth and the account, by the routing table. */
export function accountRoutes(): string[] {
  const paths = routeTable().flatMap(([path, surface]) => (["account", "oauth"].includes(surface) ? [path] : []));
  return [...new Set(paths)];
}

/** Returns the pages of `ACCOUNT_PAGES` at which none of the visited addresses is. A path is its first page's. */
export function unvisitedAccountPages(visited: Iterable<string>): string[] {
  const seen = new Set(
    Array.from(visited, (url) => ACCOUNT_PAGES.find((page) => isOfPattern(page, url.replace(/\?.*$/, "")))),
  );
  return ACCOUNT_PAGES.filter((page) => !seen.has(page));
}
