/** Whom a code or a token was issued for, and to which client. */
export interface TokenHolder {
  readonly accountUuid: string;
  readonly clientUuid: string;
  readonly saleUuid: string;
  /** Makes the pairwise subject (`pairwiseSubject`). */
  readonly subjectSalt: Uint8Array;
  /** The client is active, and hasn't had its tokens revoked since. */
  readonly clientIsValid: boolean;
}
