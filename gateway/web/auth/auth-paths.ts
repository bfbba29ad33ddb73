import { requestPath } from "../http/request-path.ts";

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

/** The founder's pages, and what is below. */
export const DASHBOARD_PATH = "/dashboard";

export const ASSETS_PREFIX = "/assets/";
export const LOGOS_PREFIX = "/logos/";

const PATHS: ReadonlySet<string> = new Set([...Object.values(AUTH_PATHS), DASHBOARD_PATH]);
const PREFIXES = [ASSETS_PREFIX, LOGOS_PREFIX, `${DASHBOARD_PATH}/`];

/** Whether a request target belongs to sign-in, OAuth or account. Compared as it stands, as `findResource` does. */
export function isAuthTarget(target: string): boolean {
  const path = requestPath(target);
  return PATHS.has(path) || PREFIXES.some((prefix) => path.startsWith(prefix));
}
