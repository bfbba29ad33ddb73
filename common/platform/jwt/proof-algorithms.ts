/** The algorithms that a proof may be signed with: asymmetric ones only (RFC 9449 section 4.3, check 5). */
export const PROOF_ALGORITHMS = ["ES256", "RS256", "PS256", "EdDSA", "Ed25519"] as const;

export type ProofAlgorithm = (typeof PROOF_ALGORITHMS)[number];
