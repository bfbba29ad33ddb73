import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Logger } from "../../services/shared/log/log.ts";
import { traceRoot } from "../../services/shared/tracing/tracing.ts";
import { digestEtag, PublicDocument } from "../web/http/public-document.ts";
import { PublicError, unavailable } from "../web/http/public-error.ts";
import type { ReadDocument } from "../web/http/send-document.ts";
import { RememberedCalls } from "../web/http/ttl-cache.ts";
import type { CacheConfig } from "./cache/cache-config.ts";
import { upstreamError } from "./cache/upstream-error.ts";
import { demandBody } from "./demand-body.ts";
import { historyBody } from "./history-body.ts";

export type DocumentClient = Pick<Client<typeof CommitmentService>, "getHistory" | "getPriceLevels">;
export type SaleDocumentKind = "history" | "demand";

/** What is read once is shown for so long; so much may caches before us add to it. */
const FRESH_MS = 1_000;
const CACHE_CONTROL = "public, max-age=1";
/** Bodies held: one is 100 KiB at most, and half as much again compressed. */
const MAX_DOCUMENTS = 500;
/** Documents loaded at once. */
const MAX_LOADS = 32;

interface LoadedDocument {
  readonly document: PublicDocument;
  readonly loadedAt: number;
}

export interface SaleDocumentsOptions {
  readonly client: DocumentClient;
  readonly config: Pick<CacheConfig, "callTimeoutMs" | "maxAgeMs">;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** A sale's history and its demand by price, each read from the commitments service once a second at most. */
export class SaleDocuments {
  readonly #options: SaleDocumentsOptions;
  readonly #documents: RememberedCalls<LoadedDocument | PublicError>;
  #loads = 0;

  constructor(options: SaleDocumentsOptions) {
    this.#options = options;
    const { now } = options;
    this.#documents = new RememberedCalls({
      load: (key) => this.#load(key),
      ttlMs: FRESH_MS,
      maxEntries: MAX_DOCUMENTS,
      now,
    });
  }

  /**
   * While the commitments service fails, what was read before serves, as old as `maxAgeMs` at most.
   *
   * @param saleUuid in canonical form
   * @throws PublicError: `not_found`, also for the demand of a sale that is no auction, `unavailable`,
   *   `deadline_exceeded`, `internal`
   */
  async read(kind: SaleDocumentKind, saleUuid: string): Promise<ReadDocument> {
    const { now, config } = this.#options;
    const loaded = await this.#documents.get(`${kind} ${saleUuid}`);
    if (loaded instanceof PublicError) throw loaded;
    const ageMs = now() - loaded.loadedAt;
    if (ageMs > config.maxAgeMs) throw unavailable("The sale's figures can't be read at the moment.");
    // A reader of a body that counts just waited for it, or came within its time.
    const isFresh = ageMs <= FRESH_MS + config.callTimeoutMs;
    return { representation: loaded.document, ageSeconds: isFresh ? undefined : Math.floor(ageMs / 1000) };
  }

  async #load(key: string): Promise<LoadedDocument | PublicError> {
    const { now, logger } = this.#options;
    if (this.#loads >= MAX_LOADS) throw unavailable("Too many sales are being read at the moment.");
    this.#loads++;
    const loadedAt = now();
    try {
      const body = await traceRoot(`load ${key.split(" ", 1)[0]}`, {}, () => this.#body(key));
      return { document: documentOf(body), loadedAt };
    } catch (error) {
      if (error instanceof ConnectError && error.code === Code.FailedPrecondition) return NO_AUCTION;
      const publicError = upstreamError(error, logger);
      // Remembered, so that asking again costs the services nothing.
      if (publicError.code === "not_found") return publicError;
      throw publicError;
    } finally {
      this.#loads--;
    }
  }

  async #body(key: string): Promise<Buffer> {
    const { client, config } = this.#options;
    const options = { timeoutMs: config.callTimeoutMs };
    const [kind, saleUuid] = key.split(" ");
    if (kind === "demand") return demandBody(await client.getPriceLevels({ saleUuid: saleUuid ?? "" }, options));
    return historyBody(await client.getHistory({ saleUuid: saleUuid ?? "" }, options));
  }
}

const NO_AUCTION = new PublicError("not_found", "Only an auction has a demand by price.");

function documentOf(body: Buffer): PublicDocument {
  return new PublicDocument(digestEtag(body), body, CACHE_CONTROL);
}
