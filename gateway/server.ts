import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { listen } from "../common/platform/http/listen.ts";
import { cutUnreadAnswers } from "../common/platform/http/unread-answers.ts";
import type { HttpConfig } from "./config.ts";
import { answerConnectionError, MISSING_HOST, UNKNOWN_EXPECTATION } from "./web/http/connection-error.ts";
import { ConnectionLimits } from "./web/http/connection-limits.ts";
import type { GatewayCounters } from "./web/http/counters.ts";
import { deferredAnswer, hadTooManyWaiting } from "./web/http/deferred-answer.ts";
import { refuseEarly } from "./web/http/early-refusal.ts";
import { type PublicError, unavailable } from "./web/http/public-error.ts";
import { requestPath } from "./web/http/request-path.ts";
import type { TrustedProxies } from "./web/http/trusted-proxies.ts";
import { closeConnection, WholeAnswer } from "./web/http/whole-answer.ts";

/** Longest interval between checks of the request timeouts: a timeout may be this late. */
const MAX_CHECKING_INTERVAL_MS = 1000;

const STARTING = unavailable("The service is starting.");
/** The same for OAuth's clients (RFC 6749 section 5.2). */
const OAUTH_STARTING = unavailable("The service is starting.", {
  body: { error: "temporarily_unavailable", error_description: "the service is starting" },
});

/** Interval at which idle connections are closed while the server stops. */
const IDLE_SWEEP_INTERVAL_MS = 50;

export interface HttpServerOptions {
  readonly host: string;
  /** `GATEWAY_PORT`; 0: any free port. */
  readonly port: number;
  readonly config: HttpConfig;
  readonly trustedProxies: TrustedProxies;
  readonly counters: GatewayCounters;
  /** Called first with each request; see `createAccessLog`. */
  readonly accessLog?: RequestListener | undefined;
  /**
   * Aborted when the process begins to stop, while the server still accepts: each answer from then on closes its
   * connection.
   */
  readonly stopping?: AbortSignal;
}

export interface HttpServer {
  readonly port: number;
  /** Sets the handler of requests. Before that they are answered by 503. */
  serve(handler: RequestListener): void;
  /**
   * Accepts no more connections, lets requests under way finish, and closes the remaining connections at the
   * deadline.
   */
  close(deadline: AbortSignal): Promise<void>;
}

/**
 * Opens the gateway's port with an HTTP/1.1 server that is bounded in time, bytes and connections.
 *
 * @throws ConfigError where the address can't be listened on
 */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { config, trustedProxies, counters, accessLog, stopping } = options;
  let isClosing = false;
  stopping?.addEventListener("abort", () => {
    isClosing = true;
  });
  const refuse = (request: IncomingMessage, response: ServerResponse, error: PublicError): void => {
    counters.errors[error.code]++;
    refuseEarly(request, response, error);
  };
  const limits = new ConnectionLimits({ maxPerAddress: config.maxPerAddress, trustedProxies, counters });
  let handler: RequestListener = (request, response) => refuse(request, response, startingError(request));
  const server = createServer(nodeOptions(config), (request, response) => {
    // The parser goes on with what had arrived before the connection was closed.
    if (request.socket.destroyed) return;
    accessLog?.(request, response);
    if (isClosing) response.setHeader("Connection", "close");
    if (request.headers.host === undefined && request.httpVersion === "1.1") refuse(request, response, MISSING_HOST);
    else limits.handle(request, response, handler, refuse);
  });
  server.on("connection", (socket) => limits.accept(socket));
  const closeSilent = (socket: Socket): void => {
    if (deferredAnswer(socket) !== undefined) counters.cutAnswers.silent++;
    closeConnection(socket);
  };
  cutUnreadAnswers(server, config.writeTimeoutMs, { onCut: () => counters.cutAnswers.unread++, close: closeSilent });
  server.on("checkExpectation", (request, response) => refuse(request, response, UNKNOWN_EXPECTATION));
  const sockets = trackSockets(server, counters);
  server.maxConnections = config.maxConnections;
  server.timeout = config.socketTimeoutMs;
  server.on("clientError", (error, socket) => answerConnectionError(error, socket, counters));
  server.on("drop", () => counters.droppedConnections++);
  const { port } = await listen(server, { host: options.host, port: options.port, variable: "GATEWAY_PORT" });
  const close = (deadline: AbortSignal): Promise<void> => {
    isClosing = true;
    return closeGracefully(server, sockets, deadline);
  };
  const serve = (own: RequestListener): void => {
    handler = own;
  };
  return { port, serve, close };
}

function startingError({ url = "" }: IncomingMessage): PublicError {
  return requestPath(url).startsWith("/oauth/") ? OAUTH_STARTING : STARTING;
}

function nodeOptions(config: HttpConfig) {
  const { headersTimeoutMs, requestTimeoutMs } = config;
  return {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: config.keepAliveMs,
    maxHeaderSize: config.maxHeaderBytes,
    ServerResponse: WholeAnswer,
    // Node's own answer to a missing Host has no body.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(MAX_CHECKING_INTERVAL_MS, headersTimeoutMs),
  };
}

function trackSockets(server: Server, { cutAnswers }: GatewayCounters): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    // `once` would keep a wrapper for each open stream.
    socket.on("close", () => {
      sockets.delete(socket);
      if (hadTooManyWaiting(socket)) cutAnswers.too_many_waiting++;
    });
  });
  return sockets;
}

async function closeGracefully(server: Server, sockets: ReadonlySet<Socket>, deadline: AbortSignal): Promise<void> {
  const closed = once(server, "close");
  // The close of node:http would at once destroy every connection whose answer is written, even if not yet sent.
  NetServer.prototype.close.call(server);
  const sweep = setInterval(() => closeIdle(server, sockets), IDLE_SWEEP_INTERVAL_MS);
  // node:http no longer knows those whose parser was released.
  const closeAll = (): void => {
    for (const socket of sockets) closeConnection(socket);
  };
  deadline.addEventListener("abort", closeAll, { once: true });
  if (deadline.aborted) closeAll();
  await closed;
  clearInterval(sweep);
  deadline.removeEventListener("abort", closeAll);
}

function closeIdle(server: Server, sockets: ReadonlySet<Socket>): void {
  const isSending = Array.from(sockets).some((socket) => socket.writableLength > 0);
  if (!isSending) server.closeIdleConnections();
}
