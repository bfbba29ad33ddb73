import type { JsonObject } from "./json.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** A key pair that signs access tokens and ID tokens with ES256. */
export interface SigningKey {
  /** A JSON Web Key with `kid`. */
  readonly publicKey: JsonObject;
  /** @param type `typ` of the header */
  sign(claims: JsonObject, type: TokenType): Promise<string>;
  /** Whether a text is an access token of this key. */
  verify(token: string): Promise<boolean>;
}

/** `typ` of access tokens and of ID tokens. */
export type TokenType = "at+jwt" | "JWT";

/** Makes a new key. */
export async function signingKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
  const { kty = "", crv = "", x = "", y = "" } = await crypto.subtle.exportKey("jwk", publicKey);
  const kid = randomText();
  const headerOf = (typ: TokenType) => base64url(bytesOf(JSON.stringify({ alg: "ES256", typ, kid })));
  return {
    publicKey: { kty, crv, x, y, kid, alg: "ES256", use: "sig" },
    sign: async (claims, type) => {
      const signed = `${headerOf(type)}.${base64url(bytesOf(JSON.stringify(claims)))}`;
      return `${signed}.${base64url(new Uint8Array(await crypto.subtle.sign(ALGORITHM, privateKey, bytesOf(signed))))}`;
    },
    verify: async (token) => {
      const [own, payload, signature] = token.split(".");
      if (own !== headerOf("at+jwt") || signature === undefined) return false;
      const bytes = bytesOfBase64url(signature);
      return bytes !== undefined && crypto.subtle.verify(ALGORITHM, publicKey, bytes, bytesOf(`${own}.${payload}`));
    },
  };
}

/** Returns 256 random bits as 43 characters. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
}

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Returns the bytes of a base64url text; undefined for another text. */
export function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const characters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}
