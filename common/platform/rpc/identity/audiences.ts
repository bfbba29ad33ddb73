/** `aud` of caller tokens for the commitments service. */
export const COMMITMENTS_AUDIENCE = "tidemark.commitments";

/** `aud` of caller tokens for the indexer. */
export const INDEXER_AUDIENCE = "tidemark.indexer";

/** `aud` of caller tokens for the auth service. */
export const AUTH_AUDIENCE = "tidemark.auth";

/** `aud` of caller tokens for the entities service. */
export const ENTITIES_AUDIENCE = "tidemark.entities";

/** `aud` of caller tokens for a gateway's status. */
export const GATEWAY_AUDIENCE = "tidemark.gateway";
