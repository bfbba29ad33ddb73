/** The account and the client of a code or a token. */
export interface TokenHolder {
  readonly accountUuid: string;
  readonly clientUuid: string;
  readonly saleUuid: string;
  /** The salt of `pairwiseSubject`. */
  readonly subjectSalt: Uint8Array;
  /** Whether the client is active, and its tokens weren't revoked since the code was issued. */
  readonly clientIsValid: boolean;
}
  readonly clientIsActive: boolean;
