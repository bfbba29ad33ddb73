import { generateKeyPairSync } from "node:crypto";
import { jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { signJwt, signJwtWithRsa } from "./sign-jwt.ts";

const HEADER = { typ: "at+jwt", kid: "key-1" };
const CLAIMS = { iss: "https://auth.example", sub: "Ünïcode \u2028", exp: 4_102_444_800 };

describe("signJwt", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

  it("makes a token that jose verifies, with header and claims unchanged", async () => {
    const { payload, protectedHeader } = await jwtVerify(signJwt(HEADER, CLAIMS, privateKey), publicKey);
    expect([protectedHeader, payload]).toEqual([{ alg: "ES256", ...HEADER }, CLAIMS]);
  });

  it("makes a token that is refused once a character of it changes", async () => {
    const [header, , signature] = signJwt(HEADER, CLAIMS, privateKey).split(".");
    const [, claims] = signJwt(HEADER, { ...CLAIMS, sub: "another" }, privateKey).split(".");
    await expect(jwtVerify(`${header}.${claims}.${signature}`, publicKey)).rejects.toThrow("signature");
  });
});

describe("signJwtWithRsa", () => {
  it("makes a token that jose verifies, with header and claims unchanged", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const token = await signJwtWithRsa({ typ: "JWT", kid: "key-1" }, CLAIMS, privateKey);
    const { payload, protectedHeader } = await jwtVerify(token, publicKey);
    expect([protectedHeader, payload]).toEqual([{ alg: "RS256", typ: "JWT", kid: "key-1" }, CLAIMS]);
  });
});
