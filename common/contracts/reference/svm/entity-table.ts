import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { IdColumn } from "./id-column.ts";

const DIGEST_BYTES = 16;

/** The entities of a sale in 32 bytes each: the ID, and a digest of the account's bytes. */
export class EntityTable {
  readonly ids: IdColumn;
  readonly #digests: Buffer;

  /** @param ids ascending. Digests are zeros at first, which no account has. */
  constructor(ids: readonly string[]) {
    this.ids = new IdColumn(ids);
    this.#digests = Buffer.alloc(ids.length * DIGEST_BYTES);
  }

  get size(): number {
    return this.ids.length;
  }

  setDigest(index: number, digest: Uint8Array): void {
    this.#digests.set(digest, index * DIGEST_BYTES);
  }

  hasDigest(index: number, digest: Uint8Array): boolean {
    return this.#digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES).equals(digest);
  }

  /** Whether another table has the entity in the same state. */
  hasSame(index: number, other: EntityTable): boolean {
    const theirs = other.ids.indexOf(this.ids.at(index));
    if (theirs === undefined) return false;
    const begin = theirs * DIGEST_BYTES;
    const mine = this.#digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES);
    return mine.compare(other.#digests, begin, begin + DIGEST_BYTES) === 0;
  }

  /** The IDs that `later` lacks. */
  goneFrom(later: EntityTable): readonly string[] {
    const gone: string[] = [];
    for (let index = 0; index < this.size; index += 1) {
      const id = this.ids.at(index);
      if (later.ids.indexOf(id) === undefined) gone.push(id);
    }
    return gone;
  }
}

/** The digest of an account's bytes. */
export function accountDigest(data: Uint8Array): Uint8Array {
  return hash("sha256", data, "buffer").subarray(0, DIGEST_BYTES);
}
