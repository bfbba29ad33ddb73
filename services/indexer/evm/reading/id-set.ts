import { Buffer } from "node:buffer";
import { randomInt } from "node:crypto";

const ID_BYTES = 32;
const BLOCK_IDS = 2048;
const FIRST_SLOTS = 1024;

/**
 * A set of 32-byte IDs for millions of them: at most 64 bytes each, the moment of growing included. IDs lie in blocks
 * in the order of arrival (32 bytes); an open hash table, at most half full, holds their numbers (8 to 16, and half of
 * that again while it grows).
 */
export class IdSet {
  readonly #blocks: Buffer[] = [];
  readonly #probe = Buffer.alloc(ID_BYTES);
  /** So that nobody can choose IDs that fall on the same slots. */
  readonly #seed = randomInt(2 ** 32);
  /** Number of the ID plus one; 0: free. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param id 64 hex digits. @returns false where it is in already. */
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

  /** The slot that holds the ID, or the free one where it belongs; the ID is left in `#probe`. */
  #find(id: string): number {
    if (id.length !== 2 * ID_BYTES || this.#probe.write(id, "hex") !== ID_BYTES) {
      throw new RangeError("an ID of 64 hex digits is wanted");
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

  /** Multiply and shift over the eight words, begun at the seed. */
  #hash(bytes: Buffer, at: number): number {
    let hash = this.#seed;
    for (let offset = at; offset < at + ID_BYTES; offset += 4) {
      hash = Math.imul(hash ^ bytes.readUInt32LE(offset), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash >>> 0;
  }
}
