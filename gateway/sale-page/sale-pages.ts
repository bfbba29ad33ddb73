import type { IncomingMessage, ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { LRUCache } from "lru-cache";
import { atMost } from "../../common/platform/cache/at-most.ts";
import { eachLanguage, LANGUAGES, type Language } from "../../common/platform/language/language.ts";
import type { Logger } from "../../common/platform/log/log.ts";
import type { CommitmentCache } from "../public-read/cache/commitment-cache.ts";
import type { Representation } from "../public-read/cache/representation.ts";
import type { SaleFieldsCache } from "../public-read/cache/sale-fields.ts";
import type { SaleRules } from "../public-read/cache/sale-rules.ts";
import { UnreadSale } from "../public-read/cache/unread-sale.ts";
import type { PositionRead } from "../public-read/position/position-read.ts";
import { publicPaths } from "../public-read/public-paths.ts";
import type { SaleDocuments } from "../public-read/sale-documents.ts";
import type { GatewayCounters } from "../web/http/counters.ts";
import { deferAnswer } from "../web/http/deferred-answer.ts";
import type { RouteHandler } from "../web/http/dispatch.ts";
import { toPublicError } from "../web/http/error-responder.ts";
import { type DocumentKind, digestEtag, PublicDocument } from "../web/http/public-document.ts";
import { PublicError } from "../web/http/public-error.ts";
import { noteRoute } from "../web/http/request-route.ts";
import { traceRequest } from "../web/http/request-trace.ts";
import { parseSaleUuid } from "../web/http/sale-uuid.ts";
import { type AgedDocument, sendDocument, sendQueriedDocument } from "../web/http/send-document.ts";
import type { Logos } from "../web/pages/logos.ts";
import { languageSwitch } from "../web/texts/language-switch.ts";
import { chosenCookie, requestLanguage } from "../web/texts/request-language.ts";
import { AllocationPages } from "./allocation-pages.ts";
import type { AllocationReads } from "./allocations/allocation-reads.ts";
import { ChartImages } from "./chart-images.ts";
import type { HomePages } from "./home-pages.ts";
import { type AnsweredLookUp, answerLookUp, type LookUpEntry, receiveLookUp } from "./look-up/look-up-form.ts";
import { type LookUpSale, lookUpSection } from "./look-up/look-up-section.ts";
import { walletKindOf } from "./look-up/wallet-kind.ts";
import { errorPage } from "./message-page.ts";
import { HTML, VERIFY_HTML, WALLET_HTML } from "./page-kinds.ts";
import { RulesPages } from "./rules-pages.ts";
import { saleDocument } from "./sale-document.ts";
import { extraScriptFile, SALE_SCRIPT, saleFile, saleFilePath } from "./sale-files.ts";
import { VERIFY_PATH } from "./sections/verify-link.ts";
import { ShareImages } from "./share-image/share-images.ts";
import { unreadPage } from "./unread-page.ts";
import { verifyPage } from "./verify-page.ts";
import type { ChartName } from "./view/chart-image.ts";
import { inLanguage } from "./view/in-language.ts";
import { type SaleView, type ShownState, saleView } from "./view/sale-view.ts";
import { shownSource } from "./view/shown-source.ts";

const HOME_ROUTE = "/";
const ROUTE = "/sales/{uuid}";
const RULES = /^([^/]*)\/rules$/;
const IMAGE = /^([^/]*)\/(?:(history|clearing|count|demand)\.svg|share\.png)$/;
const ALLOCATIONS = /^([^/]*)\/allocations(\.csv)?$/;
const CACHE_CONTROL = "public, max-age=1";
/** Shortest time between two versions of a page. The page's stream has the changes in between. */
const PAGE_INTERVAL_MS = 1_000;
/** Time after which a page is made anew though nothing has changed: the time of opening or closing may have come. */
const LONGEST_HELD_MS = 60_000;
/** Pages held, each in its language. One is about 60 KiB, and a third as much again compressed. */
const MAX_PAGES = 200 * LANGUAGES.length;
const UNREAD_CACHE_CONTROL = "no-store";
const WALLET_CACHE_CONTROL = "no-store";
const FIXED_CACHE_CONTROL = "public, max-age=300";
const RETRY_AFTER_SECONDS = "5";
const READ = "GET, HEAD";
const READ_OR_LOOK_UP = "GET, HEAD, POST";

/** The state of a sale that its page shows. */
interface PageState extends Required<Pick<ShownState, "factsJson" | "source">> {
  readonly representation: Representation;
  /** Whether its rules are for everybody, and known. */
  readonly hasRules: boolean;
}

/** A sale's page, in a language. */
interface RequestedPage {
  readonly saleUuid: string;
  readonly language: Language;
}

interface HeldPage extends PageState {
  readonly madeAt: number;
  readonly document: PublicDocument;
  readonly lookUpSale: LookUpSale;
}

/** A form that looks up a wallet. */
interface SentForm {
  /** Name of the sale's page, unchecked. */
  readonly name: string;
  readonly entry: LookUpEntry;
}

interface AnsweredForm {
  readonly page: HeldPage;
  readonly answered: AnsweredLookUp;
}

export interface SalePagesOptions {
  readonly cache: CommitmentCache;
  readonly documents: SaleDocuments;
  readonly positions: Pick<PositionRead, "read">;
  readonly allocations: AllocationReads;
  readonly saleFields: SaleFieldsCache;
  readonly saleRules: Pick<SaleRules, "get" | "current">;
  readonly logos: Pick<Logos, "get">;
  readonly counters: GatewayCounters;
  /** First segment of the public read's paths. */
  readonly pathPrefix: string;
  /** Origin of the pages' canonical links. */
  readonly origin: string | undefined;
  readonly home: Pick<HomePages, "read">;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Returns milliseconds since 1970. */
  readonly wallClock: () => number;
  readonly logger: Logger;
}

/** The public pages of sales, the files and images that they load, and the custom element for other sites. */
export class SalePages {
  readonly #options: SalePagesOptions;
  readonly #pages = new LRUCache<string, HeldPage>(atMost(MAX_PAGES));
  /** The page on how to check figures. */
  readonly #verify: Readonly<Record<Language, PublicDocument>>;
  readonly #images: ShareImages;
  readonly #charts: ChartImages;
  readonly #rules: RulesPages;
  readonly #allocations: AllocationPages;

  constructor(options: SalePagesOptions) {
    this.#options = options;
    this.#images = new ShareImages(options);
    this.#charts = new ChartImages(options);
    this.#rules = new RulesPages(options);
    this.#allocations = new AllocationPages({ ...options, reads: options.allocations });
    this.#verify = eachLanguage((_, language) =>
      fixedPage(verifyPage(language, options.origin), VERIFY_HTML[language]),
    );
  }

  /** Answers with the page at `/`. */
  readonly home: RouteHandler = (request, response) => {
    if (!isRead(request)) this.#refuseMethod(request, response, READ);
    else if (!this.#switched(request, response)) {
      this.#answerLater(request, response, HOME_ROUTE, async () => {
        const page = await this.#options.home.read(requestLanguage(request));
        if (!response.destroyed) this.#sendFile(request, response, page);
      });
    }
  };

  /**
   * Answers with a sale's page, its rules or an image below it, or a file that pages load, by the path below `/sales/`. A page also takes the
   * form that looks up a wallet: a `POST`, so that the wallet is in no address and no log.
   */
  readonly page: RouteHandler = (request, response, path) => {
    if (request.method === "POST" && !path.includes("/")) {
      receiveLookUp(request, (entry) => {
        this.#answerLater(request, response, ROUTE, () => this.#answerForm(request, response, { name: path, entry }));
      });
    } else if (!isRead(request)) this.#refuseMethod(request, response, path.includes("/") ? READ : READ_OR_LOOK_UP);
    else {
      const file = saleFile(path);
      if (file !== undefined) this.#sendFile(request, response, file);
      else if (this.#switched(request, response)) return;
      else if (path === VERIFY_PATH) this.#sendFile(request, response, this.#verify[requestLanguage(request)]);
      else this.#answerLater(request, response, ROUTE, () => this.#answer(request, response, path));
    }
  };

  /** Answers with the custom element. */
  readonly script: RouteHandler = (request, response) => {
    if (isRead(request)) this.#sendFile(request, response, SALE_SCRIPT);
    else this.#refuseMethod(request, response, READ);
  };

  /** Answers with the second part of the custom element. */
  readonly scriptExtras: RouteHandler = (request, response, name) => {
    const file = extraScriptFile(name);
    if (!isRead(request)) this.#refuseMethod(request, response, READ);
    else if (file === undefined)
      this.#refuse(request, response, new PublicError("not_found", "There is no such script."));
    else this.#sendFile(request, response, file);
  };

  /** Keeps the language that somebody has chosen with the switch, and leads back. @returns whether it has answered */
  #switched({ url = "" }: IncomingMessage, response: ServerResponse): boolean {
    const choice = languageSwitch(url);
    if (choice === undefined) return false;
    const cookie = chosenCookie(choice.language, this.#options.origin?.startsWith("https:") ?? false);
    response.writeHead(303, ["Location", choice.address, "Set-Cookie", cookie, "Cache-Control", "no-store"]).end();
    return true;
  }

  #sendFile(request: IncomingMessage, response: ServerResponse, representation: PublicDocument): void {
    sendDocument(request, response, { representation, ageSeconds: undefined }, this.#options.counters);
  }

  /** Answers a request later. @param answer its errors are answered as pages */
  #answerLater(request: IncomingMessage, response: ServerResponse, route: string, answer: () => Promise<void>): void {
    noteRoute(response, route);
    void traceRequest(response, route, async () => {
      deferAnswer(response);
      try {
        await answer();
      } catch (error) {
        if (!response.destroyed) this.#refuse(request, response, toPublicError(error, this.#options.logger));
      }
    });
  }

  /** @param name of a sale's page, or of the allocations, the rules or an image below it */
  async #answer(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const [, listName, ending] = ALLOCATIONS.exec(name) ?? [];
    if (listName !== undefined) {
      const sale = { saleUuid: parseSaleUuid(listName), language: requestLanguage(request) };
      const pages = this.#allocations;
      return ending === undefined ? pages.sendPage(request, response, sale) : pages.sendFile(request, response, sale);
    }
    const document = await this.#readNamed(name, requestLanguage(request));
    if (!response.destroyed) sendDocument(request, response, document, this.#options.counters);
  }

  #readNamed(name: string, language: Language): Promise<AgedDocument> {
    const [, rulesOf] = RULES.exec(name) ?? [];
    if (rulesOf !== undefined) return this.#rules.read({ saleUuid: parseSaleUuid(rulesOf), language });
    const [, saleName = name, chart] = IMAGE.exec(name) ?? [];
    const requested = { saleUuid: parseSaleUuid(saleName), language };
    return saleName === name ? this.#readPage(requested) : this.#readImage(requested, chart);
  }

  /** Returns a sale's page; that of a sale without figures says what else is known of it. */
  #readPage(requested: RequestedPage): Promise<AgedDocument> {
    return this.#read(requested).catch((error: unknown) => {
      if (error instanceof UnreadSale) return this.#readUnread(requested, error);
      throw error;
    });
  }

  async #readUnread({ saleUuid, language }: RequestedPage, { summary, feedState }: UnreadSale): Promise<AgedDocument> {
    const { cache, saleFields, now: clock, wallClock } = this.#options;
    await saleFields.ready(saleUuid);
    const factsJson = saleFields.of(saleUuid, { sale: summary, state: feedState })?.json;
    const now = clock();
    const source = shownSource({ sale: summary, state: feedState, knownAt: now, confirmedAt: now }, now, cache);
    const page = { saleUuid, language, summary, factsJson, source, api: this.#apiOf(saleUuid), now: wallClock() };
    const bytes = unreadPage(page);
    const document = new PublicDocument(digestEtag(bytes), bytes, UNREAD_CACHE_CONTROL, HTML[language]);
    return { representation: document, ageSeconds: undefined };
  }

  /** Returns the path of a sale's public read. */
  #apiOf(saleUuid: string): string {
    return `/${this.#options.pathPrefix}/v1/public/sales/${saleUuid}`;
  }

  async #answerForm(request: IncomingMessage, response: ServerResponse, { name, entry }: SentForm): Promise<void> {
    const saleUuid = parseSaleUuid(name);
    const { representation } = await this.#options.cache.read(saleUuid);
    const requested = { saleUuid, language: requestLanguage(request) };
    const page = this.#page(requested, await this.#stateOf(saleUuid, representation));
    const answered = await answerLookUp(this.#options, page.lookUpSale, entry, request, this.#options.wallClock());
    if (!response.destroyed) this.#sendLookUp(request, response, { page, answered });
  }

  #sendLookUp(request: IncomingMessage, response: ServerResponse, { page, answered }: AnsweredForm): void {
    const { status, answer, retryAfter } = answered;
    const bytes = withSection(page, String(lookUpSection(page.lookUpSale, answer)));
    const document = new PublicDocument(
      digestEtag(bytes),
      bytes,
      WALLET_CACHE_CONTROL,
      WALLET_HTML[page.lookUpSale.language],
    );
    if (status === 200) sendQueriedDocument(request, response, document);
    else {
      const waits = retryAfter === undefined ? [] : ["Retry-After", retryAfter];
      response.writeHead(status, [...document.identity.headers, ...waits]).end(bytes);
    }
  }

  async #read(requested: RequestedPage): Promise<AgedDocument> {
    const { cache } = this.#options;
    const { representation, ageSeconds } = await cache.read(requested.saleUuid);
    const page = this.#page(requested, await this.#stateOf(requested.saleUuid, representation));
    return { representation: page.document, ageSeconds };
  }

  /** @param chart undefined for the image for other sites */
  #readImage(requested: RequestedPage, chart: string | undefined): Promise<AgedDocument> {
    return chart === undefined
      ? this.#images.read(requested.saleUuid)
      : this.#charts.read({ ...requested, name: chart as ChartName });
  }

  /** Returns the state that a page shows, which is more than the sale's body; of a later body where one has come since the read. */
  async #stateOf(saleUuid: string, read: Representation): Promise<PageState> {
    const { cache, saleFields, saleRules, now } = this.#options;
    // Asked for first, they often are there once the fields are. The page doesn't wait for them.
    saleRules.get(saleUuid);
    await saleFields.ready(saleUuid);
    const observation = cache.feed(saleUuid);
    const representation = observation?.representation ?? read;
    const factsJson = saleFields.of(saleUuid, { sale: representation.sale, state: observation?.state })?.json;
    const hasRules = saleRules.get(saleUuid) !== undefined;
    return { representation, factsJson, source: shownSource(observation, now(), cache), hasRules };
  }

  #page(requested: RequestedPage, state: PageState): HeldPage {
    const key = `${requested.language} ${requested.saleUuid}`;
    const held = this.#pages.get(key);
    const now = this.#options.now();
    const ageMs = held === undefined ? Number.POSITIVE_INFINITY : now - held.madeAt;
    const isNew = held && ageMs < PAGE_INTERVAL_MS && isAtSameStage(held, state);
    const isGood = isNew || (held && ageMs < LONGEST_HELD_MS && isSame(held, state));
    if (isGood) return held;
    const page = { ...state, madeAt: now, ...inLanguage(requested.language, () => this.#write(requested, state)) };
    this.#pages.set(key, page);
    return page;
  }

  #write(requested: RequestedPage, { representation, factsJson, source, hasRules }: PageState) {
    const { saleUuid, language } = requested;
    const { origin, wallClock } = this.#options;
    const api = this.#apiOf(saleUuid);
    const { identity, sale } = representation;
    const view = saleView({ identity, sale, factsJson, source, now: wallClock() });
    const lookUpSale = this.#lookUpSale(requested, representation, view);
    const { readPath } = lookUpSale;
    const lookUp = lookUpSection(lookUpSale);
    const bytes = saleDocument(view, { saleUuid, language, api, origin, readPath, lookUp, hasRules });
    return { document: new PublicDocument(digestEtag(bytes), bytes, CACHE_CONTROL, HTML[language]), lookUpSale };
  }

  #lookUpSale(requested: RequestedPage, { sale }: Representation, { units, facts, perToken }: SaleView): LookUpSale {
    const { readPosition: readPath } = publicPaths(this.#options.pathPrefix);
    const positionStyles = saleFilePath("later.css");
    return { ...requested, readPath, walletKind: walletKindOf(sale), units, facts, perToken, positionStyles };
  }

  /** @param allow the methods that the page answers */
  #refuseMethod(request: IncomingMessage, response: ServerResponse, allow: string): void {
    const error = new PublicError("unimplemented", `This page answers ${allow} only.`);
    this.#refuse(request, response, error, ["Allow", allow]);
  }

  #refuse(
    request: IncomingMessage,
    response: ServerResponse,
    error: PublicError,
    headers: readonly string[] = [],
  ): void {
    this.#options.counters.errors[error.code]++;
    const language = requestLanguage(request);
    const { status, body } = errorPage(error, language, isRead(request) ? pathOf(request) : undefined);
    response.writeHead(status, [
      "Content-Type",
      HTML[language].mediaType,
      "Content-Length",
      String(body.length),
      "Cache-Control",
      "no-store",
      ...HTML[language].headers,
      ...(status === 503 ? ["Retry-After", RETRY_AFTER_SECONDS] : []),
      ...headers,
    ]);
    response.end(request.method === "HEAD" ? undefined : body);
  }
}

