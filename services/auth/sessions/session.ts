import { ServiceError } from "../../shared/errors/service-error.ts";

const MINUTE_MS = 60_000n;

/** An unused session is over after this long. */
export const SESSION_IDLE_MS = 12n * 60n * MINUTE_MS;
/** A session is over after this long, however much it was used. */
export const SESSION_LIFETIME_MS = 14n * 24n * 60n * MINUTE_MS;
/** How exactly the last use of a session is known: once in this time it is written down. */
const SESSION_TOUCH_MS = MINUTE_MS;
/** What is dangerous wants a sign-in that is at most this old. */
const RECENT_SIGN_IN_MS = 10n * MINUTE_MS;

/** A browser that somebody has signed in with. Times are milliseconds since 1970. */
export interface Session {
  /** For lists; not the token. */
  readonly uuid: string;
  readonly accountUuid: string;
  /** Of the account. */
  readonly email: string;
  readonly createdAtMs: bigint;
  readonly authenticatedAtMs: bigint;
  readonly lastSeenAtMs: bigint;
  /** When it ends at the latest. */
  readonly expiresAtMs: bigint;
  readonly userAgent: string;
}

/** Neither expired nor idle for too long. */
export function isLive({ expiresAtMs, lastSeenAtMs }: Session, nowMs: bigint): boolean {
  return nowMs < expiresAtMs && nowMs - lastSeenAtMs < SESSION_IDLE_MS;
}

/** Whether the last use must be written down anew. */
export function needsTouch({ lastSeenAtMs }: Session, nowMs: bigint): boolean {
  return nowMs - lastSeenAtMs >= SESSION_TOUCH_MS;
}

/** @throws ServiceError `failed_precondition` where the person signed in more than ten minutes ago. */
export function checkRecentSignIn({ authenticatedAtMs }: Pick<Session, "authenticatedAtMs">, nowMs: bigint): void {
  if (nowMs - authenticatedAtMs <= RECENT_SIGN_IN_MS) return;
  throw new ServiceError("failed_precondition", "a sign-in of the last ten minutes is needed: sign in again");
}
