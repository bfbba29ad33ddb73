/**
 * Every lifetime and window of auth, with its reason. Others stand where they belong to more than auth:
 * - ten minutes for a recent sign-in (`RECENT_SIGN_IN_MS`): `common/platform/rpc/identity/recent-sign-in.ts`, and a minute for an
 *   actor token beside it, as all services check them;
 * - 15 minutes for an access token, 30 days for a signing key, 400 days for the audit log: settings, in `config.ts`;
 * - the windows of rate limits: `rate-limit.ts`.
 *
 * `_MS` is milliseconds, `_S` seconds, as JWTs count.
 */
const SECOND_MS = 1_000n;
const MINUTE_MS = 60n * SECOND_MS;
const HOUR_MS = 60n * MINUTE_MS;
const DAY_MS = 24n * HOUR_MS;

// Signing in by a mailed code.

/** The time for which a mailed code is valid: long enough for a slow mail, and no more than ten minutes (NIST SP 800-63B 5.1.3.2). */
export const MAILED_CODE_LIFETIME_MS = 10n * MINUTE_MS;
/**
 * The tries of a sign-in, whichever of its live codes they are for. Each code is compared with five entries at most, so one is
 * guessed with a chance of 5 in 20^8 (1 in 5 thousand million), as if it were the only one. All ten that can be live in a
 * sign-in (five on each side of the hour) are guessed with a chance of 1 in 500 million.
 */
export const MAILED_CODE_TRIES = 5;
/**
 * The codes that are mailed to one address in a clock hour, within each of its allowances: nobody can fill somebody's mailbox.
 * Each browser has the same limit for itself, of which its pages tell.
 */
export const CODE_MAILS_AN_HOUR = 5;
/** The time from one code to the next of the same browser and address: most mails arrive in it. */
export const CODE_PAUSE_MS = 30n * SECOND_MS;
/** The time for which a sign-in is kept after its code: its page then still knows the address, and the browser's sends of the hour. */
export const SIGN_IN_RETENTION_MS = HOUR_MS;
/** The same in 24 hours. */
export const CODE_MAILS_A_DAY = 20;
/** The time for which a browser stays known without another sign-in: strangers can't use up the mails of its user. */
export const KNOWN_BROWSER_MS = 90n * DAY_MS;
/** The time for which a network stays known without another sign-in. */
export const KNOWN_NETWORK_MS = 90n * DAY_MS;
/** The time in which a mail about a sale is taken or fails: longer than the mail server is waited for. */
export const NOTICE_SENDING_MS = 2n * MINUTE_MS;
/** The time for which a sent notice is kept: longer than the entities service repeats one. */
export const SENT_NOTICE_RETENTION_MS = 60n * DAY_MS;

// Passkeys and recovery.

/** The time that a person has from the question to the answer of a passkey (WebAuthn Level 3 recommends five minutes). */
export const PASSKEY_CHALLENGE_LIFETIME_MS = 5n * MINUTE_MS;
/** The time from the beginning of a recovery until it can be completed, in which the owner of the passkeys can stop it. */
export const RECOVERY_WAIT_MS = 72n * HOUR_MS;
/** The time from the beginning of a recovery until its reminder. */
export const RECOVERY_REMINDER_MS = 48n * HOUR_MS;
/** The time for which a recovery can be completed, after the wait. */
export const RECOVERY_OPEN_MS = 7n * DAY_MS;
/** The time for which a code that signs nobody in lets its reader see and recover the account. */
export const RECOVERY_PASS_LIFETIME_MS = 10n * MINUTE_MS;

// Sessions of the gateway's pages.

/** The time after which an unused session ends: a working day. */
export const SESSION_IDLE_MS = 12n * HOUR_MS;
/** The time after which every session ends. */
export const SESSION_LIFETIME_MS = 14n * DAY_MS;
/** The precision of a session's last use: it is stored at most once in this time. */
export const SESSION_TOUCH_MS = MINUTE_MS;

// Authorizations of applications.

/** The time within which an authorization must begin from a pushed request (RFC 9126 section 2.2: 5 to 600 seconds). */
export const PUSHED_REQUEST_LIFETIME_MS = 60n * SECOND_MS;
/** The time that a user has from the first page to the decision: a sign-in with a slow mail fits in. */
export const AUTHORIZATION_REQUEST_LIFETIME_MS = 30n * MINUTE_MS;
/** The time for which an expired authorization is kept, so that its page can still name the application and lead back to it. */
export const AUTHORIZATION_REQUEST_RETENTION_MS = 24n * HOUR_MS;
/** The lifetime of an authorization code (RFC 6749 section 4.1.2 recommends ten minutes at most). */
export const AUTHORIZATION_CODE_LIFETIME_MS = 60n * SECOND_MS;
/** The time for which an expired code is kept, so that its use is still recognised as a replay. */
export const AUTHORIZATION_CODE_RETENTION_MS = 24n * HOUR_MS;

// Tokens.

/** The time after which an unused refresh token expires. */
export const REFRESH_TOKEN_IDLE_MS = 30n * DAY_MS;
/** The time after which all tokens expire that come from one code, refreshed or not. */
export const TOKEN_FAMILY_LIFETIME_MS = 90n * DAY_MS;
/** The time after a sign-in by a code in which the same entry in the same browser gets the same session: for a second click. */
export const SIGN_IN_GRACE_MS = 10n * SECOND_MS;
/** The time after its use in which a refresh token returns its successor again, as long as that is unused: for lost responses. */
export const REFRESH_GRACE_MS = 10n * SECOND_MS;
/** The lifetime of an ID token: shorter than the time for which a retired key stays in the JWKS. */
export const ID_TOKEN_LIFETIME_S = 3_600;

// Proofs and assertions of applications.

/** The time after which a new nonce of DPoP is supplied. */
export const DPOP_NONCE_ROTATION_MS = MINUTE_MS;
/** The longest time between making a client assertion and its expiry. */
export const ASSERTION_LIFETIME_S = 300;
/** The accepted difference between the clocks of an application and of auth. */
export const ASSERTION_CLOCK_TOLERANCE_S = 30;
/** The time for which the ID of a used JWT is kept after the JWT expired, for processes whose clocks are behind. */
export const USED_JWT_ID_RETENTION_MS = 5n * MINUTE_MS;

// Signing keys.

/** The time for which a key is in the JWKS before it signs: longer than verifiers, and caches in front of them, keep a JWKS. */
export const KEY_LEAD_MS = 15n * MINUTE_MS;
/**
 * The time for which a retired key stays in the JWKS: the longest lifetime of an access token, an hour, and some more for
 * replicas that don't know of the rotation yet and for clocks that differ.
 */
export const RETIRED_KEY_MS = 65n * MINUTE_MS;
/** The maximum age of the keys in memory. A replica learns of a rotation, and of a key that was removed, within this time. */
export const KEY_RING_AGE_MS = 5_000;
/** The age up to which keys still verify, and are published, while the database is away. */
export const KEY_RING_OUTAGE_MS = 300_000;

// Sales.

/**
 * The time after which an admitted opening or removal of a sale has ended, with or without success. A call lasts at most a minute; the
 * rest is for clocks that differ and for a slow commit.
 */
export const ADMISSION_LASTS_MS = 2n * MINUTE_MS;
/** The days for which the sign-ins of a sale's users are counted, today included. */
export const SIGN_IN_COUNT_DAYS = 30n;