/** Returns a page about no sale, which stays the same while the process runs. */
function fixedPage(bytes: Buffer, kind: DocumentKind): PublicDocument {
  return new PublicDocument(digestEtag(bytes), bytes, FIXED_CACHE_CONTROL, kind);
}

function isSame(one: PageState, other: PageState): boolean {
  const isSameSale = one.representation === other.representation && one.factsJson === other.factsJson;
  return isSameSale && one.hasRules === other.hasRules && isDeepStrictEqual(one.source, other.source);
}

/** Whether two states are of one status and stage. Those change seldom, and a page that is open leads to the next one at once. */
function isAtSameStage({ representation: one }: PageState, { representation: other }: PageState): boolean {
  return one.sale?.status === other.sale?.status && one.sale?.stage === other.sale?.stage;
}

function pathOf({ url = "" }: IncomingMessage): string {
  const [path = ""] = url.split("?");
  return path;
}

function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** Returns a sale's page with another section that looks up a wallet, in place of the empty one. */
function withSection({ document, lookUpSale }: HeldPage, section: string): Buffer {
  const { bytes } = document.identity;
  const empty = Buffer.from(String(lookUpSection(lookUpSale)));
  // Founders' texts are escaped, so none of them looks like the section.
  const at = bytes.indexOf(empty);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(section), bytes.subarray(at + empty.length)]);
}
