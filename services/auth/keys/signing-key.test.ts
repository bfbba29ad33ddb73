import { calculateJwkThumbprint, importJWK, importPKCS8, jwtVerify, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { generateSigningKey, unwrapPrivateKey } from "./signing-key.ts";

const WRAP_KEY = new Uint8Array(32).fill(1);

describe("generateSigningKey", () => {
  it("makes a pair whose public key verifies what the private key signs", async () => {
    const { keyId, wrapped, publicJwk } = await generateSigningKey(WRAP_KEY);
    const pem = unwrapPrivateKey(WRAP_KEY, keyId, wrapped) ?? "";
    const token = await new SignJWT().setProtectedHeader({ alg: "ES256" }).sign(await importPKCS8(pem, "ES256"));
    await expect(jwtVerify(token, await importJWK(publicJwk, "ES256"))).resolves.toBeDefined();
  });

  it("publishes nothing private", async () => {
    const { keyId, publicJwk } = await generateSigningKey(WRAP_KEY);
    const point = expect.stringMatching(/^[\w-]{43}$/);
    expect(publicJwk).toEqual({ kty: "EC", crv: "P-256", x: point, y: point, kid: keyId, alg: "ES256", use: "sig" });
    expect(keyId).toBe(await calculateJwkThumbprint(publicJwk));
  });

  it("makes another key each time", async () => {
    const [one, other] = await Promise.all([generateSigningKey(WRAP_KEY), generateSigningKey(WRAP_KEY)]);
    expect(one.keyId).not.toBe(other.keyId);
  });

  it("leaves no part of the private key readable", async () => {
    const { wrapped } = await generateSigningKey(WRAP_KEY);
    expect(wrapped.toString("latin1")).not.toContain("PRIVATE KEY");
  });
});

describe("unwrapPrivateKey", () => {
  it("returns undefined for another wrapping key, another key ID, or any changed byte", async () => {
    const { keyId, wrapped } = await generateSigningKey(WRAP_KEY);
    expect(unwrapPrivateKey(new Uint8Array(32).fill(2), keyId, wrapped)).toBeUndefined();
    expect(unwrapPrivateKey(WRAP_KEY, `${keyId}x`, wrapped)).toBeUndefined();
    for (const index of wrapped.keys()) {
      const changed = Buffer.from(wrapped);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(unwrapPrivateKey(WRAP_KEY, keyId, changed)).toBeUndefined();
    }
  });

  it.each([0, 1, 12, 27, 28, 29])("returns undefined for %i bytes", async (length) => {
    const { keyId, wrapped } = await generateSigningKey(WRAP_KEY);
    expect(unwrapPrivateKey(WRAP_KEY, keyId, wrapped.subarray(0, length))).toBeUndefined();
  });
});
