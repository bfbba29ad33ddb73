import type { IncomingMessage } from "node:http";
import type { NodeRequest } from "../universal-request.ts";

const DIGITS = /^\d{1,15}$/;
const TIMEOUT = /^\d{1,10}$/;

/**
 * Whether a request is a unary call as our own clients send it: by the Connect protocol over HTTP/1.1, in Protobuf's binary format,
 * its length known and within bounds, and nothing compressed. Any other is Connect's to answer or to refuse.
 */
export function isPlainRequest(request: NodeRequest, maxBytes: number): request is IncomingMessage {
  const { headers, httpVersion, method } = request;
  const length = headers["content-length"] ?? "";
  const timeout = headers["connect-timeout-ms"] ?? "0";
  return (
    httpVersion === "1.1" &&
    method === "POST" &&
    headers["content-type"] === "application/proto" &&
    isIdentity(headers["content-encoding"]) &&
    isIdentity(headers["accept-encoding"]) &&
    headers.host !== undefined &&
    DIGITS.test(length) &&
    Number(length) <= maxBytes &&
    typeof timeout === "string" &&
    TIMEOUT.test(timeout)
  );
}

/** Whether a header of encodings lets nothing be compressed. */
function isIdentity(encodings: string | string[] | undefined): boolean {
  return encodings === undefined || encodings === "identity";
}
