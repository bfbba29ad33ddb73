import { hexOfBytes } from "../../platform/encoding/hex.ts";
import type { AbiMember, AbiType } from "../definition/abi-type.ts";

/** A decoded value in a form that JSON holds exactly: integers as decimal text, bytes and addresses as lower-case hex. */
export type AbiValue = string | boolean | AbiValue[] | { [name: string]: AbiValue };

/** Says why data isn't the encoding of the expected types. */
export class AbiDecodingError extends Error {
  override readonly name = "AbiDecodingError";
}

const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
/** Characters that each value counts in addition to its text, even an empty one: this bounds the number of values, and the time. */
const VALUE_CHARACTERS = 16;
// Replaces bytes that aren't UTF-8, so that the text is always well-formed Unicode. Keeps a byte order mark.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Decodes ABI-encoded members (Solidity ABI specification, strict as Solidity's own decoder: bits beyond a type's range
 * must be padding, offsets and lengths must stay inside the data; data after the last value is ignored).
 *
 * Several offsets may point to one place, so that small data can describe an enormous value. `maxCharacters` bounds the text
 * of the result, including names and 16 characters for each value. Throws an `AbiDecodingError` if data or result exceed
 * their bounds.
 */
export function decodeAbi(
  members: readonly AbiMember[],
  data: Uint8Array,
  maxCharacters: number,
): { [name: string]: AbiValue } {
  return new AbiDecoder(data, maxCharacters).tuple(members, 0);
}

class AbiDecoder {
  readonly #data: Uint8Array;
  #charactersLeft: number;

  constructor(data: Uint8Array, maxCharacters: number) {
    this.#data = data;
    this.#charactersLeft = maxCharacters;
  }

  tuple(members: readonly AbiMember[], start: number): { [name: string]: AbiValue } {
    const value: { [name: string]: AbiValue } = {};
    let head = start;
    for (const { name, type } of members) {
      this.#spend(name.length);
      value[name] = this.#member(type, head, start);
      head += type.headBytes;
    }
    return value;
  }

  /** Decodes a value whose head is at `head`, in a tuple or array that begins at `start`. */
  #member(type: AbiType, head: number, start: number): AbiValue {
    return this.#value(type, type.dynamic ? start + this.#length(head) : head);
  }

  #value(type: AbiType, at: number): AbiValue {
    this.#spend(VALUE_CHARACTERS);
    switch (type.kind) {
      case "tuple":
        return this.tuple(type.members, at);
      case "array":
        return type.length === undefined
          ? this.#array(type.element, this.#length(at), at + WORD_BYTES)
          : this.#array(type.element, type.length, at);
      case "bytes":
        return this.#text(`0x${hexOfBytes(this.#variable(at))}`);
      case "string":
        return this.#text(utf8.decode(this.#variable(at)));
      case "fixedBytes":
        return this.#text(`0x${hexOfBytes(this.#padded(at, 0, type.size))}`);
      case "address":
        return this.#text(`0x${hexOfBytes(this.#padded(at, WORD_BYTES - ADDRESS_BYTES, WORD_BYTES))}`);
      case "bool":
        return this.#integer(at, false, 1) === 1n;
      case "integer":
        return this.#text(this.#integer(at, type.signed, type.bits).toString());
    }
  }

  #array(element: AbiType, length: number, start: number): AbiValue[] {
    // Checked before the first element is decoded, as the length may be anything.
    this.#slice(start, length * element.headBytes);
    return Array.from({ length }, (_, index) => this.#member(element, start + index * element.headBytes, start));
  }

  #variable(at: number): Uint8Array {
    return this.#slice(at + WORD_BYTES, this.#length(at));
  }

  /** Returns the bytes of a word from `from` to `to`; all others must be zero. */
  #padded(at: number, from: number, to: number): Uint8Array {
    const word = this.#slice(at, WORD_BYTES);
    if (word.some((byte, index) => byte !== 0 && (index < from || index >= to))) {
      throw new AbiDecodingError("padding must be zero");
    }
    return word.subarray(from, to);
  }

  #integer(at: number, signed: boolean, bits: number): bigint {
    const word = BigInt(`0x${hexOfBytes(this.#slice(at, WORD_BYTES))}`);
    const value = signed ? BigInt.asIntN(256, word) : word;
    if (value !== (signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value))) {
      throw new AbiDecodingError("an integer is beyond its type");
    }
    return value;
  }

  /** Reads an offset or a length. It is at most the number of the data's bytes, so a JavaScript number holds it. */
  #length(at: number): number {
    const value = this.#integer(at, false, 256);
    if (value > BigInt(this.#data.length)) throw new AbiDecodingError("an offset or length is beyond the data");
    return Number(value);
  }

  #slice(at: number, length: number): Uint8Array {
    if (at + length > this.#data.length) throw new AbiDecodingError("the data ends too early");
    return this.#data.subarray(at, at + length);
  }

  #text(text: string): string {
    this.#spend(text.length);
    return text;
  }

  #spend(characters: number): void {
    this.#charactersLeft -= characters;
    if (this.#charactersLeft < 0) throw new AbiDecodingError("the value is too large");
  }
}
