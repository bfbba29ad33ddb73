import type { KeyRing } from "./key-ring.ts";

/** The keys of both algorithms. */
export interface KeyRings {
  /** Those of ES256, which sign access and actor tokens, and ID tokens of applications that want that. */
  readonly keyRing: KeyRing;
  /** Those of RS256, which sign ID tokens; there may be none yet. */
  readonly rsaKeyRing: KeyRing;
}
