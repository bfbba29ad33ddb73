// @ts-check
// Stands for Node's `Buffer` in modules that read hex.

const HEX = /^(?:[0-9a-fA-F]{2})*/;

class HexBytes extends Uint8Array {
  /**
   * @override
   * @param {string} [_encoding] hex
   * @param {number} [from]
   * @param {number} [to]
   */
  toString(_encoding, from = 0, to = this.length) {
    return Array.from(this.subarray(from, to), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}

export const Buffer = {
  /** Returns the bytes of a text of hex digits, up to the first character that is none. @param {string} text */
  from(text) {
    const [digits = ""] = HEX.exec(text) ?? [];
    const bytes = new HexBytes(digits.length / 2);
    for (let index = 0; index < bytes.length; index += 1)
      bytes[index] = Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16);
    return bytes;
  },
};
