import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { LRUCache } from "lru-cache";
import { atMost } from "../../common/platform/cache/at-most.ts";
import type { Language } from "../../common/platform/language/language.ts";
import type { ListWalletAllocationsResponse } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentCache } from "../public-read/cache/commitment-cache.ts";
import type { Representation } from "../public-read/cache/representation.ts";
import type { SaleFieldsCache } from "../public-read/cache/sale-fields.ts";
import { UnreadSale } from "../public-read/cache/unread-sale.ts";
import type { GatewayCounters } from "../web/http/counters.ts";
import { begunTexts } from "../web/http/download.ts";
import { digestEtag, PublicDocument } from "../web/http/public-document.ts";
import { PublicError } from "../web/http/public-error.ts";
import { type AgedDocument, sendDocument } from "../web/http/send-document.ts";
import type { AllocationReads } from "./allocations/allocation-reads.ts";
import { allocationsCsv } from "./allocations/allocations-csv.ts";
import { AFTER_PARAMETER } from "./allocations/allocations-path.ts";
import { allocationsPage, noAllocationsPage, type RequestedAllocations } from "./allocations-page.ts";
import { walletKindOf } from "./look-up/wallet-kind.ts";
import { HTML } from "./page-kinds.ts";
import { inLanguage } from "./view/in-language.ts";
import { type PageFacts, pageFacts } from "./view/page-facts.ts";
import { saleView } from "./view/sale-view.ts";

const CACHE_CONTROL = "public, max-age=1";
/** Pages held, each of some 50 KiB, and a fifth as much again compressed. */
const MAX_PAGES = 200;
/** Longest time of a file, after which it breaks off. */
const FILE_TIMEOUT_MS = 600_000;
const PAGE_TOKEN = /^[\w-]{0,100}$/;
const NOT_FOUND = 404;

export interface AllocationPagesOptions {
  readonly cache: CommitmentCache;
  readonly saleFields: SaleFieldsCache;
  readonly reads: AllocationReads;
  readonly counters: Pick<GatewayCounters, "notModified">;
  /** Returns milliseconds since 1970. */
  readonly wallClock: () => number;
}

/** The facts about a sale, and its figures unless its contract hasn't been read yet. */
interface KnownSale extends Pick<AgedDocument, "ageSeconds"> {
  readonly representation?: Representation;
  readonly factsJson: string | undefined;
  readonly facts: PageFacts;
}

/** A page, and the state of the sale that it was made of. */
interface HeldPage extends Pick<KnownSale, "factsJson"> {
  readonly etag: string;
  readonly document: PublicDocument;
}

/** The pages and files with all allocations of settled sales. */
export class AllocationPages {
  readonly #options: AllocationPagesOptions;
  readonly #pages = new LRUCache<string, HeldPage>(atMost(MAX_PAGES));

  constructor(options: AllocationPagesOptions) {
    this.#options = options;
  }

  /** Answers with a page. @throws PublicError */
  async sendPage(
    request: IncomingMessage,
    response: ServerResponse,
    sale: Pick<RequestedAllocations, "saleUuid" | "language">,
  ): Promise<void> {
    const requested = { ...sale, pageToken: pageTokenOf(request) };
    const known = await this.#saleOf(sale.saleUuid, sale.language);
    const representation = await this.#documentOf(requested, known, request);
    if (response.destroyed) return;
    sendDocument(request, response, { representation, ageSeconds: known.ageSeconds }, this.#options.counters);
  }

  /** Answers with the file of all allocations. @throws PublicError, or the error after which the answer breaks off */
  async sendFile(
    request: IncomingMessage,
    response: ServerResponse,
    sale: Pick<RequestedAllocations, "saleUuid" | "language">,
  ): Promise<void> {
    const { saleUuid, language } = sale;
    const known = await this.#saleOf(saleUuid, language);
    const { representation, factsJson, facts } = known;
    if (representation === undefined || facts.Status !== "settled") return sendNoFile(request, response, sale, facts);
    const view = inLanguage(language, () => this.#viewOf(representation, factsJson));
    await this.#options.reads.file(saleUuid, request, async (first, parts, ending) => {
      if (response.destroyed) return;
      if (first.saleAllocations === undefined) return sendNoFile(request, response, sale, facts);
      const headers = fileHeaders(saleUuid, first);
      if (request.method === "HEAD") return void response.writeHead(200, headers).end();
      const texts = await begunTexts(allocationsCsv(parts, view));
      response.writeHead(200, headers);
      const signal = AbortSignal.any([ending, AbortSignal.timeout(FILE_TIMEOUT_MS)]);
      await pipeline(Readable.from(texts, { highWaterMark: 1 }), response, { signal });
    });
  }

