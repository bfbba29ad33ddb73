import { Buffer } from "node:buffer";
import { createPublicKey, verify } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519";

const SIGNATURE_BYTES = 64;

/** Whether a key has signed a text. Strictly by FIPS 186-5, so that keys of small order, for which anybody can sign, are refused. */
export function isTextSignature(publicKey: Uint8Array, text: string, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  try {
    return ed25519.verify(signature, Buffer.from(text, "utf8"), publicKey, { zip215: false });
  } catch {
    return false;
  }
}

/** Whether a key has signed bytes, as the runtime's own library says it. */
export function isBytesSignature(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const x = Buffer.from(publicKey).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, bytes, key, signature);
}
