/** The last of 43 characters has four bits; the two that remain are zero. */
const OF_32_BYTES = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Whether a text is base64url of 32 bytes, without padding and in its only spelling (RFC 4648 section 3.5). */
export function isBase64urlOf32Bytes(text: string): boolean {
  return OF_32_BYTES.test(text);
}
