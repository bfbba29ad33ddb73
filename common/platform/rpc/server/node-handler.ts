import type { OutgoingHttpHeaders } from "node:http";
import { type ConnectRouter, type ConnectRouterOptions, createConnectRouter } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { universalResponseToNodeResponse } from "@connectrpc/connect-node";
import { outsideOfCalls } from "../../concurrency/call-signal.ts";
import type { Logger } from "../../log/log.ts";
import { boundLifetime } from "./answer-lifetime.ts";
import { boundDeadline, type DeadlineLimits } from "./deadline.ts";
import { discardBody } from "./discard-body.ts";
import { outgoingHeaders } from "./outgoing-headers.ts";
import { PlainUnary } from "./plain-unary/plain-unary.ts";
import { type NodeRequest, type NodeResponse, universalRequest } from "./universal-request.ts";

export interface NodeHandlerOptions {
  readonly routes: (router: ConnectRouter) => void;
  readonly router: ConnectRouterOptions;
  readonly unaryDeadline: DeadlineLimits;
  readonly streamDeadline: DeadlineLimits;
  readonly logger: Logger;
}

/** An error in Connect's JSON. */
const STARTING = JSON.stringify({ code: "unavailable", message: "the service is starting" });

/**
 * A listener for requests of `node:http` and `node:http2` that answers the RPCs of the routes, and 404 otherwise. We use
 * it instead of `connectNodeAdapter`; `docs/decisions.md` says why.
 */
export function createNodeHandler(options: NodeHandlerOptions): (request: NodeRequest, response: NodeResponse) => void {
  const router = createConnectRouter(options.router);
  const plainUnary = new PlainUnary(options.router, options.unaryDeadline);
  options.routes(plainUnary.routerBeside(router));
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  const listener = (request: NodeRequest, response: NodeResponse) => {
    const path = request.url?.split("?", 1)[0] ?? "";
    const handler = handlers.get(path);
    if (handler === undefined) return refuse(request, response, 404);
    const answered = plainUnary.answer(path, request, response) ?? answerByConnect(handler, request, response, options);
    answered.catch((error: unknown) => {
      options.logger.debug({ err: error, rpc_path: handler.requestPath }, "answer not sent");
      response.destroy();
    });
  };
  // On Deno a request can arrive in the context of another call, which may have ended.
  return (request, response) => outsideOfCalls(() => listener(request, response));
}

function refuse(request: NodeRequest, response: NodeResponse, status: number): void {
  void discardBody(request).then(() => {
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

async function answerByConnect(
  handler: UniversalHandler,
  request: NodeRequest,
  response: NodeResponse,
  { unaryDeadline, streamDeadline }: NodeHandlerOptions,
): Promise<void> {
  const call = universalRequest(request, response);
  if (call === undefined) return refuse(request, response, 400);
  const limits = handler.method.methodKind === "unary" ? unaryDeadline : streamDeadline;
  boundLifetime(response, boundDeadline(call.header, limits));
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

/** Sends the head and the whole body in one write. */
async function sendWhole({ status, header, body }: UniversalServerResponse, response: WholeAnswer): Promise<void> {
  const chunks: Uint8Array[] = [];
  if (body !== undefined) for await (const chunk of body) chunks.push(chunk);
  response.writeHead(status, outgoingHeaders(header));
  const [first] = chunks;
  response.end(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks));
}

/** Whether a handler may go on reading after its first answer, which all others give when they have read what they want. */
function readsWhileAnswering({ method }: UniversalHandler): boolean {
  return method.methodKind === "bidi_streaming";
}
