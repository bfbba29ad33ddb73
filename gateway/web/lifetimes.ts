/**
 * The lifetimes of the gateway's cookies, caches and calls for people who sign in. A cookie must not outlive what auth stores for it
 * (`services/auth/base/lifetimes.ts`); the caches of the public read have their own reasons, in `gateway/public-read/cache`.
 */
const MINUTE_S = 60;
const DAY_S = 86_400;

// Cookies.

/** The cookie of a browser, to which sign-ins, authorizations and forms are bound. */
export const BROWSER_COOKIE_S = 30 * DAY_S;
/** The cookie with a sign-in that has begun: as long as a mailed code is valid. */
export const PENDING_SIGN_IN_COOKIE_S = 10 * MINUTE_S;
/** The cookie with a recovery pass: as long as auth accepts the pass. */
export const RECOVERY_PASS_COOKIE_S = 10 * MINUTE_S;
/** The cookie with a form that was refused: what was entered, and why. */
export const REFUSAL_COOKIE_S = 10 * MINUTE_S;
/** The cookie by which auth knows a browser that has signed in: as long as auth does. */
export const KNOWN_BROWSER_COOKIE_S = 90 * DAY_S;
/** The cookie of somebody who wants no passkey now. */
export const DECLINED_PASSKEY_COOKIE_S = 90 * DAY_S;
/** The cookie that names the application or sale from which somebody came: an identity check may take days. */
export const SENDER_COOKIE_S = 7 * DAY_S;
/** The cookie with the language that somebody chose with the switch. */
export const CHOSEN_LANGUAGE_COOKIE_S = 365 * DAY_S;
/** The cookie with the language that an application asked for. An authorization has to be finished within half an hour. */
export const ASKED_LANGUAGE_COOKIE_S = 60 * MINUTE_S;

// Sign-in.

/** The age at which a sign-in is no longer recent. Auth allows ten minutes; one less leaves the user time to act. */
export const RECENT_SIGN_IN_MS = 9 * 60_000;

// Callbacks.

/** The deadline of a callback of the identity vendor. Persona waits five seconds for the answer. */
export const IDENTITY_CALLBACK_MS = 4_000;

// Caches of what auth says.

/** The age up to which what a service said serves while the service is away; then the answer is its error. An access token may live as long. */
export const ANSWER_MAX_AGE_MS = 60 * 60_000;

/** The public keys (JWKS): a new key is published 15 minutes before it signs. */
export const JWKS_TTL_MS = 10_000;
/** Whether an origin is registered by an application, for CORS. */
export const ORIGIN_TTL_MS = 30_000;
/** The time for which browsers keep the answer to a preflight request of such an origin. */
export const ORIGIN_PREFLIGHT_S = 10 * MINUTE_S;
/** The nonce of DPoP that is supplied. */
export const DPOP_NONCE_TTL_MS = 10_000;
/** Its greatest age: auth accepts it for two minutes at least. */
export const DPOP_NONCE_MAX_AGE_MS = 120_000;
/** A logo, whose address names its content. */
export const LOGO_TTL_MS = 600_000;
/** The absence of a logo. It is stored before a page refers to it. */
export const MISSING_LOGO_TTL_MS = 5_000;
