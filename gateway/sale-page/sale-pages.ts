import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Logger } from "../../services/shared/log/log.ts";
import type { CommitmentCache } from "../public-read/cache/commitment-cache.ts";
import type { Representation } from "../public-read/cache/representation.ts";
import type { SaleDocuments } from "../public-read/sale-documents.ts";
import type { GatewayCounters } from "../web/http/counters.ts";
import { deferAnswer } from "../web/http/deferred-answer.ts";
import type { RouteHandler } from "../web/http/dispatch.ts";
import { type DocumentKind, digestEtag, PublicDocument } from "../web/http/public-document.ts";
import { PublicError } from "../web/http/public-error.ts";
import { traceRequest } from "../web/http/request-trace.ts";
import { parseSaleUuid } from "../web/http/sale-uuid.ts";
import { type AgedDocument, sendDocument } from "../web/http/send-document.ts";
import { toPublicError } from "../web/http/to-public-error.ts";
import { type ChartName, chartImage } from "./chart-image.ts";
import { type HomeLink, homePage } from "./home-page.ts";
import { errorPage } from "./message-page.ts";
import { saleDocument } from "./sale-document.ts";
import { SALE_SCRIPT, saleFile } from "./sale-files.ts";
import { saleView } from "./sale-view.ts";

const ROUTE = "/sales/{uuid}";
const CHART = /^([^/]*)\/(history|demand)\.svg$/;
const CACHE_CONTROL = "public, max-age=1";
/** Shortest time between two versions of a page. The page's stream has the changes in between. */
const PAGE_INTERVAL_MS = 1_000;
/** Pages held. One is about 60 KiB, and a third as much again compressed. */
const MAX_PAGES = 200;
const HOME_CACHE_CONTROL = "public, max-age=300";
const RETRY_AFTER_SECONDS = "5";

/**
 * A page loads files of this origin only, runs no inline code, and can't be framed: other sites use the custom
 * element.
 */
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
  /** Origin of the pages' canonical links. */
  readonly origin: string | undefined;
  /** Links of the page at `/`. */
  readonly homeLinks: readonly HomeLink[];
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** The public pages of sales, the files and images that they load, and the custom element for other sites. */
export class SalePages {
  readonly #options: SalePagesOptions;
  readonly #pages = new LRUCache<string, HeldPage>({ max: MAX_PAGES });
  readonly #home: PublicDocument;

  constructor(options: SalePagesOptions) {
    this.#options = options;
    const home = homePage(options.homeLinks);
    this.#home = new PublicDocument(digestEtag(home), home, HOME_CACHE_CONTROL, HTML);
  }

  /** Answers with the page at `/`. */
  readonly home: RouteHandler = (request, response) => {
    if (isRead(request)) this.#sendFile(request, response, this.#home);
    else this.#refuse(request, response, READ_ONLY);
  };

  /** Answers with a sale's page, a chart below it or a file that pages load, by the path below `/sales/`. */
  readonly page: RouteHandler = (request, response, path) => {
    if (!isRead(request)) this.#refuse(request, response, READ_ONLY);
    else {
      const file = saleFile(path);
      if (file !== undefined) this.#sendFile(request, response, file);
      else void traceRequest(request, response, ROUTE, () => this.#answer(request, response, path));
    }
  };

  /** Answers with the custom element. */
  readonly script: RouteHandler = (request, response) => {
    if (isRead(request)) this.#sendFile(request, response, SALE_SCRIPT);
    else this.#refuse(request, response, READ_ONLY);
  };

  #sendFile(request: IncomingMessage, response: ServerResponse, representation: PublicDocument): void {
    sendDocument(request, response, { representation, ageSeconds: undefined }, this.#options.counters);
  }

  /** @param name of a sale's page or of a chart below it */
  async #answer(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    deferAnswer(response);
    try {
      const [, saleUuid, chart] = CHART.exec(name) ?? [];
      const document =
        saleUuid === undefined
          ? await this.#read(parseSaleUuid(name))
          : await this.#readChart(parseSaleUuid(saleUuid), chart as ChartName);
      if (!response.destroyed) sendDocument(request, response, document, this.#options.counters);
    } catch (error) {
      if (!response.destroyed) this.#refuse(request, response, toPublicError(error, this.#options.logger));
    }
  }

  async #read(saleUuid: string): Promise<AgedDocument> {
    const { representation, ageSeconds } = await this.#options.cache.read(saleUuid);
    return { representation: this.#page(saleUuid, representation), ageSeconds };
  }

  async #readChart(saleUuid: string, name: ChartName): Promise<AgedDocument> {
    const { cache, documents } = this.#options;
    const [sale, figures] = await Promise.all([cache.read(saleUuid), documents[name].read(saleUuid)]);
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
    this.#pages.set(saleUuid, { representation, madeAt: now, document });
    return document;
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

function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

const READ_ONLY = new PublicError("unimplemented", "Sale pages answer GET and HEAD only.");