  async #saleOf(saleUuid: string, language: Language): Promise<KnownSale> {
    const { cache, saleFields } = this.#options;
    const read = await cache.read(saleUuid).catch((error: unknown) => {
      if (error instanceof UnreadSale) return error;
      throw error;
    });
    await saleFields.ready(saleUuid);
    const [sale, state] =
      read instanceof UnreadSale
        ? [read.summary, read.feedState]
        : [read.representation.sale, cache.feed(saleUuid)?.state];
    const factsJson = saleFields.of(saleUuid, { sale, state })?.json;
    const facts = inLanguage(language, () => pageFacts(factsJson, sale));
    const known = { factsJson, facts };
    if (read instanceof UnreadSale) return { ...known, ageSeconds: undefined };
    return { ...known, representation: read.representation, ageSeconds: read.ageSeconds };
  }

  async #documentOf(
    requested: RequestedAllocations,
    known: KnownSale,
    request: IncomingMessage,
  ): Promise<PublicDocument> {
    const { saleUuid, language, pageToken } = requested;
    const { representation, factsJson, facts } = known;
    if (representation === undefined || facts.Status !== "settled") return noAllocations(requested, facts);
    const key = `${language} ${saleUuid} ${pageToken}`;
    const held = this.#pages.get(key);
    const { etag } = representation;
    if (held?.etag === etag && held.factsJson === factsJson) return held.document;
    const page = await this.#options.reads.page({ saleUuid, pageToken }, request);
    if (page.saleAllocations === undefined) return noAllocations(requested, facts);
    const bytes = inLanguage(language, () => {
      const view = this.#viewOf(representation, factsJson);
      return allocationsPage(requested, page, view, walletKindOf(representation.sale));
    });
    const document = documentOf(bytes, language);
    this.#pages.set(key, { etag, factsJson, document });
    return document;
  }

  #viewOf({ identity, sale }: Representation, factsJson: string | undefined) {
    return saleView({ identity, sale, factsJson, now: this.#options.wallClock() });
  }
}

function noAllocations(requested: RequestedAllocations, facts: PageFacts): PublicDocument {
  const bytes = inLanguage(requested.language, () => noAllocationsPage(requested, facts));
  return documentOf(bytes, requested.language);
}

function documentOf(bytes: Buffer, language: Language): PublicDocument {
  return new PublicDocument(digestEtag(bytes), bytes, CACHE_CONTROL, HTML[language]);
}

/** Answers that there is no file yet, with the page that says when. */
function sendNoFile(
  request: IncomingMessage,
  response: ServerResponse,
  sale: Pick<RequestedAllocations, "saleUuid" | "language">,
  facts: PageFacts,
): void {
  const { identity } = noAllocations({ ...sale, pageToken: "" }, facts);
  response.writeHead(NOT_FOUND, identity.headers).end(request.method === "HEAD" ? undefined : identity.bytes);
}

/** @throws PublicError where the address has text that is no token */
function pageTokenOf({ url = "" }: IncomingMessage): string {
  const [, query = ""] = url.split("?");
  const token = new URLSearchParams(query).get(AFTER_PARAMETER) ?? "";
  if (PAGE_TOKEN.test(token)) return token;
  throw new PublicError("not_found", "There is no such page of allocations.");
}

/** Returns the headers of a file. Its name says what the page says in a notice: the file itself is columns only. */
function fileHeaders(saleUuid: string, { revision, saleAllocations }: ListWalletAllocationsResponse): string[] {
  const differs = saleAllocations?.differs === true ? "-differs" : "";
  return [
    "Content-Type",
    "text/csv; charset=utf-8; header=present",
    "Content-Disposition",
    `attachment; filename="allocations-${saleUuid}-${revision}${differs}.csv"`,
    "Cache-Control",
    "no-store",
    "X-Robots-Tag",
    "noindex",
    "X-Content-Type-Options",
    "nosniff",
  ];
}
