import { createServer as createHttp1Server, type Server as Http1Server } from "node:http";
import { createServer as createHttp2Server, type Http2Server } from "node:http2";
import { createServer as createNetServer, type Server as NetServer, type Socket } from "node:net";
import { httpOrigin } from "../../http/http-origin.ts";
import { type ListenAddress, listen } from "../../http/listen.ts";
import type { Logger } from "../../log/log.ts";
import type { RpcTls } from "../identity/rpc-tls.ts";
import { Connections } from "./connections.ts";
import { refuseWhileStarting } from "./node-handler.ts";
import { detectHttpVersion, type HttpVersion } from "./protocol-detection.ts";
import { createTlsListener } from "./tls-listener.ts";
import type { NodeRequest, NodeResponse } from "./universal-request.ts";

/** Bounds on connections; times in milliseconds. */
export interface ConnectionLimits {
  /** The most open connections. More are closed at once. 1,024 by default. */
  readonly maxConnections: number;
  /** The most calls at once on one HTTP/2 connection. 128 by default. */
  readonly maxStreamsPerConnection: number;
  /** Time from accepting a connection to its first bytes, and from there to the end of a request's headers. 10 s by default. */
  readonly headersTimeoutMs: number;
  /** Time from the first byte of an HTTP/1.1 request to the end of its body. 60 s by default. */
  readonly requestTimeoutMs: number;
  /** Time from accepting a connection to its first call that is allowed, which one of the health service isn't. 10 s by default. */
  readonly firstCallTimeoutMs: number;
  /** Time without a request before a connection is closed. 65 s by default, more than the 60 s of common load balancers. */
  readonly idleTimeoutMs: number;
}

/** How often the time-outs are checked: one is a quarter late at most. */
const CHECKS_A_TIMEOUT = 4;

const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  maxConnections: 1_024,
  maxStreamsPerConnection: 128,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  firstCallTimeoutMs: 10_000,
  idleTimeoutMs: 65_000,
};

export type RequestListener = (request: NodeRequest, response: NodeResponse) => void;

export interface HttpListener {
  readonly port: number;
  readonly url: string;
  /** Serves requests with `onRequest`. Before, calls are refused as `unavailable`. */
  serve(onRequest: RequestListener): void;
  /** Stops accepting connections, closes idle ones, and resolves when the last request is answered. */
  close(): Promise<void>;
  /** Closes all connections at once. */
  destroy(): void;
}

export interface HttpListenerOptions extends ListenAddress {
  readonly logger: Logger;
  /** Undefined for a port without TLS. */
  readonly tls?: RpcTls | undefined;
  /** Aborted before `close`. From then on each answer over HTTP/1.1 is the last on its connection. */
  readonly stopping?: AbortSignal | undefined;
  readonly limits?: Partial<ConnectionLimits>;
}

/** Accepts connections and detects their HTTP version. */
interface VersionListener {
  readonly server: NetServer;
  /** Closes connections whose version isn't known yet, at once. */
  close(): void;
}

const MAX_HEADER_BYTES = 16 * 1_024;

/**
 * Opens one port for HTTP/1.1 and HTTP/2, which is chosen by ALPN with TLS and by prior knowledge without.
 *
 * @throws what `listen` throws if it can't listen on the address
 */
export async function openHttpListener(options: HttpListenerOptions): Promise<HttpListener> {
  const limits = { ...DEFAULT_CONNECTION_LIMITS, ...options.limits };
  let serving: RequestListener = refuseWhileStarting;
  const onRequest: RequestListener = (request, response) => serving(request, response);
  const connections = new Connections(limits.firstCallTimeoutMs);
  const http1 = http1Server(limits, connections, onRequest);
  const http2 = http2Server(limits, connections, onRequest);
  const { tls, stopping } = options;
  stopping?.addEventListener("abort", () => connections.announceEnd());
  const onHttp = (socket: Socket, version: HttpVersion) => (version === "2" ? http2 : http1).emit("connection", socket);
  const listener =
    tls === undefined
      ? unencryptedListener(limits, connections, onHttp)
      : tlsListener({ ...options, tls }, limits, connections, onHttp);
  const { server } = listener;
  // Deno closes each connection after one answer if its server doesn't seem to listen.
  Object.defineProperty(http1, "listening", { get: () => server.listening });
  const { port } = await listen(server, options);
  return {
    port,
    url: httpOrigin(options.host, port, tls === undefined ? "http" : "https"),
    serve: (onServed) => {
      serving = onServed;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        http1.close();
        connections.drain();
        listener.close();
      }),
    destroy: () => connections.destroy(),
  };
}

type OnHttp = (socket: Socket, version: HttpVersion) => void;

function unencryptedListener(limits: ConnectionLimits, connections: Connections, onHttp: OnHttp): VersionListener {
  const server = createNetServer({ noDelay: true }, (socket) => {
    // Not with the server's `maxConnections`: Deno may leave the excess connections open.
    if (connections.size >= limits.maxConnections) return void socket.destroy();
    connections.addSocket(socket);
    detectHttpVersion(socket, limits.headersTimeoutMs, (version) => {
      if (version === "2") connections.releaseSocket(socket);
      onHttp(socket, version);
    });
  });
  // `connections` closes these too: they count as idle.
  return { server, close: () => {} };
}

function tlsListener(
  options: HttpListenerOptions & { readonly tls: RpcTls },
  limits: ConnectionLimits,
  connections: Connections,
  onHttp: OnHttp,
): VersionListener {
  return createTlsListener({
    ...options,
    handshakeTimeoutMs: limits.headersTimeoutMs,
    isFull: (handshakes) => connections.size + handshakes >= limits.maxConnections,
    onSecure: (socket) => {
      if (connections.draining) return void socket.destroy();
      const version = socket.alpnProtocol === "h2" ? "2" : "1.1";
      if (version === "1.1") connections.addSocket(socket);
      onHttp(socket, version);
    },
  });
}

function http1Server(limits: ConnectionLimits, connections: Connections, onRequest: RequestListener): Http1Server {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: Math.ceil(limits.headersTimeoutMs / CHECKS_A_TIMEOUT),
  };
  const server = createHttp1Server(options, (request, response) => {
    const { socket } = request;
    connections.beginRequest(socket);
    response.once("close", () => connections.endRequest(socket));
    if (connections.ending) response.shouldKeepAlive = false;
    onRequest(request, response);
  });
  // Node enforces the time-outs after this event, which a server that doesn't listen itself never emits.
  server.emit("listening");
  return server;
}

function http2Server(limits: ConnectionLimits, connections: Connections, onRequest: RequestListener): Http2Server {
  const settings = { maxConcurrentStreams: limits.maxStreamsPerConnection, maxHeaderListSize: MAX_HEADER_BYTES };
  const server = createHttp2Server({ settings }, onRequest);
  server.on("session", (session) => {
    connections.addSession(session);
    session.setTimeout(limits.idleTimeoutMs, () => session.close());
    session.on("error", () => session.destroy());
  });
  return server;
}
