import { isBase64urlOf32Bytes } from "../../shared/encoding/base64url.ts";

/** Whether a text is a SHA-256 thumbprint in base64url (RFC 7638), as in `dpop_jkt`. */
export function isKeyThumbprint(text: string): boolean {
  return isBase64urlOf32Bytes(text);
}

/** A thumbprint as its 32 bytes, null for none. */
export function thumbprintBytes(thumbprint: string | undefined): Buffer | null {
  return thumbprint === undefined ? null : Buffer.from(thumbprint, "base64url");
}

/** The reverse of `thumbprintBytes`. */
export function thumbprintOfBytes(bytes: Uint8Array | null): string | undefined {
  return bytes === null ? undefined : Buffer.from(bytes).toString("base64url");
}
