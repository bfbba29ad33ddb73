/** A SHA-256 thumbprint (RFC 7638) as its 32 bytes, null for none. */
export function thumbprintBytes(thumbprint: string | undefined): Buffer | null {
  return thumbprint === undefined ? null : Buffer.from(thumbprint, "base64url");
}

/** The reverse of `thumbprintBytes`. */
export function thumbprintOfBytes(bytes: Uint8Array | null): string | undefined {
  return bytes === null ? undefined : Buffer.from(bytes).toString("base64url");
}
