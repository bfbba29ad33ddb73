import { createServer, type RequestListener, type Server } from "node:http";
import { listen } from "./listen.ts";

/** A server for browsers of this machine only, at `localhost`, over IPv4 and IPv6. */
export interface LoopbackServer {
  readonly port: number;
  /** False where another program has the port. */
  readonly isRunning: boolean;
  serve(listener: RequestListener): void;
  stop(deadline: AbortSignal): Promise<void>;
}

const LIMITS = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 1_000 };
const MAX_CONNECTIONS = 100;

/** @param port 0: any free port */
export async function openLoopbackServer(port: number): Promise<LoopbackServer> {
  const first = boundedServer();
  const taken = await tryListen(first, "127.0.0.1", port);
  if (taken === undefined) return serverOf(port, []);
  const second = boundedServer();
  // A browser may choose either address, so both must be ours.
  const isFree = (await tryListen(second, "::1", taken)) !== undefined;
  if (!isFree) {
    await closeServer(first);
    return serverOf(port, []);
  }
  return serverOf(
    taken,
    [first, second].filter(({ listening }) => listening),
  );
}

function boundedServer(): Server {
  const server = createServer(LIMITS);
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

/** @returns the port, also if this machine has no such address; undefined if the port is taken. */
async function tryListen(server: Server, host: string, port: number): Promise<number | undefined> {
  try {
    return (await listen(server, { host, port })).port;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "EADDRINUSE" || code === "EACCES" ? undefined : port;
  }
}

function serverOf(port: number, servers: readonly Server[]): LoopbackServer {
  return {
    port,
    isRunning: servers.length > 0,
    serve: (listener) => {
      for (const server of servers) server.on("request", listener);
    },
    stop: async (deadline) => {
      const closeAll = () => servers.forEach((server) => void server.closeAllConnections());
      deadline.addEventListener("abort", closeAll, { once: true });
      await Promise.all(servers.map(closeServer));
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
}
