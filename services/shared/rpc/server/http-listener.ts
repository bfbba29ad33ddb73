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
  /** Open connections; more are closed at once. 1,024 by default. */
  readonly maxConnections: number;
  /** Calls at once on one HTTP/2 connection. 128 by default. */
  readonly maxStreamsPerConnection: number;
  /** From accepting a connection to its first bytes, and from there to the end of a request's headers. 10 s by default. */
  readonly headersTimeoutMs: number;
  /** From the first byte of an HTTP/1.1 request to the end of its body. 60 s by default. */
  readonly requestTimeoutMs: number;
  /** Without any request. 65 s by default, more than the 60 s of common load balancers. */
  readonly idleTimeoutMs: number;
}

const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  maxConnections: 1_024,
  maxStreamsPerConnection: 128,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  idleTimeoutMs: 65_000,
};

export type RequestListener = (request: NodeRequest, response: NodeResponse) => void;

export interface HttpListener {
  readonly port: number;
  readonly url: string;
  /** Until then calls are refused as `unavailable`. */
  serve(onRequest: RequestListener): void;
  /** Stops accepting, ends idle connections, and resolves once the last request is answered. */
  close(): Promise<void>;
  /** Ends every connection at once. */
  destroy(): void;
}

export interface HttpListenerOptions extends ListenAddress {
  readonly logger: Logger;
  /** Without it the port has no TLS. */
  readonly tls?: RpcTls | undefined;
  /** Aborted while connections are still taken: from then on each answer over HTTP/1.1 is the last on its connection. */
  readonly stopping?: AbortSignal | undefined;
  readonly limits?: Partial<ConnectionLimits>;
}

/** Takes connections in, and tells which HTTP they speak. */
interface Door {
  readonly server: NetServer;
  /** Ends those that haven't told, at once. */
  close(): void;
}

const MAX_HEADER_BYTES = 16 * 1_024;

/**
 * Takes one port for HTTP/1.1 and HTTP/2: with TLS by ALPN, without it HTTP/2 with prior knowledge.
 *
 * @throws where the address can't be listened on, as `listen` does
 */
export async function openHttpListener(options: HttpListenerOptions): Promise<HttpListener> {
  const limits = { ...DEFAULT_CONNECTION_LIMITS, ...options.limits };
  let serving: RequestListener = refuseWhileStarting;
  const onRequest: RequestListener = (request, response) => serving(request, response);
  const connections = new Connections();
  const http1 = http1Server(limits, connections, onRequest);
  const http2 = http2Server(limits, connections, onRequest);
  const { tls, stopping } = options;
  stopping?.addEventListener("abort", () => connections.announceEnd());
  const onHttp = (socket: Socket, version: HttpVersion) => (version === "2" ? http2 : http1).emit("connection", socket);
  const door =
    tls === undefined
      ? plainDoor(limits, connections, onHttp)
      : secureDoor({ ...options, tls }, limits, connections, onHttp);
  const { server } = door;
  // Deno ends the connections of a server that doesn't listen itself after one answer each.
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
        door.close();
      }),
    destroy: () => connections.destroy(),
  };
}

type OnHttp = (socket: Socket, version: HttpVersion) => void;

function plainDoor(limits: ConnectionLimits, connections: Connections, onHttp: OnHttp): Door {
  const server = createNetServer({ noDelay: true }, (socket) => {
    // Not by `maxConnections`, under which Deno may leave the connections in excess open.
    if (connections.size >= limits.maxConnections) return void socket.destroy();
    connections.addSocket(socket);
    detectHttpVersion(socket, limits.headersTimeoutMs, (version) => {
      if (version === "2") connections.releaseSocket(socket);
      onHttp(socket, version);
    });
  });
  // Those that haven't told count as idle connections.
  return { server, close: () => {} };
}

function secureDoor(
  options: HttpListenerOptions & { readonly tls: RpcTls },
  limits: ConnectionLimits,
  connections: Connections,
  onHttp: OnHttp,
): Door {
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
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
  };
  const server = createHttp1Server(options, (request, response) => {
    const { socket } = request;
    connections.beginRequest(socket);
    response.once("close", () => connections.endRequest(socket));
    if (connections.ending) response.shouldKeepAlive = false;
    onRequest(request, response);
  });
  // Node enforces the time-outs from this event on, which never comes for a server that is handed its connections.
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
