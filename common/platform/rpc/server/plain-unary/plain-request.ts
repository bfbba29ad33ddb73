import type { IncomingMessage } from "node:http";
import type { NodeRequest } from "../universal-request.ts";

const LENGTH = /^\d{1,15}$/;
const TIMEOUT = /^\d{1,10}$/;

/**
 * Whether a request is a unary call as our own clients send it: by the Connect protocol over HTTP/1.1, in Protobuf's binary format,
 * and nothing compressed. Any other is Connect's to answer or to refuse.
 */
export function isPlainRequest(request: NodeRequest, maxBytes: number): request is IncomingMessage {
  const { headers, httpVersion, method } = request;
  return (
    httpVersion === "1.1" &&
    method === "POST" &&
    headers["content-type"] === "application/proto" &&
    isIdentity(headers["content-encoding"]) &&
    isIdentity(headers["accept-encoding"]) &&
    isHost(headers.host) &&
    isTimeout(headers["connect-timeout-ms"]) &&
    hasBody(headers, maxBytes)
  );
}

/** Whether a header of encodings lets nothing be compressed. */
function isIdentity(encodings: string | string[] | undefined): boolean {
  return encodings === undefined || encodings === "identity";
}

function isHost(host: string | undefined): boolean {
  return host !== undefined && URL.canParse(`http://${host}`);
}

function isTimeout(timeout: string | string[] | undefined): boolean {
  return timeout === undefined || (typeof timeout === "string" && TIMEOUT.test(timeout));
}

/** Whether a body comes, in chunks or with a length that is within the bound. */
function hasBody(headers: IncomingMessage["headers"], maxBytes: number): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  if (length === undefined) return encoding === "chunked";
  return encoding === undefined && LENGTH.test(length) && Number(length) <= maxBytes;
}
