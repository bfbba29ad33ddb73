import { type AgentOptions, type ClientRequest, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";
import type { Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import type { Registry } from "prom-client";
import type { Logger } from "../../log/log.ts";
import type { CallerProof } from "../identity/caller-keys.ts";
import { callerInterceptor } from "../identity/caller-token.ts";
import { clientTracing, noteServer } from "../rpc-tracing.ts";
import { type Affinity, balancingInterceptor } from "./balancer.ts";
import { callerRefusalReports, unavailableToRefused } from "./caller-refusals.ts";
import { clientMetrics } from "./client-metrics.ts";
import { connectRetryInterceptor } from "./connect-retry.ts";
import { lostConnectionInterceptor } from "./lost-connection.ts";
import { notConnectedInterceptor } from "./not-connected.ts";
import { retryInterceptor } from "./retry.ts";
import { stalledConnectionInterceptor } from "./stalled-connections.ts";

export interface RpcTransportOptions {
  /** `http:` or `https:`. A list of several, all with the same scheme, shares the calls (`balancingInterceptor`). */
  readonly baseUrl: string | readonly string[];
  /** Names the calls that go to the same process of a list. None by default. */
  readonly affinity?: Affinity;
  /** The identity of this process. Without it calls carry no token. */
  readonly caller?: CallerProof;
  /** Certificates (PEM) of the authorities to trust for https. Those of the runtime by default. */
  readonly ca?: string | undefined;
  /** The name that the certificate of an https server must have, where the URL has its address instead. */
  readonly servername?: string | undefined;
  /** The time-out of calls that don't set their own, in milliseconds. */
  readonly defaultTimeoutMs: number;
  /** How long calls whose connection can't be opened are repeated (`connectRetryInterceptor`). Not at all by default. */
  readonly connectRetryMs?: number;
  /** The largest response message. 64 MiB by default. */
  readonly maxResponseBytes?: number;
  /** The most connections to a process, and so calls, at once. Other calls wait. 64 by default. */
  readonly maxConnections?: number;
  /**
   * The registry of the calls' metrics, in a process that answers others: they get `unavailable` where a service refuses this
   * process's token. Without one calls aren't measured, and that refusal stays `unauthenticated`, for an operator to read.
   */
  readonly registry?: Registry;
  /** The log of refusals of this process's token. None by default. */
  readonly logger?: Logger;
}

/** Where the calls of a service's process are counted and logged. */
export type CallObservers = Required<Pick<RpcTransportOptions, "registry" | "logger">>;

const DEFAULT_MAX_RESPONSE_BYTES = 64 * 2 ** 20;
const DEFAULT_MAX_CONNECTIONS = 64;

/**
 * A transport for the Connect protocol over HTTP/1.1 keep-alive. A connection that is lost or can't be opened counts as `unavailable`, and
 * idempotent calls are repeated while the service is unavailable (`retryInterceptor`). Responses aren't compressed:
 * within a cluster that costs more time than it saves.
 */
export function createRpcTransport(options: RpcTransportOptions): Transport {
  const baseUrls = [options.baseUrl].flat().map((url) => url.replace(/\/$/, ""));
  const [baseUrl = ""] = baseUrls;
  const { registry, logger } = options;
  const agent = createAgent(baseUrl, options);
  return createConnectTransport({
    baseUrl,
    httpVersion: "1.1",
    nodeOptions: { agent },
    defaultTimeoutMs: options.defaultTimeoutMs,
    readMaxBytes: options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
    acceptCompression: [],
    // The first one is the outermost.
    interceptors: [
      ...(registry === undefined ? [] : [clientMetrics(registry)]),
      clientTracing,
      ...(options.connectRetryMs ? [connectRetryInterceptor(options.connectRetryMs)] : []),
      retryInterceptor,
      ...(registry === undefined ? [] : [unavailableToRefused]),
      ...(baseUrls.length > 1 ? [balancingInterceptor(baseUrls, { affinity: options.affinity })] : []),
      noteServer,
      stalledConnectionInterceptor(agent),
      lostConnectionInterceptor,
      notConnectedInterceptor,
      ...(registry === undefined ? [] : [callerRefusalReports({ registry, logger })]),
      ...(options.caller === undefined ? [] : [callerInterceptor(options.caller)]),
    ],
  });
}

function createAgent(
  baseUrl: string,
  { ca, servername, maxConnections = DEFAULT_MAX_CONNECTIONS }: RpcTransportOptions,
): HttpAgent {
  const options: AgentOptions = { keepAlive: true, maxSockets: maxConnections, scheduling: "lifo" };
  if (new URL(baseUrl).protocol === "http:") return new OneWriteAgent(options);
  return new TlsAgent({ ...options, ...(ca !== undefined && { ca }), ...(servername !== undefined && { servername }) });
}

/** Sends the head of a request in one write with the body that follows in the same event-loop tick. */
class OneWriteAgent extends HttpAgent {
  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    super.reuseSocket(socket, request);
    socket.cork();
    setImmediate(() => socket.uncork());
  }
}

type WriteCallback = (error?: Error | null) => void;

/** Skips empty writes, which requests without content make: TLS of Deno 2.9 fails at them (EPERM). */
class TlsAgent extends HttpsAgent {
  override createConnection(...parameters: Parameters<HttpsAgent["createConnection"]>): Duplex | null | undefined {
    const socket = super.createConnection(...parameters);
    if (!socket) return socket;
    const write = socket.write.bind(socket) as (chunk: unknown, ...rest: unknown[]) => boolean;
    socket.write = (chunk: unknown, ...rest: unknown[]) => {
      if (!isEmpty(chunk)) return write(chunk, ...rest);
      const callback = rest.find((each): each is WriteCallback => typeof each === "function");
      if (callback !== undefined) queueMicrotask(() => callback());
      return true;
    };
    return socket;
  }
}

function isEmpty(chunk: unknown): boolean {
  return (typeof chunk === "string" || chunk instanceof Uint8Array) && chunk.length === 0;
}
