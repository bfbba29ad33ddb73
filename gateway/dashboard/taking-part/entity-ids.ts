import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";

const ID = /^(?:0x)?([0-9a-f]{32})$/i;

/** Returns the ID of an entity in its sale's contract as text. */
export function entityIdText(id: Uint8Array): string {
  return `0x${hexOfBytes(id)}`;
}

/** Reads such an ID, with or without `0x` and hyphens; undefined for any other text. */
export function readEntityId(text: string): Uint8Array<ArrayBuffer> | undefined {
  const [, hex] = ID.exec(text.trim().replaceAll("-", "")) ?? [];
  return hex === undefined ? undefined : new Uint8Array(bytesOfHex(hex));
}
