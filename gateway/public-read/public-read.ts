import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayCounters } from "../web/http/counters.ts";
import type { RouteHandler } from "../web/http/dispatch.ts";
import type { ErrorResponder } from "../web/http/error-responder.ts";
import type { PublicDocument } from "../web/http/public-document.ts";
import { unavailable } from "../web/http/public-error.ts";
import { parseSaleUuid } from "../web/http/sale-uuid.ts";
import { type AgedDocument, sendDocument } from "../web/http/send-document.ts";
import type { CommitmentCache } from "./cache/commitment-cache.ts";
import type { Representation } from "./cache/representation.ts";
import type { SaleFieldsCache } from "./cache/sale-fields.ts";
import { SaleInfo } from "./cache/sale-info.ts";
import { parseReadRequest, peekSaleUuid, receiveReadBody } from "./read-request.ts";
import type { SaleDocuments } from "./sale-documents.ts";

export interface PublicReadOptions {
  /** Bound of a request's body. */
  readonly maxRequestBytes: number;
  readonly cache: CommitmentCache;
  readonly documents: SaleDocuments;
  readonly saleFields: SaleFieldsCache;
  readonly counters: GatewayCounters;
  readonly errors: ErrorResponder;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** A read of a sale that is held. The UUIDs are in canonical form. */
interface SaleRead {
  /** Makes the document that answers from what is held; undefined where that isn't enough. */
  document(saleUuid: string, representation: Representation): PublicDocument | undefined;
  /** Waits for what the document needs besides the load of the sale. */
  ready?(saleUuid: string): Promise<void>;
}

const COMMITMENT_DATA: SaleRead = { document: (_, representation) => representation };

/** A read that waits for a load. */
interface LaterRead {
  /** Returns the sale's UUID. @throws PublicError `invalid_argument` */
  readonly parse: () => string;
  readonly read: SaleRead;
  readonly route: string;
  /** Time, by the monotonic clock, at which the whole request had been read. */
  readonly startedAt: number;
}

/**
 * Answers the public read of a sale: its commitment data and what it is, each as `POST` with the UUID in the body and as
 * `GET` with the UUID in the path, its history and its demand by price. What is in memory is sent in the event-loop tick in
 * which the request was read, without a promise, a log line or a call into metrics. Durations are counted from the whole
 * request on, so that a client's slow body doesn't count, until the answer is written; the first compression of a body
 * isn't included.
 */
export class PublicRead {
  readonly #options: PublicReadOptions;
  readonly #cache: CommitmentCache;
  readonly #counters: GatewayCounters;
  readonly #now: () => number;
  readonly #saleInfo: SaleInfo;

  constructor(options: PublicReadOptions) {
    this.#options = options;
    this.#cache = options.cache;
    this.#counters = options.counters;
    this.#now = options.now;
    this.#saleInfo = new SaleInfo(options.cache.unreachableAfterMs, options.saleFields);
  }

  readonly post: RouteHandler = (request, response, _, route) =>
    this.#receivePost(request, response, COMMITMENT_DATA, route);

  readonly get: RouteHandler = (request, response, saleUuid, route) =>
    this.#answerGet(request, response, saleUuid, COMMITMENT_DATA, route);

  readonly postSale: RouteHandler = (request, response, _, route) =>
    this.#receivePost(request, response, this.#saleRead, route);

  readonly getSale: RouteHandler = (request, response, saleUuid, route) =>
    this.#answerGet(request, response, saleUuid, this.#saleRead, route);

  readonly history: RouteHandler = (request, response, saleUuid, route) => {
    const { history } = this.#options.documents;
    this.#answerDocument(request, response, route, () => history.read(parseSaleUuid(saleUuid)));
  };

  readonly demand: RouteHandler = (request, response, saleUuid, route) => {
    const { demand } = this.#options.documents;
    this.#answerDocument(request, response, route, () => demand.read(parseSaleUuid(saleUuid)));
  };

  readonly #saleRead: SaleRead = {
    document: (saleUuid) => {
      const observation = this.#cache.feed(saleUuid);
      return observation && this.#saleInfo.document(saleUuid, observation, this.#now());
    },
    ready: (saleUuid) => this.#options.saleFields.ready(saleUuid),
  };

  #receivePost(request: IncomingMessage, response: ServerResponse, read: SaleRead, route: string): void {
    receiveReadBody(request, response, this.#options, (body) => this.#answerPost(request, response, body, read, route));
  }

  #answerPost(request: IncomingMessage, response: ServerResponse, body: Buffer, read: SaleRead, route: string): void {
    const startedAt = this.#now();
    const peeked = peekSaleUuid(body);
    // The cache holds canonical UUIDs only, so one that it finds needs no check.
    const document = peeked === undefined ? undefined : this.#held(peeked, read);
    if (document !== undefined) this.#answerFromMemory(request, response, document, startedAt);
    else this.#answerLater(request, response, { parse: () => parseReadRequest(body), read, route, startedAt });
  }

  #answerGet(
    request: IncomingMessage,
    response: ServerResponse,
    saleUuid: string,
    read: SaleRead,
    route: string,
  ): void {
    const startedAt = this.#now();
    const document = this.#held(saleUuid, read);
    if (document !== undefined) this.#answerFromMemory(request, response, document, startedAt);
    else this.#answerLater(request, response, { parse: () => parseSaleUuid(saleUuid), read, route, startedAt });
  }

  /** Returns the document of a sale that is held and current enough. A fault is left to the read that waits. */
  #held(saleUuid: string, read: SaleRead): PublicDocument | undefined {
    const representation = this.#cache.fresh(saleUuid);
    try {
      return representation && read.document(saleUuid, representation);
    } catch {
      return undefined;
    }
  }

  #answerFromMemory(
    request: IncomingMessage,
    response: ServerResponse,
    document: PublicDocument,
    startedAt: number,
  ): void {
    this.#counters.hits++;
    sendDocument(request, response, { representation: document, ageSeconds: undefined }, this.#counters);
    this.#counters.reads.ok.add(this.#now() - startedAt);
  }

  #answerLater(request: IncomingMessage, response: ServerResponse, { parse, read, route, startedAt }: LaterRead): void {
    const answer = async (): Promise<void> => {
      const saleUuid = parse();
      const { representation, ageSeconds } = await this.#cache.read(saleUuid);
      // After the read, so that only sales that exist are asked about.
      await read.ready?.(saleUuid);
      if (response.destroyed) return;
      const document = read.document(saleUuid, representation);
      if (document === undefined) throw unavailable("What this sale is can't be read at the moment.");
      if (ageSeconds === undefined) this.#counters.waited++;
      else this.#counters.stale++;
      sendDocument(request, response, { representation: document, ageSeconds }, this.#counters);
      this.#counters.reads.ok.add(this.#now() - startedAt);
    };
    void this.#options.errors.answerLater(response, route, answer).then((error) => {
      if (error !== undefined && error.status >= 500) this.#counters.reads.failed.add(this.#now() - startedAt);
    });
  }

  #answerDocument(
    request: IncomingMessage,
    response: ServerResponse,
    route: string,
    read: () => Promise<AgedDocument>,
  ): void {
    void this.#options.errors.answerLater(response, route, async () => {
      const document = await read();
      if (!response.destroyed) sendDocument(request, response, document, this.#counters);
    });
  }
}
