import type { OutgoingHttpHeaders } from "node:http";
import { type ConnectRouter, type ConnectRouterOptions, createConnectRouter } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { universalResponseToNodeResponse } from "@connectrpc/connect-node";
import { Health } from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { outsideOfCalls } from "../../concurrency/call-signal.ts";
import { hasTooManyChunks } from "../../http/body-buffer.ts";
import type { Logger } from "../../log/log.ts";
import { boundDeadline, type DeadlineLimits } from "./deadline.ts";
import { MAX_HEALTH_BYTES } from "./health.ts";
import { type NodeRequest, type NodeResponse, universalRequest } from "./universal-request.ts";

export interface NodeHandlerOptions {
  readonly routes: (router: ConnectRouter) => void;
  readonly router: ConnectRouterOptions;
  readonly unaryDeadline: DeadlineLimits;
  readonly streamDeadline: DeadlineLimits;
  /** The time that `RpcServerOptions` names. 5 s by default. */
  readonly discardMs?: number;
  readonly logger: Logger;
}

/** Room for what a message needs besides its bytes: the frame around it, or a compression that makes a small one larger. */
const FRAME_BYTES = 1_024;
/** The time after its deadline in which a call may still send its answer, before it is cut off. */
const ANSWER_GRACE_MS = 10_000;
/** Default of `discardMs`. nginx lingers as long. */
const DISCARD_MS = 5_000;
/** An error in Connect's JSON. */
const STARTING = JSON.stringify({ code: "unavailable", message: "the service is starting" });

/**
 * A listener for requests of `node:http` and `node:http2` that hands the RPCs of the routes to Connect's handlers, and answers 404
 * otherwise. We use it instead of `connectNodeAdapter`; `docs/decisions.md` says why.
 */
export function createNodeHandler(options: NodeHandlerOptions): (request: NodeRequest, response: NodeResponse) => void {
  const router = createConnectRouter(options.router);
  options.routes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  const listener = (request: NodeRequest, response: NodeResponse) => {
    const handler = handlers.get(request.url?.split("?", 1)[0] ?? "");
    if (handler === undefined) return refuse(request, response, 404, options.discardMs);
    answer(handler, request, response, options).catch((error: unknown) => {
      options.logger.debug({ err: error, rpc_path: handler.requestPath }, "answer not sent");
      response.destroy();
    });
  };
  // On Deno the next request of a connection can arrive in the asynchronous context of another call, which may have ended.
  return (request, response) => outsideOfCalls(() => listener(request, response));
}

function refuse(request: NodeRequest, response: NodeResponse, status: number, discardMs?: number): void {
  void discardBody(request, discardMs).then(() => {
    response.statusCode = status;
    response.end();
  });
}

/** Answers a request that comes before there are routes. The status means `unavailable` for gRPC too. */
export function refuseWhileStarting(request: NodeRequest, response: NodeResponse): void {
  void discardBody(request).then(() => {
    response.statusCode = 503;
    response.setHeader("content-type", "application/json");
    response.end(STARTING);
  });
}

async function answer(
  handler: UniversalHandler,
  request: NodeRequest,
  response: NodeResponse,
  { router: { readMaxBytes = Number.POSITIVE_INFINITY }, unaryDeadline, streamDeadline, discardMs }: NodeHandlerOptions,
): Promise<void> {
  const call = universalRequest(request, response, maxBodyBytes(handler, readMaxBytes));
  if (call === undefined) return refuse(request, response, 400, discardMs);
  const limits = handler.method.methodKind === "unary" ? unaryDeadline : streamDeadline;
  boundLifetime(response, boundDeadline(call.header, limits));
  const result = await handler(call);
  if (!readsWhileAnswering(handler)) await discardBody(request, discardMs);
  if (!request.complete && "shouldKeepAlive" in response) response.shouldKeepAlive = false;
  if (handler.method.methodKind === "unary" && result.trailer === undefined) await sendWhole(result, response);
  else await universalResponseToNodeResponse(result, response);
}

/** The limit of a body that is one message; undefined for a stream of messages, whose handler bounds each. */
function maxBodyBytes({ method, service }: UniversalHandler, readMaxBytes: number): number | undefined {
  if (method.methodKind === "bidi_streaming" || method.methodKind === "client_streaming") return undefined;
  return FRAME_BYTES + (service.typeName === Health.typeName ? MAX_HEALTH_BYTES : readMaxBytes);
}

/** Whether a handler may go on reading after its first answer. All others have read what they need when they answer. */
function readsWhileAnswering({ method }: UniversalHandler): boolean {
  return method.methodKind === "bidi_streaming";
}

/** Cuts off clients that send or read too slowly: the deadline of a call, in milliseconds, stops only its handler. */
function boundLifetime(response: NodeResponse, timeoutMs: number): void {
  const timer = setTimeout(() => response.destroy(), timeoutMs + ANSWER_GRACE_MS);
  response.once("close", () => clearTimeout(timer));
}

/**
 * Reads the rest of a body. A client over HTTP/1.1 sends its whole body before it reads the answer: an answer that comes
 * before, with the end of the connection, would be lost. A sender of many small chunks may lose it.
 */
function discardBody(request: NodeRequest, discardMs = DISCARD_MS): Promise<void> {
  if (request.complete) return Promise.resolve();
  return new Promise((resolve) => {
    let [chunks, bytes] = [0, 0];
    const onData = (chunk: Uint8Array) => {
      chunks += 1;
      bytes += chunk.length;
      if (!hasTooManyChunks(chunks, bytes)) return;
      request.off("data", onData).pause();
      done();
    };
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(resolve, discardMs);
    request.once("end", done).once("close", done).once("error", done).on("data", onData).resume();
  });
}

interface WholeAnswer {
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
  end(body: Uint8Array): unknown;
}

/** Sends the head and the whole body in one write. */
async function sendWhole({ status, header, body }: UniversalServerResponse, response: WholeAnswer): Promise<void> {
  const chunks: Uint8Array[] = [];
  if (body !== undefined) for await (const chunk of body) chunks.push(chunk);
  response.writeHead(status, outgoingHeaders(header));
  const [first] = chunks;
  response.end(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks));
}

/** `Headers` joins the values of a repeated header by commas, except those of `set-cookie` (RFC 6265 section 3). */
function outgoingHeaders(headers = new Headers()): OutgoingHttpHeaders {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) };
}
