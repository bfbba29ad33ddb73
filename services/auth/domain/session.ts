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
