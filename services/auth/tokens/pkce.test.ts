import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCodeChallenge, isCodeVerifier, verifiesChallenge } from "./pkce.ts";

const verifiers = fc.stringMatching(/^[A-Za-z0-9._~-]{43,128}$/);
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

describe("PKCE", () => {
  it("accepts the example of RFC 7636 appendix B", () => {
    const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    expect(verifiesChallenge(verifier, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")).toBe(true);
  });

  it("accepts a challenge's own verifier and no other", () => {
    fc.assert(
      fc.property(verifiers, verifiers, (verifier, other) => {
        const challenge = challengeOf(verifier);
        expect(isCodeChallenge(challenge) && isCodeVerifier(verifier)).toBe(true);
        expect(verifiesChallenge(verifier, challenge)).toBe(true);
        expect(verifiesChallenge(other, challenge)).toBe(other === verifier);
      }),
    );
  });

  it("doesn't accept a verifier as its own challenge, as `plain` would", () => {
    const verifier = "a".repeat(43);
    expect(verifiesChallenge(verifier, verifier)).toBe(false);
  });

  it.each(["", "a".repeat(42), "a".repeat(44), `${"a".repeat(42)}=`, `${"a".repeat(42)}+`, `${"a".repeat(43)}\n`])(
    "%j is no challenge",
    (text) => expect(isCodeChallenge(text)).toBe(false),
  );

  it.each(["", "a".repeat(42), "a".repeat(129), `${"a".repeat(42)}+`, `${"a".repeat(42)} `, `${"a".repeat(43)}\n`])(
    "%j is no verifier",
    (text) => expect(isCodeVerifier(text)).toBe(false),
  );
});
