/**
 * The limits of a `CommitmentRecord` (tidemark/commitments/v1/commitment.proto) for code that checks records outside of an RPC. A
 * test holds them against the rules of the proto.
 */
export const COMMITMENT_LIMITS = {
  commitmentIdBytes: 32,
  entityIdBytes: 16,
  /** 9999-12-31T23:59:59Z, the last second that RFC 3339 can write. */
  lastCreatedAtSeconds: 253_402_300_799n,
  amounts: 1024,
  extraDataBytes: 65_536,
  /** The largest signed 64-bit integer, as a database stores it. */
  sourceIndex: 2n ** 63n - 1n,
  /** The longest address of a wallet or token. */
  addressCharacters: 64,
} as const;

/** A decimal integer without sign or leading zeros, of as many digits as 2^256-1 has. */
export const AMOUNT_PATTERN = /^(0|[1-9][0-9]{0,77})$/;
