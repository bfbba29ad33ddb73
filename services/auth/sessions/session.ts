import type { AuthenticationMethod } from "../base/authentication-method.ts";
import { SESSION_IDLE_MS, SESSION_TOUCH_MS } from "../base/lifetimes.ts";

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
