import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Readable } from "node:stream";
import { type ConnectRouter, type ConnectRouterOptions, createConnectRouter } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import type { Logger } from "../../log/log.ts";
import { boundDeadline, type DeadlineLimits } from "./deadline.ts";

export type NodeRequest = IncomingMessage | Http2ServerRequest;
export type NodeResponse = ServerResponse | Http2ServerResponse;

export interface NodeHandlerOptions {
  readonly routes: (router: ConnectRouter) => void;
  readonly router: ConnectRouterOptions;
  readonly unaryDeadline: DeadlineLimits;
  readonly streamDeadline: DeadlineLimits;
  readonly logger: Logger;
}

/** Past its deadline a call has this long to bring its answer to the client before it is cut off. */
const ANSWER_GRACE_MS = 10_000;
/** An error as Connect writes it. */
const STARTING = JSON.stringify({ code: "unavailable", message: "the service is starting" });
/** For how long the rest of a body that nobody wants is read before the answer goes out. */
const DISCARD_MS = 1_000;

/** A listener for requests of `node:http` and `node:http2` that answers the RPCs of the routes, and 404 otherwise. */
export function createNodeHandler(options: NodeHandlerOptions): (request: NodeRequest, response: NodeResponse) => void {
  const router = createConnectRouter(options.router);
  options.routes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return (request, response) => {
    const handler = handlers.get(request.url?.split("?", 1)[0] ?? "");
    if (handler === undefined) return refuse(request, response, 404);
    const call = universalRequest(request, response);
    if (call === undefined) return refuse(request, response, 400);
    const limits = handler.method.methodKind === "unary" ? options.unaryDeadline : options.streamDeadline;
    boundLifetime(response, boundDeadline(call.header, limits) + ANSWER_GRACE_MS);
    answer(handler, call, request, response).catch((error: unknown) => {
      options.logger.debug({ err: error, rpc_path: handler.requestPath }, "answer not sent");
      response.destroy();
    });
  };
}

/** Undefined for a request without a usable `Host`, at which the adapter throws. */
function universalRequest(request: NodeRequest, response: NodeResponse): UniversalServerRequest | undefined {
  try {
    // `null` keeps Connect from making an iterator of the body, which isn't used: V8 holds what a generator function made for one
    // call can see, here the call itself, until a full collection.
    const call = universalRequestFromNodeRequest(request, closeOfUnanswered(response), null as never, undefined);
    // By default a handler that stops reading early would destroy the connection, and the answer with it.
    const body: Readable = request;
    return { ...call, body: body.iterator({ destroyOnReturn: false }) };
  } catch {
    return undefined;
  }
}

/**
 * What Connect listens to with HTTP/1.1: at its `close` a call is aborted. One that has been answered needs no abort, whose error
 * alone is a fiftieth of a small call. Connect stops listening once it has aborted, when another abort changes nothing.
 */
function closeOfUnanswered(response: NodeResponse): NodeResponse {
  const once = (event: "close", listener: () => void) => {
    response.once(event, () => {
      if (!response.writableFinished) listener();
    });
  };
  return { once, off: () => {} } as unknown as NodeResponse;
}

function refuse(request: NodeRequest, response: NodeResponse, status: number): void {
  void discardBody(request).then(() => {
    response.statusCode = status;
    response.end();
  });
}

/** Before there are routes. For gRPC, too, the status means `unavailable`. */
export function refuseWhileStarting(request: NodeRequest, response: NodeResponse): void {
  void discardBody(request).then(() => {
    response.statusCode = 503;
    response.setHeader("content-type", "application/json");
    response.end(STARTING);
  });
}

/** Connect's deadline stops handlers; this stops peers that send or read too slowly. */
function boundLifetime(response: NodeResponse, lifetimeMs: number): void {
  const timer = setTimeout(() => response.destroy(), lifetimeMs);
  response.once("close", () => clearTimeout(timer));
}

async function answer(
  handler: UniversalHandler,
  call: UniversalServerRequest,
  request: NodeRequest,
  response: NodeResponse,
): Promise<void> {
  const result = await handler(call);
  if (!readsWhileAnswering(handler)) await discardBody(request);
  if (!request.complete && "shouldKeepAlive" in response) response.shouldKeepAlive = false;
  if (handler.method.methodKind === "unary" && result.trailer === undefined) await sendWhole(result, response);
  else await universalResponseToNodeResponse(result, response);
}

interface WholeAnswer {
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
  end(body: Uint8Array): unknown;
}

/** As the adapter does, but with the head and all of the body at once. No RPC has a header twice, as cookies would be. */
async function sendWhole({ status, header, body }: UniversalServerResponse, response: WholeAnswer): Promise<void> {
  const chunks: Uint8Array[] = [];
  if (body !== undefined) for await (const chunk of body) chunks.push(chunk);
  response.writeHead(status, Object.fromEntries(header ?? []));
  const [first] = chunks;
  response.end(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks));
}

function readsWhileAnswering({ method }: UniversalHandler): boolean {
  return method.methodKind === "bidi_streaming" || method.methodKind === "client_streaming";
}

/**
 * Clients send their whole body before they look at the answer: where they may finish although the call was refused,
 * the answer surely arrives and the connection stays usable.
 */
function discardBody(request: NodeRequest): Promise<void> {
  if (request.complete) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, DISCARD_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once("end", done).once("close", done).once("error", done).resume();
  });
}
