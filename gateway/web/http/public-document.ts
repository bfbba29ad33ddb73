import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzipSync, gzip, gzipSync } from "node:zlib";
import { BASE_PUBLIC_HEADERS, PUBLIC_HEADERS, type RawHeaders } from "./public-headers.ts";

const gzipAsync = promisify(gzip);

/** Smallest body to compress: a shorter one fits into one packet anyway. */
const MIN_GZIP_BYTES = 1024;

const ETAG_CHARACTERS = 22;

/** Returns an entity tag made from the bytes. */
export function digestEtag(bytes: Buffer): string {
  return `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, ETAG_CHARACTERS)}"`;
}

/** A finished body and its headers, ready to be written. */
export interface EncodedBody {
  readonly bytes: Buffer;
  /** Name, value, name, value, … Mutable only because `writeHead` asks for that type. */
  readonly headers: string[];
  /** Headers of an answer to POST, without those for caches and conditional requests. */
  readonly postHeaders: string[];
}

/** Media type of a document, and the headers of every answer with it. */
export interface DocumentKind {
  readonly mediaType: string;
  /** Headers of a 200 and of a 304. */
  readonly headers: RawHeaders;
  /** Headers of an answer to POST. */
  readonly postHeaders: RawHeaders;
  /** Request headers that the document depends on, besides `Accept-Encoding`. */
  readonly variesBy?: readonly string[];
}

/** Media type of JSON documents. */
export const JSON_MEDIA_TYPE = "application/json";

const JSON_DOCUMENT: DocumentKind = {
  mediaType: JSON_MEDIA_TYPE,
  headers: PUBLIC_HEADERS,
  postHeaders: BASE_PUBLIC_HEADERS,
};

function varyOf({ variesBy = [] }: DocumentKind): string {
  return ["Accept-Encoding", ...variesBy].join(", ");
}

/** A public body, JSON by default, in the content codings that clients ask for (RFC 9110, section 8.4). */
export class PublicDocument {
  /** Weak, because the codings share it. */
  readonly etag: string;
  /** Headers of a 304. */
  readonly notModifiedHeaders: string[];
  readonly #kind: DocumentKind;
  readonly #makeBytes: () => Buffer;
  #identity: EncodedBody | undefined;
  #gzip: EncodedBody | undefined;
  #compressing: Promise<EncodedBody> | undefined;
  #isPacked = false;

  /**
   * @param etag `W/"…"`
   * @param bytes or a function that makes them on first use
   */
  constructor(etag: string, bytes: Buffer | (() => Buffer), cacheControl: string, kind = JSON_DOCUMENT) {
    this.etag = etag;
    this.#kind = kind;
    this.notModifiedHeaders = ["ETag", etag, "Cache-Control", cacheControl, "Vary", varyOf(kind)];
    this.notModifiedHeaders.push(...kind.headers);
    this.#makeBytes = typeof bytes === "function" ? bytes : () => bytes;
  }

  /** The uncompressed form; of a packed document it is made on each call. */
  get identity(): EncodedBody {
    if (this.#isPacked && this.#gzip !== undefined) return this.#encoded(gunzipSync(this.#gzip.bytes));
    this.#identity ??= this.#encoded(this.#makeBytes());
    return this.#identity;
  }

  /** The gzip form, or the uncompressed form of a small body; undefined where `compress` hasn't made the gzip form yet. */
  get gzipped(): EncodedBody | undefined {
    return this.#gzip ?? (this.identity.bytes.length < MIN_GZIP_BYTES ? this.identity : undefined);
  }

  /** Makes the gzip form once, in a thread of Node's pool. */
  compress(): Promise<EncodedBody> {
    if (this.#gzip !== undefined) return Promise.resolve(this.#gzip);
    this.#compressing ??= gzipAsync(this.identity.bytes).then((bytes) => {
      this.#gzip ??= this.#encoded(bytes, "Content-Encoding", "gzip");
      return this.#gzip;
    });
    return this.#compressing;
  }

  /**
   * Keeps the gzip form only, in memory of just its size. Compresses at once where `compress` hasn't, which takes some milliseconds
   * for 50 KB.
   *
   * @returns the bytes of the gzip form
   */
  protected keepGzipOnly(): number {
    const bytes = this.#gzip?.bytes ?? gzipSync(this.identity.bytes);
    const own = Buffer.allocUnsafeSlow(bytes.length);
    bytes.copy(own);
    this.#gzip = this.#encoded(own, "Content-Encoding", "gzip");
    this.#isPacked = true;
    this.#identity = undefined;
    this.#compressing = undefined;
    return own.length;
  }

  #encoded(bytes: Buffer, ...contentCoding: string[]): EncodedBody {
    const content = ["Content-Type", this.#kind.mediaType, "Content-Length", String(bytes.length), ...contentCoding];
    const postHeaders = [...content, "Cache-Control", "no-cache", ...this.#kind.postHeaders];
    return { bytes, headers: [...content, ...this.notModifiedHeaders], postHeaders };
  }
}
