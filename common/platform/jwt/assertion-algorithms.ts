/**
 * The algorithms of client assertions (`private_key_jwt`), asymmetric ones only. `Ed25519` is the newer name of `EdDSA` (RFC
 * 9864).
 */
export const ASSERTION_ALGORITHMS = ["ES256", "RS256", "PS256", "EdDSA", "Ed25519"] as const;

export type AssertionAlgorithm = (typeof ASSERTION_ALGORITHMS)[number];
