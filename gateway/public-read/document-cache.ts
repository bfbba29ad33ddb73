import type { Logger } from "../../common/platform/log/log.ts";
import { trace } from "../../common/platform/tracing/tracing.ts";
import type { LoadLimit } from "../web/http/load-limit.ts";
import { ownText } from "../web/http/own-text.ts";
import { digestEtag, PublicDocument } from "../web/http/public-document.ts";
import type { AgedDocument } from "../web/http/send-document.ts";
import { TtlCache } from "../web/http/ttl-cache.ts";
import type { CacheConfig } from "./cache/cache-config.ts";
import { NegativeCache } from "./cache/negative-cache.ts";
import { upstreamError } from "./cache/upstream-error.ts";

/** Time for which a loaded document is sent. Caches in front may add as much again. */
const FRESH_MS = 1_000;
const CACHE_CONTROL = "public, max-age=1";
/** Documents held. One is 100 KiB at most, and half as much again compressed. */
const MAX_DOCUMENTS = 250;
/** Sales held that have no document, of some 100 bytes each. */
const MAX_REFUSALS = 10_000;

interface LoadedDocument {
  readonly document: PublicDocument;
  readonly loadedAt: number;
}

export interface DocumentCacheOptions {
  /** Name of the document in traces. */
  readonly name: string;
  /** Asks the commitments service for a sale's document, as bytes of JSON. */
  readonly load: (saleUuid: string) => Promise<Buffer>;
  /** Bounds the documents that are loaded at once. */
  readonly limit: LoadLimit;
  readonly config: Pick<CacheConfig, "callTimeoutMs" | "maxAgeMs">;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** One kind of document of each sale, read from the commitments service once a second at most. */
export class DocumentCache {
  readonly #options: DocumentCacheOptions;
  readonly #documents: TtlCache<LoadedDocument>;
  /** Sales that had no document a moment ago. They are apart, so that unknown UUIDs displace no document. */
  readonly #refusals = new NegativeCache(MAX_REFUSALS);

  constructor(options: DocumentCacheOptions) {
    this.#options = options;
    this.#documents = new TtlCache({
      load: (saleUuid) => this.#load(saleUuid),
      ttlMs: FRESH_MS,
      maxAgeMs: options.config.maxAgeMs,
      maxEntries: MAX_DOCUMENTS,
      now: options.now,
    });
  }

  /**
   * Returns the document of a sale. While the commitments service fails, the last one serves up to an age of
   * `maxAgeMs`.
   *
   * @param saleUuid in canonical form
   * @throws PublicError: `not_found`, `unavailable`, `deadline_exceeded`, `internal`
   */
  async read(saleUuid: string): Promise<AgedDocument> {
    const { now, config } = this.#options;
    this.#checkRefusal(saleUuid);
    const loaded = await this.#documents.get(ownText(saleUuid));
    // Where a sale has no document any more, the cache gives the one before.
    this.#checkRefusal(saleUuid);
    const ageMs = now() - loaded.loadedAt;
    // A younger document was loaded for this reader, or within its time.
    const isFresh = ageMs <= FRESH_MS + config.callTimeoutMs;
    return { representation: loaded.document, ageSeconds: isFresh ? undefined : Math.floor(ageMs / 1000) };
  }

  /** Forgets that a sale had no such document. */
  forgetRefusal(saleUuid: string): void {
    this.#refusals.delete(saleUuid);
  }

  /** @throws PublicError that of a recent refusal */
  #checkRefusal(saleUuid: string): void {
    const refusal = this.#refusals.get(saleUuid, this.#options.now());
    if (refusal !== undefined) throw refusal;
  }

  #load(saleUuid: string): Promise<LoadedDocument> {
    const { name, load, limit, now, logger } = this.#options;
    return limit.run(async () => {
      const loadedAt = now();
      try {
        const body = await trace(`load ${name}`, {}, () => load(saleUuid));
        return { document: new PublicDocument(digestEtag(body), body, CACHE_CONTROL), loadedAt };
      } catch (error) {
        const publicError = upstreamError(error, logger);
        // Held for as long as a document, so that asking again costs the services nothing.
        if (publicError.code === "not_found") this.#refusals.set(saleUuid, publicError, now() + FRESH_MS);
        throw publicError;
      }
    });
  }
}
