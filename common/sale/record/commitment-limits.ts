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
} as const;
