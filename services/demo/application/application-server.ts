import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { listen } from "../../../common/platform/http/listen.ts";
import { type ApplicationOptions, CALLBACK_PATH, createApplication } from "./application.ts";

export interface ApplicationServerOptions extends Omit<ApplicationOptions, "origin"> {
  /** `DEMO_APP_PORT`; 0: any free port. */
  readonly port: number;
}

/** The demo's application, or only its address if another program has the port. */
export interface ApplicationServer {
  readonly origin: string;
  readonly redirectUri: string;
  readonly isRunning: boolean;
  stop(deadline: AbortSignal): Promise<void>;
}

const LIMITS = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 1_000 };
const MAX_CONNECTIONS = 100;

/** Serves the application to browsers of this machine at `localhost`, over IPv4 and IPv6. */
export async function startApplicationServer({
  port,
  ...options
}: ApplicationServerOptions): Promise<ApplicationServer> {
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
  const servers = [first, second].filter(({ listening }) => listening);
  const running = serverOf(taken, servers);
  const app = createApplication({ ...options, origin: running.origin });
  const listener = getRequestListener((request) => app.fetch(request), { overrideGlobalObjects: false });
  for (const server of servers) server.on("request", (request, response) => void listener(request, response));
  return running;
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

function serverOf(port: number, servers: readonly Server[]): ApplicationServer {
  const origin = `http://localhost:${port}`;
  return {
    origin,
    redirectUri: origin + CALLBACK_PATH,
    isRunning: servers.length > 0,
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
