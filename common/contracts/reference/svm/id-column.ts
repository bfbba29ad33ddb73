import { Buffer } from "node:buffer";

const ID_BYTES = 16;

/** Ascending 16-byte IDs, without any overhead. */
export class IdColumn {
  readonly #bytes: Buffer;
  readonly length: number;

  /** @param ids 32 lower-case hex digits each, ascending. */
  constructor(ids: readonly string[]) {
    this.length = ids.length;
    this.#bytes = Buffer.allocUnsafeSlow(ids.length * ID_BYTES);
    ids.forEach((id, index) => {
      this.#bytes.write(id, index * ID_BYTES, "hex");
    });
  }

  at(index: number): string {
    return this.#bytes.toString("hex", index * ID_BYTES, (index + 1) * ID_BYTES);
  }

  /** The index of the first ID that isn't less than the given one; `length` if all are. */
  lowerBound(id: string): number {
    const bytes = Buffer.from(id, "hex");
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const begin = middle * ID_BYTES;
      if (this.#bytes.compare(bytes, 0, ID_BYTES, begin, begin + ID_BYTES) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The index of the first equal ID. */
  indexOf(id: string): number | undefined {
    const index = this.lowerBound(id);
    return index < this.length && this.at(index) === id ? index : undefined;
  }
}
