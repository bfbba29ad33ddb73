import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { PLAIN_PUBLIC_HEADERS, PUBLIC_HEADERS } from "./public-headers.ts";

const gzipAsync = promisify(gzip);

/** Below this a compressed body saves no packet. */
const MIN_GZIP_BYTES = 1024;

/** A finished body and its headers, ready to be written. */
export interface EncodedBody {
  readonly bytes: Buffer;
  /** Name, value, name, value, … Mutable only because `writeHead` wants it so. */
  readonly headers: string[];
  /** For an answer to POST: without what only matters to caches and conditional requests. */
  readonly postHeaders: string[];
}

/** A public JSON body in the content codings that were asked for (RFC 9110, section 8.4). */
export class PublicDocument {
  /** Weak, because the codings share it. */
  readonly etag: string;
  readonly identity: EncodedBody;
  /** Headers of a 304. */
  readonly notModifiedHeaders: string[];
  #gzip: EncodedBody | undefined;
  #compressing: Promise<EncodedBody> | undefined;

  /** @param etag `W/"…"` */
  constructor(etag: string, bytes: Buffer, cacheControl: string) {
    this.etag = etag;
    this.notModifiedHeaders = ["ETag", etag, "Cache-Control", cacheControl, "Vary", "Accept-Encoding"];
    this.notModifiedHeaders.push(...PUBLIC_HEADERS);
    this.identity = this.#encoded(bytes);
  }

  /** The gzip form where it has been made, and for a small body the plain one, which then serves as well. */
  get gzipped(): EncodedBody | undefined {
    return this.#gzip ?? (this.identity.bytes.length < MIN_GZIP_BYTES ? this.identity : undefined);
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
