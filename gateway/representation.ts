import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { PLAIN_PUBLIC_HEADERS, PUBLIC_HEADERS } from "./public-headers.ts";

const gzipAsync = promisify(gzip);

/** Below this a compressed body saves no packet. */
const MIN_GZIP_BYTES = 1024;

/** What an entry costs besides its bodies: headers, keys, bookkeeping. An estimate. */
const OVERHEAD_BYTES = 4096;

/** A finished body and its headers, ready to be written. */
export interface EncodedBody {
  readonly bytes: Buffer;
  /** Name, value, name, value, … Mutable only because `writeHead` wants it so. */
  readonly headers: string[];
  /** For an answer to POST: without what only matters to caches and conditional requests. */
  readonly postHeaders: string[];
}

/** A sale's public body at one revision, in the content codings that were asked for (RFC 9110, section 8.4). */
export class Representation {
  readonly generation: bigint;
  readonly revision: bigint;
  /** Weak, because the codings share it. */
  readonly etag: string;
  readonly identity: EncodedBody;
  /** Headers of a 304. */
  readonly notModifiedHeaders: string[];
  #gzip: EncodedBody | undefined;
  #compressing: Promise<EncodedBody> | undefined;

  constructor(generation: bigint, revision: bigint, bytes: Buffer) {
    this.generation = generation;
    this.revision = revision;
    this.etag = `W/"${generation.toString(16).padStart(16, "0")}-${revision}"`;
    this.notModifiedHeaders = ["ETag", this.etag, "Cache-Control", "no-cache", "Vary", "Accept-Encoding"];
    this.notModifiedHeaders.push(...PUBLIC_HEADERS);
    this.identity = this.#encoded(bytes);
  }

  /** The gzip form where it has been made, and for a small body the plain one, which then serves as well. */
  get gzipped(): EncodedBody | undefined {
    return this.#gzip ?? (this.identity.bytes.length < MIN_GZIP_BYTES ? this.identity : undefined);
  }

  /** Bytes held, counting the gzip form from the start: it is hardly ever larger than the body itself. */
  get byteLength(): number {
    return 2 * this.identity.bytes.length + OVERHEAD_BYTES;
  }

  /** Makes the gzip form, once, away from the event loop. */
  compress(): Promise<EncodedBody> {
    this.#compressing ??= gzipAsync(this.identity.bytes).then((bytes) => {
      this.#gzip = this.#encoded(bytes, "Content-Encoding", "gzip");
      return this.#gzip;
    });
    return this.#compressing;
  }

  #encoded(bytes: Buffer, ...contentCoding: string[]): EncodedBody {
    const content = ["Content-Type", "application/json", "Content-Length", String(bytes.length), ...contentCoding];
    const postHeaders = [...content, "Cache-Control", "no-cache", ...PLAIN_PUBLIC_HEADERS];
    return { bytes, headers: [...content, ...this.notModifiedHeaders], postHeaders };
  }
}
