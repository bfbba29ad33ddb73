/**
 * Why a JWKS can't be loaded:
 *
 * - `unreachable`: its server doesn't answer, its certificate isn't accepted, or its file can't be read;
 * - `refused`: its server answers with an error;
 * - `malformed`: the answer is no JWKS.
 */
export const JWKS_FAILURES = ["unreachable", "refused", "malformed"] as const;
export type JwksFailure = (typeof JWKS_FAILURES)[number];

/** A JWKS that can't be loaded. */
export class JwksError extends Error {
  readonly reason: JwksFailure;

  constructor(reason: JwksFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "JwksError";
    this.reason = reason;
  }
}
