import { keccak256 } from "../base/keccak.ts";

const BLOOM_BYTES = 256;
/** A bit is named by eleven bits of the hash. */
const LAST_BIT = 8 * BLOOM_BYTES - 1;
/** Each value sets three bits, named by the first three pairs of bytes of its hash. */
const PAIRS = [0, 2, 4];
/** A bloom without a bit (a chain that doesn't fill it, or a block without logs), or with every bit, tells blocks apart from nothing. */
const WITHOUT_MEANING = /^(0+|f+)$/;

/**
 * Whether a block with this bloom may have a log of an address, or with a topic: of a log, the bloom has the address and each topic.
 * False is certain, true may be chance. Source: Yellow Paper, section 4.3.1; `logsBloom` of the Ethereum JSON-RPC specification.
 *
 * @param bloom 512 lower-case hex digits.
 * @param value an address or a topic, as 0x and hex digits.
 */
export function bloomMayHave(bloom: string, value: string): boolean {
  const hash = keccak256(Buffer.from(value.slice(2), "hex"));
  return PAIRS.every((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & LAST_BIT;
    const byte = Number.parseInt(bloom.slice(2 * (BLOOM_BYTES - 1 - (bit >> 3))).slice(0, 2), 16);
    return (byte & (1 << (bit & 7))) !== 0;
  });
}

/**
 * Whether a bloom has few enough bits for it to tell much: of values that the block doesn't have, it seems to have less than every
 * eighth then.
 */
export function tellsMuch(bloom: string): boolean {
  const bits = BigInt(`0x${bloom}`).toString(2).replaceAll("0", "").length;
  return bits <= 4 * BLOOM_BYTES;
}

/** A node's answer as a bloom that says something about a block; undefined if it isn't one. */
export function parseBloom(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^0x[0-9a-f]{512}$/i.test(value)) return undefined;
  const bloom = value.slice(2).toLowerCase();
  return WITHOUT_MEANING.test(bloom) ? undefined : bloom;
}
