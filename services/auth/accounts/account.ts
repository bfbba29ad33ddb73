/** A person. */
export interface Account {
  readonly uuid: string;
  /** As `parseEmailAddress` returns it. */
  readonly email: string;
  /** Milliseconds since 1970. */
  readonly createdAtMs: bigint;
}
