import { Buffer } from "node:buffer";

const EMPTY = Buffer.alloc(0);
const LEAST_CAPACITY = 1_024;
/** Chunks that any body may have, and bytes that each further one must bring on average. */
const FREE_CHUNKS = 64;
const BYTES_A_CHUNK = 16;

/** Returns whether a body is cut into more chunks than its bytes may have. Each costs far more than its bytes, also where it is discarded. */
export function hasTooManyChunks(chunks: number, bytes: number): boolean {
  return chunks > FREE_CHUNKS + bytes / BYTES_A_CHUNK;
}

/**
 * Takes the bytes of a body as they arrive, into one growing buffer. Each chunk that is kept by itself costs some hundred bytes
 * besides its own, so a list of chunks would let a sender of single bytes fill the memory within any bound of bytes.
 */
export class BodyBuffer {
  readonly #maxBytes: number;
  #buffer: Buffer = EMPTY;
  #length = 0;
  #chunks = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes a chunk. @returns false where the body has more bytes, or far more chunks, than it may: no more of it is to be read */
  add(chunk: Uint8Array): boolean {
    this.#chunks += 1;
    const length = this.#length + chunk.length;
    if (length > this.#maxBytes || hasTooManyChunks(this.#chunks, length)) return false;
    // Nearly every body comes in one chunk, which isn't copied.
    if (this.#length === 0) this.#buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    else this.#append(chunk, length);
    this.#length = length;
    return true;
  }

  /** The bytes so far. They change with the next chunk. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #append(chunk: Uint8Array, length: number): void {
    // A first chunk that isn't copied is full as well, so nothing is ever written into it.
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * length, LEAST_CAPACITY), this.#maxBytes));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#length);
  }
}
