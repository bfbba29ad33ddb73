import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** A new secret: 43 base64url characters, 256 random bits. */
export function newOpaqueToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** What is stored of an opaque token, of any text: its SHA-256. It needs no salt, as the token can't be guessed. */
export function opaqueTokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
