import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../../services/shared/log/log.ts";
import type { CommitmentCache } from "../public-read/cache/commitment-cache.ts";
import type { Representation } from "../public-read/cache/representation.ts";
import { parseSaleUuid } from "../public-read/read-request.ts";
import type { SaleDocuments } from "../public-read/sale-documents.ts";
import type { GatewayCounters } from "../web/http/counters.ts";
import { deferAnswer } from "../web/http/deferred-answer.ts";
import { type DocumentKind, digestEtag, PublicDocument } from "../web/http/public-document.ts";
import { PublicError } from "../web/http/public-error.ts";
import { requestPath } from "../web/http/request-path.ts";
import { traceRequest } from "../web/http/request-trace.ts";
import { type ReadDocument, sendReading } from "../web/http/send-document.ts";
import { toldError } from "../web/http/to-public-error.ts";
import { type ChartName, chartImage } from "./chart-image.ts";
import { errorPage } from "./message-page.ts";
import { saleDocument } from "./sale-document.ts";
import { SALE_SCRIPT, saleFile } from "./sale-files.ts";
import { saleView } from "./sale-view.ts";

const PAGES_PREFIX = "/sales/";
const ROUTE = "/sales/{uuid}";
const CHART = /^([^/]*)\/(history|demand)\.svg$/;
const CACHE_CONTROL = "public, max-age=1";
/** A page is made anew no more often than this, however often its sale changes; its stream tells the rest. */
const PAGE_INTERVAL_MS = 1_000;
/** Pages held: each about 60 KiB, and a third as much again compressed. */
const MAX_PAGES = 200;
const RETRY_AFTER_SECONDS = "5";

/** Loads nothing but ours, runs no inline code, and isn't framed: the custom element is for that. */
const SECURITY_HEADERS = [
  "Content-Security-Policy",
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "Referrer-Policy",
  "strict-origin-when-cross-origin",
  "X-Content-Type-Options",
  "nosniff",
  "X-Frame-Options",
  "DENY",
];

const HTML: DocumentKind = { mediaType: "text/html; charset=utf-8", headers: SECURITY_HEADERS, postHeaders: [] };

const SVG: DocumentKind = {
  mediaType: "image/svg+xml",
  headers: [
    "Content-Security-Policy",
    "default-src 'none'; style-src 'unsafe-inline'",
    "X-Content-Type-Options",
    "nosniff",
  ],
  postHeaders: [],
};

interface HeldPage {
  readonly representation: Representation;
  readonly madeAt: number;
  readonly document: PublicDocument;
}

export interface SalePagesOptions {
  readonly cache: CommitmentCache;
  readonly documents: SaleDocuments;
  readonly counters: GatewayCounters;
  /** First segment of the public read's paths. */
  readonly pathPrefix: string;
  /** Origin under which the pages are known. */
  readonly origin: string | undefined;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** The public pages of sales, the files and images that they load, and the custom element for other sites. */
export class SalePages {
  readonly #options: SalePagesOptions;
  readonly #scriptPath: string;
  readonly #pages = new Map<string, HeldPage>();

  constructor(options: SalePagesOptions) {
    this.#options = options;
    this.#scriptPath = `/${options.pathPrefix}/v1/public/tidemark-sale.js`;
  }

  /** Whether a request is for a sale page or what belongs to it, by its path. */
  owns({ url = "" }: IncomingMessage): boolean {
    const path = requestPath(url);
    return path.startsWith(PAGES_PREFIX) || path === this.#scriptPath;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const { counters } = this.#options;
    const path = requestPath(request.url ?? "");
    const representation = path === this.#scriptPath ? SALE_SCRIPT : saleFile(path);
    if (request.method !== "GET" && request.method !== "HEAD") this.#refuse(request, response, READ_ONLY);
    else if (representation !== undefined) {
      sendReading(request, response, { representation, ageSeconds: undefined }, counters);
    } else {
      const answer = () => this.#answer(request, response, path.slice(PAGES_PREFIX.length));
      void traceRequest(request, response, ROUTE, answer);
    }
  }

  /** @param name of a sale's page or of a chart below it */
  async #answer(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    deferAnswer(response);
    try {
      const [, saleUuid, chart] = CHART.exec(name) ?? [];
      const reading =
        saleUuid === undefined
          ? await this.#read(parseSaleUuid(name))
          : await this.#readChart(parseSaleUuid(saleUuid), chart as ChartName);
      if (!response.destroyed) sendReading(request, response, reading, this.#options.counters);
    } catch (error) {
      if (!response.destroyed) this.#refuse(request, response, toldError(error, this.#options.logger));
    }
  }

  async #read(saleUuid: string): Promise<ReadDocument> {
    const { representation, ageSeconds } = await this.#options.cache.read(saleUuid);
    return { representation: this.#page(saleUuid, representation), ageSeconds };
  }

  async #readChart(saleUuid: string, name: ChartName): Promise<ReadDocument> {
    const { cache, documents } = this.#options;
    const [sale, figures] = await Promise.all([cache.read(saleUuid), documents.read(name, saleUuid)]);
    const text = figures.representation.identity.bytes.toString("utf8");
    const bytes = chartImage(name, saleView(sale.representation), text, Date.now() / 1000);
    return { ...figures, representation: new PublicDocument(digestEtag(bytes), bytes, CACHE_CONTROL, SVG) };
  }

  #page(saleUuid: string, representation: Representation): PublicDocument {
    const held = this.#pages.get(saleUuid);
    const now = this.#options.now();
    const isGood = held?.representation === representation || (held && now - held.madeAt < PAGE_INTERVAL_MS);
    if (held && isGood) return held.document;
    const { pathPrefix, origin } = this.#options;
    const api = `/${pathPrefix}/v1/public/sales/${saleUuid}`;
    const bytes = saleDocument(saleView(representation), { saleUuid, api, origin });
    const document = new PublicDocument(digestEtag(bytes), bytes, CACHE_CONTROL, HTML);
    this.#hold(saleUuid, { representation, madeAt: now, document });
    return document;
  }

  #hold(saleUuid: string, page: HeldPage): void {
    this.#pages.delete(saleUuid);
    this.#pages.set(saleUuid, page);
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined && this.#pages.size > MAX_PAGES) this.#pages.delete(oldest);
  }

  #refuse(request: IncomingMessage, response: ServerResponse, error: PublicError): void {
    this.#options.counters.errors[error.code]++;
    const { status, body } = errorPage(error);
    response.writeHead(status, [
      "Content-Type",
      HTML.mediaType,
      "Content-Length",
      String(body.length),
      "Cache-Control",
      "no-store",
      ...SECURITY_HEADERS,
      ...(status === 503 ? ["Retry-After", RETRY_AFTER_SECONDS] : []),
      ...(status === 405 ? ["Allow", "GET, HEAD"] : []),
    ]);
    response.end(request.method === "HEAD" ? undefined : body);
  }
}

const READ_ONLY = new PublicError("unimplemented", "Sale pages answer GET and HEAD only.");
