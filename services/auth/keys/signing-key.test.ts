import { calculateJwkThumbprint, importJWK, importPKCS8, jwtVerify, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { generateSigningKey, unwrapPrivateKey } from "./signing-key.ts";

const WRAP_KEY = new Uint8Array(32).fill(1);

describe("generateSigningKey", () => {
  it("makes a pair whose public key verifies what the private key signs", async () => {
    const { keyId, wrapped, publicJwk } = await generateSigningKey(WRAP_KEY, "ES256");
    const pem = unwrapPrivateKey([WRAP_KEY], keyId, wrapped) ?? "";
    const token = await new SignJWT().setProtectedHeader({ alg: "ES256" }).sign(await importPKCS8(pem, "ES256"));
    await expect(jwtVerify(token, await importJWK(publicJwk, "ES256"))).resolves.toBeDefined();
  });

  it("publishes nothing private", async () => {
    const { keyId, publicJwk } = await generateSigningKey(WRAP_KEY, "ES256");
    const point = expect.stringMatching(/^[\w-]{43}$/);
    expect(publicJwk).toEqual({ kty: "EC", crv: "P-256", x: point, y: point, kid: keyId, alg: "ES256", use: "sig" });
    expect(keyId).toBe(await calculateJwkThumbprint(publicJwk));
  });

  it("makes an RSA key of 2048 bits for RS256 (RFC 7518 section 3.3)", async () => {
    const { keyId, wrapped, publicJwk } = await generateSigningKey(WRAP_KEY, "RS256");
    const modulus = expect.stringMatching(/^[\w-]{342}$/);
    expect(publicJwk).toEqual({ kty: "RSA", n: modulus, e: "AQAB", kid: keyId, alg: "RS256", use: "sig" });
    const pem = unwrapPrivateKey([WRAP_KEY], keyId, wrapped) ?? "";
    const token = await new SignJWT().setProtectedHeader({ alg: "RS256" }).sign(await importPKCS8(pem, "RS256"));
    await expect(jwtVerify(token, await importJWK(publicJwk, "RS256"))).resolves.toBeDefined();
  });

  it("makes another key each time", async () => {
    const [one, other] = await Promise.all([
      generateSigningKey(WRAP_KEY, "ES256"),
      generateSigningKey(WRAP_KEY, "ES256"),
    ]);
    expect(one.keyId).not.toBe(other.keyId);
  });

  it("leaves no part of the private key readable", async () => {
    const { wrapped } = await generateSigningKey(WRAP_KEY, "ES256");
    expect(wrapped.toString("latin1")).not.toContain("PRIVATE KEY");
  });
});

describe("unwrapPrivateKey", () => {
  it("returns undefined for another wrapping key, another key ID, or any changed byte", async () => {
    const { keyId, wrapped } = await generateSigningKey(WRAP_KEY, "ES256");
    expect(unwrapPrivateKey([new Uint8Array(32).fill(2)], keyId, wrapped)).toBeUndefined();
    expect(unwrapPrivateKey([WRAP_KEY], `${keyId}x`, wrapped)).toBeUndefined();
    for (const index of wrapped.keys()) {
      const changed = Buffer.from(wrapped);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(unwrapPrivateKey([WRAP_KEY], keyId, changed)).toBeUndefined();
    }
  });

  it.each([0, 1, 12, 27, 28, 29])("returns undefined for %i bytes", async (length) => {
    const { keyId, wrapped } = await generateSigningKey(WRAP_KEY, "ES256");
    expect(unwrapPrivateKey([WRAP_KEY], keyId, wrapped.subarray(0, length))).toBeUndefined();
  });
});
