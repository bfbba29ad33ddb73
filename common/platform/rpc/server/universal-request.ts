import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { Readable } from "node:stream";
import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import { receiveBody } from "../../http/request-body.ts";
import { ALLOW_CONNECTION, allowConnectionOf } from "./first-call.ts";

export type NodeRequest = IncomingMessage | Http2ServerRequest;
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Codes of HTTP/2 streams that were reset, as gRPC maps them. All others mean that the client has gone. */
const CODE_OF_RESET: ReadonlyMap<number, Code> = new Map([
  [constants.NGHTTP2_PROTOCOL_ERROR, Code.Internal],
  [constants.NGHTTP2_INTERNAL_ERROR, Code.Internal],
  [constants.NGHTTP2_FLOW_CONTROL_ERROR, Code.Internal],
  [constants.NGHTTP2_SETTINGS_TIMEOUT, Code.Internal],
  [constants.NGHTTP2_FRAME_SIZE_ERROR, Code.Internal],
  [constants.NGHTTP2_COMPRESSION_ERROR, Code.Internal],
  [constants.NGHTTP2_CONNECT_ERROR, Code.Internal],
  [constants.NGHTTP2_REFUSED_STREAM, Code.Unavailable],
  [constants.NGHTTP2_ENHANCE_YOUR_CALM, Code.ResourceExhausted],
  [constants.NGHTTP2_INADEQUATE_SECURITY, Code.PermissionDenied],
  [constants.NGHTTP2_HTTP_1_1_REQUIRED, Code.PermissionDenied],
]);

/**
 * A request of `node:http` or `node:http2` for Connect's handlers. Undefined without a usable host.
 *
 * @param maxBodyBytes limit of the body of a request that is one message, as it is sent; undefined for a stream of messages
 */
export function universalRequest(
  request: NodeRequest,
  response: NodeResponse,
  maxBodyBytes: number | undefined,
): UniversalServerRequest | undefined {
  const url = urlOf(request);
  if (url === null) return undefined;
  const allowConnection = allowConnectionOf(request);
  return {
    httpVersion: request.httpVersion,
    method: request.method ?? "",
    url: url.href,
    header: headersOf(request),
    body: maxBodyBytes === undefined ? chunksOf(request) : wholeBody(request, maxBodyBytes),
    signal: signalOf(request, response),
    ...(allowConnection && { contextValues: createContextValues().set(ALLOW_CONNECTION, allowConnection) }),
  };
}

/**
 * Yields a body at once when it is complete. Nothing is read before it is asked for, which is after the call was let in.
 *
 * @throws ConnectError `resource_exhausted` where `BodyBuffer` refuses it
 */
async function* wholeBody(request: Readable, maxBytes: number): AsyncGenerator<Uint8Array> {
  const body = await new Promise<Uint8Array | undefined>((resolve, reject) => {
    receiveBody(request, maxBytes, resolve, reject);
  });
  if (body === undefined) {
    const problem = `the message is larger than ${maxBytes} bytes, or cut into many chunks of a few bytes`;
    throw new ConnectError(problem, Code.ResourceExhausted);
  }
  if (body.length > 0) yield body;
}

/** A handler that stops reading early must not destroy the connection, and the answer with it. */
function chunksOf(request: Readable): AsyncIterable<Uint8Array> {
  return request.iterator({ destroyOnReturn: false });
}

function urlOf(request: NodeRequest): URL | null {
  const host = "authority" in request ? request.authority : request.headers.host;
  const isSecure = "encrypted" in request.socket && request.socket.encrypted;
  return host === undefined ? null : URL.parse(request.url ?? "", `${isSecure ? "https" : "http"}://${host}`);
}

function headersOf(request: NodeRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // Names with a colon are HTTP/2's pseudo-headers.
    if (name.startsWith(":")) continue;
    if (typeof value === "string") headers.append(name, value);
    else for (const each of value ?? []) headers.append(name, each);
  }
  return headers;
}

/** A signal that is aborted when the client goes before it has the whole answer. */
function signalOf(request: NodeRequest, response: NodeResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    const resetCode = "stream" in request ? request.stream.rstCode : undefined;
    // An answered call needs no abort, whose error alone takes 2 % of the time of a small call.
    const isAnswered = "stream" in request ? response.writableEnded && !resetCode : response.writableFinished;
    if (isAnswered) return;
    const code = CODE_OF_RESET.get(resetCode ?? 0) ?? Code.Canceled;
    controller.abort(new ConnectError("the client has gone", code));
  });
  return controller.signal;
}
