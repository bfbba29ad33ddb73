import type { Duplex } from "node:stream";
import type { GatewayCounters } from "./counters.ts";
import { deferredAnswer } from "./deferred-answer.ts";
import { PublicError } from "./public-error.ts";

type ConnectionCounters = Pick<GatewayCounters, "errors" | "cutAnswers">;

const reported = new WeakSet<Duplex>();

/**
 * Answers a connection on which no request could be read (`clientError` of `node:http`) with a public error, counts
 * the error, and closes the connection. An answer under way on the connection goes first, unless the error is in the body of its
 * request; if it is half written, the connection is cut without another answer.
 */
export function answerConnectionError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  counters: ConnectionCounters,
): void {
  if (reported.has(socket)) return;
  reported.add(socket);
  const answer = (): void => endWith(socket, describe(error.code), counters);
  const deferred = deferredAnswer(socket);
  if (deferred === undefined) answer();
  else if (deferred.headersSent) cut(socket, counters);
  else if (deferred.req.complete) deferred.once("finish", answer);
  // The error lies in the body of that request, for which its own answer may wait. With no socket, earlier answers are due still.
  else if (deferred.socket === null) cut(socket, counters);
  else answer();
}

/** Closes a connection with the answers due on it; counts it unless the client itself has closed it. */
function cut(socket: Duplex, { cutAnswers }: ConnectionCounters): void {
  if (socket.writable) cutAnswers.bad_request++;
  socket.destroy();
}

function describe(code: string | undefined): PublicError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new PublicError("invalid_argument", "The request's headers are too large.", { status: 431 });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new PublicError("deadline_exceeded", "The request took too long to arrive.", { status: 408 });
    default:
      return new PublicError("invalid_argument", "This is no valid HTTP request.");
  }
}

function endWith(socket: Duplex, error: PublicError, { errors }: ConnectionCounters): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  errors[error.code]++;
  const lines = [`HTTP/1.1 ${error.status} ${REASON[error.status] ?? "Error"}`, "Connection: close"];
  for (let i = 0; i < error.headers.length; i += 2) lines.push(`${error.headers[i]}: ${error.headers[i + 1]}`);
  socket.end(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), error.body]), () => socket.destroy());
}

const REASON: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

/** Answer to a request of HTTP/1.1 without `Host` (RFC 9112, section 3.2). */
export const MISSING_HOST = new PublicError("invalid_argument", "A request of HTTP/1.1 must have a Host header.");

/** Answer to an `Expect` other than `100-continue` (RFC 9110, section 10.1.1). */
export const UNKNOWN_EXPECTATION = new PublicError("invalid_argument", "The only expectation met is 100-continue.", {
  status: 417,
});
