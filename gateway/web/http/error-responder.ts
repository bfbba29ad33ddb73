import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../../../common/platform/log/log.ts";
import type { GatewayCounters } from "./counters.ts";
import { deferAnswer } from "./deferred-answer.ts";
import type { RouteHandler } from "./dispatch.ts";
import { refuseEarly } from "./early-refusal.ts";
import { internalError, PublicError, sendError } from "./public-error.ts";
import { traceRequest } from "./request-trace.ts";

const NOT_FOUND = new PublicError("not_found", "There is nothing at this path.");
const AMBIGUOUS_PATH = new PublicError(
  "invalid_argument",
  "The path has a dot segment, a backslash, or an encoded dot, slash or backslash.",
);

/** Sends errors in the public shape, and counts them by code. */
export class ErrorResponder {
  readonly #errors: GatewayCounters["errors"];
  readonly #logger: Logger;

  constructor({ errors }: Pick<GatewayCounters, "errors">, logger: Logger) {
    this.#errors = errors;
    this.#logger = logger;
  }

  /** Answers a request for which there is no route. */
  readonly notFound: RouteHandler = (request, response) => this.refuse(request, response, NOT_FOUND);

  /** Answers a request whose path can be understood in two ways. */
  readonly ambiguousPath: RouteHandler = (request, response) => this.refuse(request, response, AMBIGUOUS_PATH);

  /** Sends an error before the request's body has been read. */
  refuse(request: IncomingMessage, response: ServerResponse, error: PublicError): void {
    this.#errors[error.code]++;
    refuseEarly(request, response, error);
  }

  /**
   * Runs `answer`, which may wait, as a trace (`traceRequest`), and sends the error that it throws; nothing where the reader
   * has gone.
   *
   * @returns the error that was sent
   */
  answerLater(response: ServerResponse, route: string, answer: () => Promise<void>): Promise<PublicError | undefined> {
    deferAnswer(response);
    return traceRequest(response, route, () => this.#answer(response, answer));
  }

  async #answer(response: ServerResponse, answer: () => Promise<void>): Promise<PublicError | undefined> {
    try {
      await answer();
      return undefined;
    } catch (thrown) {
      if (response.destroyed) return undefined;
      const error = toPublicError(thrown, this.#logger);
      this.#errors[error.code]++;
      sendError(response, error);
      return error;
    }
  }
}

/**
 * Returns the error to send for a thrown one. An unexpected error goes to the log under an ID that the answer shows.
 */
export function toPublicError(error: unknown, logger: Logger): PublicError {
  if (error instanceof PublicError) return error;
  const errorId = randomUUID();
  logger.error({ err: error, errorId }, "public request failed");
  return internalError(errorId);
}
