import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import { UsageError } from "../base/cli-error.ts";

const ENTITY_ID = /^(?:0x)?([0-9a-f]{32})$/i;

/** Reads an entity's ID in a sale's contract, with or without `0x` and hyphens; undefined for anything else. */
export function readEntityId(text: string): Uint8Array<ArrayBuffer> | undefined {
  const [, hex] = ENTITY_ID.exec(text.replaceAll("-", "")) ?? [];
  return hex === undefined ? undefined : messageBytes(hex);
}

/** Returns such an ID of a command line. @param name of the option or positional. @throws UsageError */
export function requireEntityId(text: string, name: string): Uint8Array<ArrayBuffer> {
  const id = readEntityId(text);
  if (id === undefined) throw new UsageError(`${name} expects 0x and 32 hexadecimal digits`);
  return id;
}
