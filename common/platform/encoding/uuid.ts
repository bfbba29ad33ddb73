import { Buffer } from "node:buffer";

const uuidPattern = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** The canonical lower-case text of a UUID (RFC 9562 section 4) of any version. Undefined for text that is no UUID. */
export function parseUuid(text: string): string | undefined {
  return uuidPattern.test(text) ? text.toLowerCase() : undefined;
}

/** The canonical lower-case text of 16 bytes. @throws RangeError for another length */
export function uuidFromBytes(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw new RangeError(`a UUID has 16 bytes, not ${bytes.length}`);
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, 16).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
