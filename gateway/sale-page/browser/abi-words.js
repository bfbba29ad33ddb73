// common/chains/evm/abi-words.ts without types, made by `npm run generate`.

import { Buffer } from "./hex-buffer.js";

const WORD = 32;

export class AbiWords {
  #bytes;
  #words;

  constructor(hex) {
    this.#bytes = Buffer.from(hex.slice(2), "hex");
    if (!hex.startsWith("0x") || 2 * this.#bytes.length !== hex.length - 2 || this.#bytes.length % WORD !== 0) {
      throw new RangeError("the answer isn't whole words of hex");
    }
    this.#words = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
  }

  get length() {
    return this.#bytes.length;
  }

  size(at) {
    const value = this.uint64(at);
    if (value > BigInt(this.#bytes.length)) throw new RangeError(`the size at byte ${at} is out of range`);
    return Number(value);
  }

  uint64(at) {
    if (
      this.#high64(at) !== 0n ||
      this.#words.getBigUint64(at + 8) !== 0n ||
      this.#words.getBigUint64(at + 16) !== 0n
    ) {
      throw new RangeError(`the number at byte ${at} has more than 64 bits`);
    }
    return this.#words.getBigUint64(at + 24);
  }

  uint256(at) {
    const high = this.#high64(at);
    const [third, second] = [this.#words.getBigUint64(at + 8), this.#words.getBigUint64(at + 16)];
    const low = this.#words.getBigUint64(at + 24);
    if (high === 0n && third === 0n) return second === 0n ? low : (second << 64n) | low;
    return (high << 192n) | (third << 128n) | (second << 64n) | low;
  }

  bool(at) {
    const value = this.uint64(at);
    if (value > 1n) throw new RangeError(`the flag at byte ${at} is neither 0 nor 1`);
    return value === 1n;
  }

  address(at) {
    if (this.#high64(at) !== 0n || this.#words.getUint32(at + 8) !== 0) {
      throw new RangeError(`the address at byte ${at} has more than 20 bytes`);
    }
    return `0x${this.#hex(at + 12, at + WORD)}`;
  }

  bytes16(at) {
    if (this.#high64(at + 16) !== 0n || this.#words.getBigUint64(at + 24) !== 0n) {
      throw new RangeError(`the value at byte ${at} has more than 16 bytes`);
    }
    return this.#hex(at, at + 16);
  }

  bytes32(at) {
    return this.#hex(at, at + WORD);
  }

  bytes(at, length) {
    if (at + length > this.#bytes.length) throw new RangeError(`the bytes at ${at} end too early`);
    return new Uint8Array(this.#bytes.subarray(at, at + length));
  }

  #high64(at) {
    return this.#words.getBigUint64(at);
  }

  #hex(from, to) {
    if (to > this.#bytes.length) throw new RangeError(`the value at byte ${from} ends too early`);
    return this.#bytes.toString("hex", from, to);
  }
}
