import type { IncomingMessage, ServerResponse } from "node:http";
import { hasTooManyChunks } from "../../../common/platform/http/body-buffer.ts";
import { deferAnswer } from "./deferred-answer.ts";
import { type PublicError, sendError } from "./public-error.ts";

/** Length up to which a refused body is read and discarded, so that its sender can read the answer. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/**
 * Sends an error before the request's body has been read. A small body of declared length is discarded, and the
 * connection stays open. After any other body the connection is closed, but not at once (RFC 9112, section 9.6):
 * closing it on a client that still sends would reset it, and lose the answer. The server's request timeout bounds
 * the time.
 */
export function refuseEarly(request: IncomingMessage, response: ServerResponse, error: PublicError): void {
  if (request.complete || declaredLength(request) <= MAX_DISCARDED_BYTES) sendError(response, error);
  else sendErrorAndLinger(request, response, error);
}

/** Returns the length of the body by its headers; Infinity for a chunked one. */
export function declaredLength(request: IncomingMessage): number {
  if (request.headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(request.headers["content-length"] ?? 0);
}

function sendErrorAndLinger(request: IncomingMessage, response: ServerResponse, error: PublicError): void {
  deferAnswer(response);
  response.writeHead(error.status, [...error.headers, "Connection", "close"]);
  response.write(error.body);
  let [chunks, discarded] = [0, 0];
  request.on("data", (chunk: Buffer) => {
    chunks += 1;
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED_BYTES || hasTooManyChunks(chunks, discarded)) response.end();
  });
  request.on("end", () => response.end());
}
