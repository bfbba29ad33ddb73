import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayCounters } from "../web/http/counters.ts";
import type { RouteHandler } from "../web/http/dispatch.ts";
import type { ErrorResponder } from "../web/http/error-responder.ts";
import { receiveBody } from "../web/http/request-body.ts";
import { traceRequest } from "../web/http/request-trace.ts";
import { parseSaleUuid } from "../web/http/sale-uuid.ts";
import { type AgedDocument, sendDocument } from "../web/http/send-document.ts";
import type { CommitmentCache } from "./cache/commitment-cache.ts";
import type { Representation } from "./cache/representation.ts";
import { bodyTooLarge, headerError, parseReadRequest, peekSaleUuid } from "./read-request.ts";
import type { SaleDocuments } from "./sale-documents.ts";

export interface PublicReadOptions {
  /** Bound of a request's body. */
  readonly maxRequestBytes: number;
  readonly cache: CommitmentCache;
  readonly documents: SaleDocuments;
  readonly counters: GatewayCounters;
  readonly errors: ErrorResponder;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/**
 * Answers the public read of a sale: its commitment data, as `POST` with the UUID in the body and as `GET` with the
 * UUID in the path, its history and its demand by price. Commitment data in memory are sent in the event-loop tick in
 * which the request was read, without a promise, a log line or a call into metrics. Durations are counted from the whole
 * request on, so that a client's slow body doesn't count, until the answer is written; the first compression of a body
 * isn't included.
 */
export class PublicRead {
  readonly #options: PublicReadOptions;
  readonly #cache: CommitmentCache;
  readonly #counters: GatewayCounters;
  readonly #now: () => number;

  constructor(options: PublicReadOptions) {
    this.#options = options;
    this.#cache = options.cache;
    this.#counters = options.counters;
    this.#now = options.now;
  }

  readonly post: RouteHandler = (request, response) => {
    const { maxRequestBytes, errors } = this.#options;
    const error = headerError(request, maxRequestBytes);
    if (error !== undefined) {
      errors.refuse(request, response, error);
      return;
    }
    receiveBody(request, maxRequestBytes, (body) => {
      if (body === undefined) errors.refuse(request, response, bodyTooLarge(maxRequestBytes));
      else this.#answerPost(request, response, body);
    });
  };

  readonly get: RouteHandler = (request, response, saleUuid) => {
    const startedAt = this.#now();
    const representation = this.#cache.fresh(saleUuid);
    if (representation !== undefined) this.#answerFromMemory(request, response, representation, startedAt);
    else this.#answerLater(request, response, () => parseSaleUuid(saleUuid), startedAt);
  };

  readonly history: RouteHandler = (request, response, saleUuid) => {
    this.#answerDocument(request, response, () => this.#options.documents.history.read(parseSaleUuid(saleUuid)));
  };

  readonly demand: RouteHandler = (request, response, saleUuid) => {
    this.#answerDocument(request, response, () => this.#options.documents.demand.read(parseSaleUuid(saleUuid)));
  };

  #answerPost(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const startedAt = this.#now();
    const peeked = peekSaleUuid(body);
    // The cache holds canonical UUIDs only, so one that it finds needs no check.
    const representation = peeked === undefined ? undefined : this.#cache.fresh(peeked);
    if (representation !== undefined) this.#answerFromMemory(request, response, representation, startedAt);
    else this.#answerLater(request, response, () => parseReadRequest(body), startedAt);
  }

  #answerFromMemory(
    request: IncomingMessage,
    response: ServerResponse,
    representation: Representation,
    startedAt: number,
  ): void {
    this.#counters.hits++;
    sendDocument(request, response, { representation, ageSeconds: undefined }, this.#counters);
    this.#counters.reads.ok.add(this.#now() - startedAt);
  }

  #answerLater(request: IncomingMessage, response: ServerResponse, parse: () => string, startedAt: number): void {
    const answer = async (): Promise<void> => {
      const read = await this.#cache.read(parse());
      if (response.destroyed) return;
      if (read.ageSeconds === undefined) this.#counters.waited++;
      else this.#counters.stale++;
      sendDocument(request, response, read, this.#counters);
      this.#counters.reads.ok.add(this.#now() - startedAt);
    };
    void traceRequest(request, response, "public read", async () => {
      const error = await this.#options.errors.answerLater(response, answer);
      if (error !== undefined && error.status >= 500) this.#counters.reads.failed.add(this.#now() - startedAt);
    });
  }

  #answerDocument(request: IncomingMessage, response: ServerResponse, read: () => Promise<AgedDocument>): void {
    void this.#options.errors.answerLater(response, async () => {
      const document = await read();
      if (!response.destroyed) sendDocument(request, response, document, this.#counters);
    });
  }
}
