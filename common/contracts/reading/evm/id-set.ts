import { Buffer } from "node:buffer";
import { randomInt } from "node:crypto";

const ID_BYTES = 32;
const BLOCK_IDS = 2048;
const FIRST_SLOTS = 1024;

/**
 * A set for millions of 32-byte IDs. It takes at most 64 bytes for each, even while it grows. The IDs are stored in blocks
 * in the order of arrival (32 bytes). A hash table with open addressing, at most half full, holds their numbers (8 to 16
 * bytes, and half of that again while it grows).
 */
export class IdSet {
  readonly #blocks: Buffer[] = [];
  readonly #probe = Buffer.alloc(ID_BYTES);
  /** Random, so that nobody can choose IDs with the same hash. */
  readonly #seed = randomInt(2 ** 32);
  /** The number of the ID plus one; 0 for a free slot. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param id 64 hex digits. @returns false if the set has it already. */
  add(id: string): boolean {
    const slot = this.#find(id);
    if (this.#slots[slot] !== 0) return false;
    this.#append();
    this.#slots[slot] = this.#size;
    if (2 * this.#size > this.#slots.length) this.#grow();
    return true;
  }

  /** @param id 64 hex digits. */
  has(id: string): boolean {
    return this.#slots[this.#find(id)] !== 0;
  }

  /** The number of IDs that were added before this one; undefined if the set doesn't have it. @param id 64 hex digits. */
  numberOf(id: string): number | undefined {
    const number = this.#slots[this.#find(id)];
    return number ? number - 1 : undefined;
  }

  /** The IDs in the order in which they were added. */
  *all(): Generator<string, void> {
    for (let number = 0; number < this.#size; number += 1) {
      const { block, at } = this.#place(number);
      yield block.toString("hex", at, at + ID_BYTES);
    }
  }

  /** The slot of the ID, or the free slot where it belongs. Leaves the ID in `#probe`. */
  #find(id: string): number {
    if (id.length !== 2 * ID_BYTES || this.#probe.write(id, "hex") !== ID_BYTES) {
      throw new RangeError("an ID must have 64 hex digits");
    }
    const mask = this.#slots.length - 1;
    let slot = this.#hash(this.#probe, 0) & mask;
    for (let number = this.#slots[slot]; number; number = this.#slots[slot]) {
      const { block, at } = this.#place(number - 1);
      if (this.#probe.compare(block, at, at + ID_BYTES) === 0) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #append(): void {
    if (this.#size % BLOCK_IDS === 0) this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_IDS * ID_BYTES));
    const { block, at } = this.#place(this.#size);
    this.#probe.copy(block, at);
    this.#size += 1;
  }

  #grow(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.#size; number += 1) {
      const { block, at } = this.#place(number);
      let slot = this.#hash(block, at) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }

  #place(number: number): { readonly block: Buffer; readonly at: number } {
    const block = this.#blocks[Math.floor(number / BLOCK_IDS)];
    if (block === undefined) throw new RangeError(`there is no ID number ${number}`);
    return { block, at: (number % BLOCK_IDS) * ID_BYTES };
  }

  /** Multiplies and shifts over the eight words, starting with the seed. */
  #hash(bytes: Buffer, at: number): number {
    let hash = this.#seed;
    for (let offset = at; offset < at + ID_BYTES; offset += 4) {
      hash = Math.imul(hash ^ bytes.readUInt32LE(offset), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash >>> 0;
  }
}
