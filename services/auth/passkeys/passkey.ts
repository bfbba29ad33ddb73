/** The number of passkeys that an account can have. */
export const MAX_PASSKEYS = 20;

/** A passkey of an account: the public part of a WebAuthn credential. Times are milliseconds since 1970. */
export interface Passkey {
  /** Identifies the passkey in lists. */
  readonly uuid: string;
  readonly accountUuid: string;
  /** Chosen by the authenticator; base64url, of 1 to 1,023 bytes. */
  readonly credentialId: string;
  /** A COSE_Key (RFC 9052). */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** The signature counter of the last use; 0 with authenticators that have none. */
  readonly counter: number;
  /** Whether it can be copied to other devices; it never changes. */
  readonly backupEligible: boolean;
  /** Whether it was copied, at its last use. */
  readonly backedUp: boolean;
  /** Ways to reach its authenticator, such as `internal`. */
  readonly transports: readonly string[];
  /** UUID of the authenticator's model; zeros where it doesn't say. */
  readonly aaguid: string;
  /** Chosen by its owner. */
  readonly name: string;
  readonly createdAtMs: bigint;
  /** Undefined until its first sign-in. */
  readonly lastUsedAtMs: bigint | undefined;
}
