import { createHash, timingSafeEqual } from "node:crypto";

/** A challenge of S256: 32 bytes as base64url without padding (RFC 7636 section 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
/** A verifier (RFC 7636 section 4.1). */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

export function isCodeChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

export function isCodeVerifier(text: string): boolean {
  return VERIFIER.test(text);
}

/** Whether a verifier fits a challenge of S256 (RFC 7636 section 4.6). */
export function verifiesChallenge(verifier: string, challenge: string): boolean {
  const computed = createHash("sha256").update(verifier).digest();
  const expected = Buffer.from(challenge, "base64url");
  return expected.length === computed.length && timingSafeEqual(computed, expected);
}
