/** The error codes for proofs (RFC 9449 sections 5, 7.1 and 8). */
export type ProofErrorCode = "invalid_dpop_proof" | "use_dpop_nonce";

/** A proof that is refused. */
export class ProofError extends Error {
  readonly code: ProofErrorCode;

  /** @param description names the rule; printable ASCII without `"` and `\`, and never a value that was sent. */
  constructor(code: ProofErrorCode, description: string) {
    super(description);
    this.name = "ProofError";
    this.code = code;
  }
}

export function invalidProof(description: string): ProofError {
  return new ProofError("invalid_dpop_proof", description);
}
