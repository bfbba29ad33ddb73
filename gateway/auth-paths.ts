import { isExportPath } from "./export/export-paths.ts";
import { pathOf } from "./public-paths.ts";

/** Paths of sign-in, OAuth and account. */
export const AUTH_PATHS = {
  authorize: "/oauth/authorize",
  /** Where an authorization under way is taken up again: its sign-in or consent page. */
  continue: "/oauth/continue",
  consent: "/oauth/consent",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  userinfo: "/oauth/userinfo",
  metadata: "/.well-known/oauth-authorization-server",
  jwks: "/.well-known/jwks.json",
  signIn: "/sign-in",
  code: "/sign-in/code",
  signOut: "/sign-out",
  signedOut: "/signed-out",
  account: "/account",
  endSession: "/account/sessions/end",
  withdraw: "/account/applications/withdraw",
  email: "/account/email",
  emailCode: "/account/email/code",
  deleteAccount: "/account/delete",
} as const;

export const ASSETS_PREFIX = "/assets/";
export const LOGOS_PREFIX = "/logos/";

const PATHS: ReadonlySet<string> = new Set(Object.values(AUTH_PATHS));

/** Whether a request target belongs to sign-in, OAuth or account. Compared as it stands, as `findResource` does. */
export function isAuthTarget(target: string): boolean {
  const path = pathOf(target);
  return PATHS.has(path) || path.startsWith(ASSETS_PREFIX) || isExportPath(path) || path.startsWith(LOGOS_PREFIX);
}
