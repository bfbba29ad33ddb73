import { ALERT_STOP_PATH } from "../../../common/internal-api/alert-stop.ts";

/** Paths of sign-in, OAuth and account. */
export const AUTH_PATHS = {
  authorize: "/oauth/authorize",
  /** Takes authorization requests that applications push (RFC 9126). */
  push: "/oauth/par",
  /** Resumes an authorization: redirects to its sign-in or consent page. */
  continue: "/oauth/continue",
  consent: "/oauth/consent",
  chooseAccount: "/oauth/choose-account",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  introspect: "/oauth/introspect",
  userinfo: "/oauth/userinfo",
  /** The sign-out that an application asks for. */
  logout: "/oauth/logout",
  confirmLogout: "/oauth/logout/confirm",
  metadata: "/.well-known/oauth-authorization-server",
  openIdConfiguration: "/.well-known/openid-configuration",
  jwks: "/.well-known/jwks.json",
  signIn: "/sign-in",
  code: "/sign-in/code",
  passkeySignIn: "/sign-in/passkey",
  passkeySignInQuestion: "/sign-in/passkey/question",
  /** Recovers the account of a user whose code was correct, but doesn't sign in, as the account requires a passkey. */
  recoveryByPass: "/sign-in/recovery",
  signOut: "/sign-out",
  signedOut: "/signed-out",
  account: "/account",
  endSession: "/account/sessions/end",
  endOtherSessions: "/account/sessions/end-others",
  withdraw: "/account/applications/withdraw",
  email: "/account/email",
  emailCode: "/account/email/code",
  /** The account's passkeys; a POST adds one. */
  passkeys: "/account/passkeys",
  passkeyQuestion: "/account/passkeys/question",
  renamePasskey: "/account/passkeys/rename",
  removePasskey: "/account/passkeys/remove",
  /** Offers a passkey after a sign-in by a code. */
  passkeyOffer: "/account/passkeys/offer",
  /** Whether a passkey is needed at each sign-in. */
  passkeyRule: "/account/passkey-rule",
  /** Recovers the account of a user who has lost all passkeys. */
  recovery: "/account/recovery",
  /** The page about the file of a person's data. */
  data: "/account/data",
  dataFile: "/account/data.json",
  deleteAccount: "/account/delete",
  liveness: "/account/liveness",
  /** Mails about sales that people ask for. */
  alerts: "/account/alerts",
  /** Ends them without a sign-in. */
  stopAlerts: ALERT_STOP_PATH,
} as const;

/** The list of the founder's sales; the other founder's pages are below this path. */
export const DASHBOARD_PATH = "/dashboard";

/** The founders' guide. */
export const GUIDE_PATH = `${DASHBOARD_PATH}/guide`;

export const ASSETS_PREFIX = "/assets/";
