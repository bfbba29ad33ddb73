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
