import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Registry } from "prom-client";
import { listen } from "../http/listen.ts";
import { cutUnreadAnswers } from "../http/unread-answers.ts";
import type { Logger } from "../log/log.ts";
import { readProcessStatus, type StatusSource } from "../status/process-status.ts";
import { STATUS_PAGE_HEADERS, statusPage } from "../status/status-page.ts";
import type { Lifecycle } from "./lifecycle.ts";

export interface AdminServerOptions {
  readonly host: string;
  /** `ADMIN_PORT`; 0 means any free port. */
  readonly port: number;
  readonly lifecycle: Lifecycle;
  readonly registry: Registry;
  readonly logger: Logger;
}

export interface AdminServer {
  readonly port: number;
  /** Closes at once, without waiting for probes and scrapes. */
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Route = () => Answer | Promise<Answer>;

const LIMITS = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
  // A time-out may be so late. Each process checks, also while nobody is connected.
  connectionsCheckingInterval: 2_500,
};
const MAX_CONNECTIONS = 64;
/** Answers that nobody takes would otherwise keep probes out. */
const WRITE_TIMEOUT_MS = 10_000;

/**
 * Serves operators on a port of its own: `GET /healthz` (200 while the process is alive), `GET /readyz`
 * (200 or 503, JSON with the reasons), `GET /metrics` (Prometheus text) and `GET /status` (a page of both for people).
 * It has no authentication: keep the port inside the cluster.
 *
 * @throws ConfigError if it can't listen on the address
 */
export async function startAdminServer(options: AdminServerOptions): Promise<AdminServer> {
  const routes = createRoutes(options);
  const server = createServer(LIMITS, (request, response) => {
    void respond(routes, options.logger, request, response);
  });
  server.maxConnections = MAX_CONNECTIONS;
  cutUnreadAnswers(server, WRITE_TIMEOUT_MS);
  const { port } = await listen(server, { host: options.host, port: options.port, variable: "ADMIN_PORT" });
  return { port, close: () => close(server) };
}

function createRoutes({ lifecycle, registry }: AdminServerOptions): ReadonlyMap<string, Route> {
  return new Map<string, Route>([
    ["/healthz", () => json(200, { status: "alive" })],
    ["/readyz", () => readiness(lifecycle)],
    ["/metrics", async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() })],
    ["/status", () => statusAnswer({ lifecycle, registry })],
  ]);
}

function readiness(lifecycle: Lifecycle): Answer {
  const reasons = lifecycle.notReady();
  return reasons.length === 0 ? json(200, { status: "ready" }) : json(503, { status: "not ready", reasons });
}

async function statusAnswer(source: StatusSource): Promise<Answer> {
  const body = statusPage(await readProcessStatus(source));
  return { status: 200, type: "text/html; charset=utf-8", body, headers: STATUS_PAGE_HEADERS };
}

function json(status: number, body: object): Answer {
  return { status, type: "application/json; charset=utf-8", body: `${JSON.stringify(body)}\n` };
}

async function respond(
  routes: ReadonlyMap<string, Route>,
  logger: Logger,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = await findAnswer(routes, request).catch((error: unknown) => {
    logger.error({ err: error, path: request.url }, "admin request failed");
    return json(500, { error: "internal" });
  });
  if (answer.status === 405) response.setHeader("allow", "GET, HEAD");
  response.writeHead(answer.status, { "content-type": answer.type, "cache-control": "no-store", ...answer.headers });
  response.end(request.method === "HEAD" ? undefined : answer.body);
}

async function findAnswer(routes: ReadonlyMap<string, Route>, request: IncomingMessage): Promise<Answer> {
  const route = routes.get(request.url?.split("?", 1)[0] ?? "");
  if (route === undefined) return json(404, { error: "unknown path" });
  if (request.method !== "GET" && request.method !== "HEAD") return json(405, { error: "only GET is allowed" });
  return await route();
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
