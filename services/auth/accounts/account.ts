/** The account of a person. */
export interface Account {
  readonly uuid: string;
  /** Normalised by `parseEmailAddress`. */
  readonly email: string;
  /** Milliseconds since 1970. */
  readonly createdAtMs: bigint;
}
