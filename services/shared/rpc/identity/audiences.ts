/** `aud` of the tokens that callers of the commitments service present. */
export const COMMITMENTS_AUDIENCE = "tidemark.commitments";

/** Tokens for the indexer. */
export const INDEXER_AUDIENCE = "tidemark.indexer";

/** Tokens for the auth service. */
export const AUTH_AUDIENCE = "tidemark.auth";
