import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../../services/shared/log/log.ts";
import type { GatewayCounters } from "../web/http/counters.ts";
import { deferAnswer } from "../web/http/deferred-answer.ts";
import { refuseEarly } from "../web/http/early-refusal.ts";
import { PublicError, sendError } from "../web/http/public-error.ts";
import { PREFLIGHT_HEADERS } from "../web/http/public-headers.ts";
import { receiveBody } from "../web/http/request-body.ts";
import type { OtherRequests } from "../web/http/request-owners.ts";
import { traceRequest } from "../web/http/request-trace.ts";
import { sendReading } from "../web/http/send-document.ts";
import { toldError } from "../web/http/to-public-error.ts";
import type { CommitmentCache } from "./cache/commitment-cache.ts";
import type { Representation } from "./cache/representation.ts";
import { findResource, type PublicPaths, publicPaths, type SaleExtraKind } from "./public-paths.ts";
import { bodyTooLarge, headerError, parseReadRequest, parseSaleUuid, peekSaleUuid } from "./read-request.ts";
import type { SaleExtras } from "./sale-extras.ts";

export interface PublicReadOptions {
  /** First segment of the paths. */
  readonly pathPrefix: string;
  /** Bound of a request's body. */
  readonly maxRequestBytes: number;
  readonly cache: CommitmentCache;
  readonly extras: SaleExtras;
  readonly counters: GatewayCounters;
  readonly logger: Logger;
  /** Where public reads are served, and before `others`. */
  readonly pages?: OtherRequests;
  /** Takes requests for other paths; without it there are none. */
  readonly others?: OtherRequests;
}

/**
 * The public read of a sale's commitment data, as `POST` with the UUID in the body and as `GET` and `HEAD` with the
 * UUID in the path, with what there is beside it. A sale held in memory is answered in the turn in which its request was read, without promise,
 * log line or metrics call. Any other path is for `others`, or `not_found`.
 */
export class PublicRead {
  readonly #options: PublicReadOptions;
  readonly #cache: CommitmentCache;
  readonly #counters: GatewayCounters;
  readonly #paths: PublicPaths;

  constructor(options: PublicReadOptions) {
    this.#options = options;
    this.#cache = options.cache;
    this.#counters = options.counters;
    this.#paths = publicPaths(options.pathPrefix);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === this.#paths.read && request.method === "POST") this.#post(request, response);
    else this.#route(request, response);
  }

  /** Takes a request that isn't for the public read. */
  handleOther(request: IncomingMessage, response: ServerResponse): void {
    const { others } = this.#options;
    if (others?.owns(request)) others.handle(request, response);
    else this.#refuse(request, response, new PublicError("not_found", "There is nothing at this path."));
  }

  #route(request: IncomingMessage, response: ServerResponse): void {
    const { method } = request;
    const resource = findResource(this.#paths, request.url ?? "");
    if (resource === undefined) {
      const { pages } = this.#options;
      if (pages?.owns(request)) pages.handle(request, response);
      else this.handleOther(request, response);
    } else if (method === "OPTIONS") {
      response.writeHead(204, [...PREFLIGHT_HEADERS]).end();
    } else if (resource.kind === "read") {
      if (method === "POST") this.#post(request, response);
      else this.#refuse(request, response, wrongMethod("POST, OPTIONS"));
    } else if (method !== "GET" && method !== "HEAD") {
      this.#refuse(request, response, wrongMethod("GET, HEAD, OPTIONS"));
    } else if (resource.kind === "sale") this.#get(request, response, resource.saleUuid);
    else void this.#getExtra(request, response, resource.kind, resource.saleUuid);
  }

  #post(request: IncomingMessage, response: ServerResponse): void {
    const { maxRequestBytes } = this.#options;
    const error = headerError(request, maxRequestBytes);
    if (error !== undefined) {
      this.#refuse(request, response, error);
      return;
    }
    receiveBody(request, maxRequestBytes, (body) => {
      if (body === undefined) this.#refuse(request, response, bodyTooLarge(maxRequestBytes));
      else this.#answerPost(request, response, body);
    });
  }

  #answerPost(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const peeked = peekSaleUuid(body);
    // Only canonical UUIDs are held, so one that is found needs no check.
    const representation = peeked === undefined ? undefined : this.#cache.fresh(peeked);
    if (representation !== undefined) this.#hit(request, response, representation);
    else void this.#answerLater(request, response, () => parseReadRequest(body));
  }

  #get(request: IncomingMessage, response: ServerResponse, saleUuid: string): void {
    const representation = this.#cache.fresh(saleUuid);
    if (representation !== undefined) this.#hit(request, response, representation);
    else void this.#answerLater(request, response, () => parseSaleUuid(saleUuid));
  }

  #hit(request: IncomingMessage, response: ServerResponse, representation: Representation): void {
    this.#counters.hits++;
    sendReading(request, response, { representation, ageSeconds: undefined }, this.#counters);
  }

  async #getExtra(
    request: IncomingMessage,
    response: ServerResponse,
    kind: SaleExtraKind,
    saleUuid: string,
  ): Promise<void> {
    deferAnswer(response);
    try {
      await this.#options.extras.answer(request, response, kind, parseSaleUuid(saleUuid));
    } catch (error) {
      if (!response.destroyed) this.#sendError(response, toldError(error, this.#options.logger));
    }
  }

  async #answerLater(request: IncomingMessage, response: ServerResponse, parse: () => string): Promise<void> {
    deferAnswer(response);
    await traceRequest(request, response, "public read", () => this.#answerAsked(request, response, parse));
  }

  async #answerAsked(request: IncomingMessage, response: ServerResponse, parse: () => string): Promise<void> {
    try {
      const reading = await this.#cache.read(parse());
      if (response.destroyed) return;
      if (reading.ageSeconds === undefined) this.#counters.waited++;
      else this.#counters.stale++;
      sendReading(request, response, reading, this.#counters);
    } catch (error) {
      if (!response.destroyed) this.#sendError(response, toldError(error, this.#options.logger));
    }
  }

  #refuse(request: IncomingMessage, response: ServerResponse, error: PublicError): void {
    this.#counters.errors[error.code]++;
    refuseEarly(request, response, error);
  }

  #sendError(response: ServerResponse, error: PublicError): void {
    this.#counters.errors[error.code]++;
    sendError(response, error);
  }
}

function wrongMethod(allow: string): PublicError {
  return new PublicError("unimplemented", `This path answers ${allow} only.`, { headers: ["Allow", allow] });
}
