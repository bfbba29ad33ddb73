import type { IncomingMessage, ServerResponse } from "node:http";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type { Logger } from "../../../common/platform/log/log.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { AddressLimits } from "../../web/http/address-limits.ts";
import type { GatewayCounters } from "../../web/http/counters.ts";
import type { RouteHandler } from "../../web/http/dispatch.ts";
import type { ErrorResponder } from "../../web/http/error-responder.ts";
import { digestEtag, PublicDocument } from "../../web/http/public-document.ts";
import { invalidField, type PublicError, tooMany, unavailable } from "../../web/http/public-error.ts";
import { sendQueriedDocument } from "../../web/http/send-document.ts";
import { upstreamError } from "../cache/upstream-error.ts";
import { receiveReadBody } from "../read-request.ts";
import { positionBody } from "./position-body.ts";
import { type PositionRequest, PUBLIC_FIELDS, parsePositionRequest } from "./position-request.ts";

export type PositionClient = Pick<Client<typeof CommitmentService>, "getPosition">;

/** Not stored: somebody's position is for the reader who has asked. */
const CACHE_CONTROL = "no-store";

export interface PositionReadOptions {
  readonly client: PositionClient;
  /** Bound of a request's body. */
  readonly maxRequestBytes: number;
  /** Look-ups under way at once. */
  readonly maxReads: number;
  /** The most for one address, or one IPv6 /64. */
  readonly maxReadsPerAddress: number;
  /** Returns the address that a request comes from. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Deadline of each call, in milliseconds. */
  readonly timeoutMs: number;
  readonly counters: Pick<GatewayCounters, "positions" | "positionFailures">;
  readonly errors: ErrorResponder;
  readonly logger: Logger;
}

/**
 * Answers what a wallet has committed to a sale. Each answer is one call of the commitments service; nothing is kept of it.
 * Only so many look-ups are under way at once, each until its answer is made: a client that doesn't take it keeps nobody else out.
 */
export class PositionRead {
  readonly #options: PositionReadOptions;
  readonly #limits: AddressLimits;

  constructor(options: PositionReadOptions) {
    this.#options = options;
    const { maxReads: max, maxReadsPerAddress: maxPerAddress } = options;
    this.#limits = new AddressLimits({ max, maxPerAddress, full, addressFull });
  }

  readonly post: RouteHandler = (request, response, _, route) => {
    receiveReadBody(request, response, this.#options, (body) => {
      void this.#options.errors.answerLater(response, route, () => this.#answer(request, response, body));
    });
  };

  async #answer(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const query = parsePositionRequest(body);
    if (response.destroyed) return;
    const document = await this.read(query, request);
    if (!response.destroyed) sendQueriedDocument(request, response, document);
  }

  /**
   * Looks a wallet up for a request, which counts until then.
   *
   * @throws PublicError: `resource_exhausted` where too many are being looked up
   */
  async read(query: PositionRequest, request: IncomingMessage): Promise<PublicDocument> {
    const leave = this.#limits.enter(this.#options.addressOf(request));
    const { counters } = this.#options;
    counters.positions++;
    try {
      return await this.#load(query);
    } catch (error) {
      const publicError = this.#publicError(error);
      if (publicError.status >= 500) counters.positionFailures++;
      throw publicError;
    } finally {
      leave();
    }
  }

  async #load(request: PositionRequest): Promise<PublicDocument> {
    const { client, timeoutMs } = this.#options;
    const bytes = positionBody(await client.getPosition(request, { timeoutMs }));
    return new PublicDocument(digestEtag(bytes), bytes, CACHE_CONTROL);
  }

  #publicError(error: unknown): PublicError {
    const violation = toServiceError(error)?.violations[0];
    if (violation !== undefined) {
      const { field, rule, message } = violation;
      return invalidField(PUBLIC_FIELDS.get(field) ?? field, rule, message);
    }
    // A commitments service of an older version.
    if (error instanceof ConnectError && error.code === Code.Unimplemented) {
      return unavailable("Wallets can't be looked up at the moment.");
    }
    return upstreamError(error, this.#options.logger);
  }
}

function full(): PublicError {
  return tooMany("Too many wallets are being looked up at the moment.");
}

function addressFull(): PublicError {
  return tooMany("Too many wallets are being looked up from this address.");
}
