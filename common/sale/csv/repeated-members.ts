import { hexOfBytes } from "../../platform/encoding/hex.ts";
import { readEmailAddress } from "../../platform/names/email-address.ts";
import type { MemberInit } from "./member-init.ts";

/** The keys of the members that were read, by their lines: each may be in a group once. */
export class ReadKeys {
  readonly #lines = new Map<string, number>();

  /** Notes a member. @returns the line of an earlier one that is in the same group by the same key */
  note(line: number, { groupUuid = "", key }: MemberInit): number | undefined {
    const id = `${groupUuid} ${key?.case} ${textOf(key)}`;
    const earlier = this.#lines.get(id);
    if (earlier === undefined) this.#lines.set(id, line);
    return earlier;
  }
}

/** E-mail addresses have several spellings; letters of hexadecimal addresses mean the same in any case, those of base58 don't. */
function textOf(key: MemberInit["key"]): string {
  if (key?.case === "saleSpecificEntityId") return hexOfBytes(key.value);
  const text = key?.value ?? "";
  if (key?.case === "email") return readEmailAddress(text) ?? text;
  return text.startsWith("0x") ? text.toLowerCase() : text;
}
