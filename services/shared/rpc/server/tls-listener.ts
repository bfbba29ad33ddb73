import type { Socket } from "node:net";
import { createServer, type Server, type TLSSocket } from "node:tls";
import type { Logger } from "../../log/log.ts";
import type { RpcTls, TlsPair } from "../identity/rpc-tls.ts";

export interface TlsListenerOptions {
  readonly tls: RpcTls;
  readonly logger: Logger;
  /** From accepting a connection to the end of its handshake. In milliseconds. */
  readonly handshakeTimeoutMs: number;
  /** Whether one more connection would be too many, beside those at their handshake. */
  readonly isFull: (handshakes: number) => boolean;
  /** Gets each connection whose handshake is done. */
  readonly onSecure: (socket: TLSSocket) => void;
}

/** A server of TLS connections that doesn't listen yet. */
export interface TlsListener {
  readonly server: Server;
  /** Ends connections that are still at their handshake, and looks for renewals no more. */
  close(): void;
}

const MIN_VERSION = "TLSv1.2";
const ALPN_PROTOCOLS = ["h2", "http/1.1"];
/** Between two looks whether the certificate was renewed. */
const RENEWAL_CHECK_MS = 10_000;

/** TLS 1.2 or later with HTTP/2 and HTTP/1.1 by ALPN (RFC 7301). A renewed certificate counts for new connections. */
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

/** Tells a connection from all others that are open. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** What looks whether there is another pair; one that can't be used is told once, and the one before goes on. */
function renewals(tls: RpcTls, first: TlsPair, logger: Logger, use: (pair: TlsPair) => void): () => void {
  let current = first;
  let told = false;
  return () => {
    try {
      const pair = tls.read();
      if (pair.cert === current.cert && pair.key === current.key) return;
      use(pair);
      current = pair;
      told = false;
      logger.info("RPC certificate renewed");
    } catch (error) {
      if (!told) logger.warn({ err: error }, "the RPC certificate can't be renewed, the one before goes on");
      told = true;
    }
  };
}
