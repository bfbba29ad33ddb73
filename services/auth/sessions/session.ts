import type { AuthenticationMethod } from "../base/authentication-method.ts";

const MINUTE_MS = 60_000n;

/** The time after which an unused session ends. */
export const SESSION_IDLE_MS = 12n * 60n * MINUTE_MS;
/** The time after which every session ends. */
export const SESSION_LIFETIME_MS = 14n * 24n * 60n * MINUTE_MS;
/** The precision of a session's last use: it is stored at most once in this time. */
const SESSION_TOUCH_MS = MINUTE_MS;

/** The session of a browser in which a person has signed in. Times are milliseconds since 1970. */
export interface Session {
  /** Identifies the session in lists; it isn't the secret. */
  readonly uuid: string;
  readonly accountUuid: string;
  /** The address of the account. */
  readonly email: string;
  readonly createdAtMs: bigint;
  readonly authenticatedAtMs: bigint;
  readonly authenticatedBy: AuthenticationMethod;
  readonly lastSeenAtMs: bigint;
  /** The end of the session, however much it is used. */
  readonly expiresAtMs: bigint;
  readonly userAgent: string;
}

/** Whether a session is neither expired nor idle for too long. */
export function isLive({ expiresAtMs, lastSeenAtMs }: Session, nowMs: bigint): boolean {
  return nowMs < expiresAtMs && nowMs - lastSeenAtMs < SESSION_IDLE_MS;
}

/** Whether the last use must be stored again. */
export function needsTouch({ lastSeenAtMs }: Session, nowMs: bigint): boolean {
  return nowMs - lastSeenAtMs >= SESSION_TOUCH_MS;
}
