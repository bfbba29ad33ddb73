/** A stored secret. */
export interface WrappedRow {
  /** The place of the row in the order of its kind. */
  readonly cursor: string;
  /** The name to which the secret is bound: see `wrap`. */
  readonly name: string;
  readonly wrapped: Uint8Array;
}

/** A row whose secret is wrapped anew. */
export interface RewrappedRow extends WrappedRow {
  readonly rewrapped: Uint8Array;
}

/** All secrets of one column. */
export interface WrappedKind {
  /** The kind's name, as in `SecretCount.kind`. */
  readonly kind: string;
  /** The present key, and after it the other one, if there is one. */
  readonly keys: readonly [Uint8Array, ...Uint8Array[]];
  /** Reads rows in the order of their cursors. @param after the cursor of the last row before them; empty for the first ones */
  read(after: string, limit: number): Promise<readonly WrappedRow[]>;
  /** Stores what was wrapped anew, but for rows that have gone or changed meanwhile. @param rows at least one */
  store(rows: readonly RewrappedRow[]): Promise<void>;
}
