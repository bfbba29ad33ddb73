import { Buffer } from "node:buffer";

const WORD = 32;

/** Reads the 32-byte words of an ABI encoding strictly: a value that doesn't fit its type, or lies outside, is an error. */
export class AbiWords {
  readonly #bytes: Buffer;
  readonly #words: DataView;

  /** @throws RangeError if the text isn't `0x` and whole words in hex. */
  constructor(hex: string) {
    this.#bytes = Buffer.from(hex.slice(2), "hex");
    // Buffer stops silently at the first character that is no hex digit.
    if (!hex.startsWith("0x") || 2 * this.#bytes.length !== hex.length - 2 || this.#bytes.length % WORD !== 0) {
      throw new RangeError("the answer isn't whole words of hex");
    }
    this.#words = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** A length or an offset. It must not exceed the whole encoding. */
  size(at: number): number {
    const value = this.uint64(at);
    if (value > BigInt(this.#bytes.length)) throw new RangeError(`the size at byte ${at} is out of range`);
    return Number(value);
  }

  uint64(at: number): bigint {
    if (
      this.#high64(at) !== 0n ||
      this.#words.getBigUint64(at + 8) !== 0n ||
      this.#words.getBigUint64(at + 16) !== 0n
    ) {
      throw new RangeError(`the number at byte ${at} has more than 64 bits`);
    }
    return this.#words.getBigUint64(at + 24);
  }

  uint256(at: number): bigint {
    const high = this.#high64(at);
    const [third, second] = [this.#words.getBigUint64(at + 8), this.#words.getBigUint64(at + 16)];
    const low = this.#words.getBigUint64(at + 24);
    // Most amounts have less than 128 bits.
    if (high === 0n && third === 0n) return second === 0n ? low : (second << 64n) | low;
    return (high << 192n) | (third << 128n) | (second << 64n) | low;
  }

  bool(at: number): boolean {
    const value = this.uint64(at);
    if (value > 1n) throw new RangeError(`the flag at byte ${at} is neither 0 nor 1`);
    return value === 1n;
  }

  /** `0x` and lower-case hex. */
  address(at: number): string {
    if (this.#high64(at) !== 0n || this.#words.getUint32(at + 8) !== 0) {
      throw new RangeError(`the address at byte ${at} has more than 20 bytes`);
    }
    return `0x${this.#hex(at + 12, at + WORD)}`;
  }

  /** Lower-case hex without `0x`. The second half of the word must be zero. */
  bytes16(at: number): string {
    if (this.#high64(at + 16) !== 0n || this.#words.getBigUint64(at + 24) !== 0n) {
      throw new RangeError(`the value at byte ${at} has more than 16 bytes`);
    }
    return this.#hex(at, at + 16);
  }

  /** Lower-case hex without `0x`. */
  bytes32(at: number): string {
    return this.#hex(at, at + WORD);
  }

  /** A copy, so that the encoding isn't kept. */
  bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    if (at + length > this.#bytes.length) throw new RangeError(`the bytes at ${at} end too early`);
    return new Uint8Array(this.#bytes.subarray(at, at + length));
  }

  /** The first 64 bits of a word. `DataView` throws a `RangeError` if there is no such word. */
  #high64(at: number): bigint {
    return this.#words.getBigUint64(at);
  }

  #hex(from: number, to: number): string {
    if (to > this.#bytes.length) throw new RangeError(`the value at byte ${from} ends too early`);
    return this.#bytes.toString("hex", from, to);
  }
}
