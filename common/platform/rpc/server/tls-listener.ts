import type { Socket } from "node:net";
import { createServer, type Server, type TLSSocket } from "node:tls";
import type { Logger } from "../../log/log.ts";
import type { RpcTls, TlsPair } from "../identity/rpc-tls.ts";

export interface TlsListenerOptions {
  readonly tls: RpcTls;
  readonly logger: Logger;
  /** The time limit of a handshake, in milliseconds. */
  readonly handshakeTimeoutMs: number;
  /** Whether the server can take no more connections, given the number of handshakes in progress. */
  readonly isFull: (handshakes: number) => boolean;
  /** Called with each connection after its handshake. */
  readonly onSecure: (socket: TLSSocket) => void;
}

/** A server for TLS connections. It doesn't listen yet. */
export interface TlsListener {
  readonly server: Server;
  /** Closes connections that are still in their handshake, and stops checking for renewals. */
  close(): void;
}

const MIN_VERSION = "TLSv1.2";
const ALPN_PROTOCOLS = ["h2", "http/1.1"];
/** The time between two checks whether the certificate was renewed. */
const RENEWAL_CHECK_MS = 10_000;

/** A listener for TLS 1.2 or later, with HTTP/2 and HTTP/1.1 by ALPN (RFC 7301). New connections use a renewed certificate. */
export function createTlsListener(options: TlsListenerOptions): TlsListener {
  const { tls, logger, handshakeTimeoutMs, isFull, onSecure } = options;
  const handshakes = new Map<string, Socket>();
  const pair = tls.read();
  const settings = { minVersion: MIN_VERSION, ALPNProtocols: ALPN_PROTOCOLS } as const;
  const server = createServer({ ...settings, ...pair, handshakeTimeout: handshakeTimeoutMs }, (socket) => {
    handshakes.delete(peerOf(socket));
    socket.setNoDelay(true);
    onSecure(socket);
  });
  server.prependListener("connection", (socket) => {
    if (isFull(handshakes.size)) return void socket.destroy();
    const peer = peerOf(socket);
    handshakes.set(peer, socket);
    socket.once("close", () => {
      if (handshakes.get(peer) === socket) handshakes.delete(peer);
    });
  });
  server.on("tlsClientError", (error, socket) => {
    logger.debug({ err: error }, "TLS handshake failed");
    socket.destroy();
  });
  const use = (renewed: TlsPair) => server.setSecureContext({ ...settings, ...renewed });
  const timer = setInterval(renewals(tls, pair, logger, use), RENEWAL_CHECK_MS).unref();
  return {
    server,
    close: () => {
      clearInterval(timer);
      for (const socket of handshakes.values()) socket.destroy();
    },
  };
}

/** Identifies a connection among all open ones. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Returns a function that uses a renewed pair. A pair that can't be used is logged once, and the previous one stays. */
function renewals(tls: RpcTls, first: TlsPair, logger: Logger, use: (pair: TlsPair) => void): () => void {
  let current = first;
  let isLogged = false;
  return () => {
    try {
      const pair = tls.read();
      if (pair.cert === current.cert && pair.key === current.key) return;
      use(pair);
      current = pair;
      isLogged = false;
      logger.info("RPC certificate renewed");
    } catch (error) {
      if (!isLogged) logger.warn({ err: error }, "the renewed RPC certificate can't be used; the previous one stays");
      isLogged = true;
    }
  };
}
