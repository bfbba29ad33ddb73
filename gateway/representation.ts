import { PublicDocument } from "./public-document.ts";

/** What an entry costs besides its bodies: headers, keys, bookkeeping. An estimate. */
const OVERHEAD_BYTES = 4096;

/** A sale's public body at one revision. */
export class Representation extends PublicDocument {
  readonly generation: bigint;
  readonly revision: bigint;

  constructor(generation: bigint, revision: bigint, bytes: Buffer) {
    super(`W/"${generation.toString(16).padStart(16, "0")}-${revision}"`, bytes, "no-cache");
    this.generation = generation;
    this.revision = revision;
  }

  /** Bytes held, counting the gzip form from the start: it is hardly ever larger than the body itself. */
  get byteLength(): number {
    return 2 * this.identity.bytes.length + OVERHEAD_BYTES;
  }
}
