import { hash } from "node:crypto";
import { pooledRandomBytes } from "./pooled-random.ts";

const TOKEN_BYTES = 32;

/** A new secret: 43 base64url characters, 256 random bits. */
export function newOpaqueToken(): string {
  return pooledRandomBytes(TOKEN_BYTES).toString("base64url");
}

/** The SHA-256 of a token, which is all that is stored of it. It needs no salt, because the token can't be guessed. */
export function opaqueTokenHash(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
