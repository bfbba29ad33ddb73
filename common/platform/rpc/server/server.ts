import type { DescMethod } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ConnectRouterOptions,
  type Interceptor,
} from "@connectrpc/connect";
import { compressionGzip } from "@connectrpc/connect-node";
import { createValidateInterceptor } from "@connectrpc/validate";
import { Registry } from "prom-client";
import { Health } from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import type { Logger } from "../../log/log.ts";
import { createErrorInterceptor, errorMapper } from "../error-interceptor.ts";
import { type RequestAttributes, serverTracing } from "../rpc-tracing.ts";
import { endWithCall } from "./call-end.ts";
import { createCallMetrics } from "./call-metrics.ts";
import { ALLOW_CONNECTION } from "./first-call.ts";
import type { HttpListener } from "./http-listener.ts";
import { messageValidator } from "./message-validator.ts";
import { createNodeHandler } from "./node-handler.ts";
import type { RequestGate } from "./request-gate.ts";

export interface RpcServerOptions {
  /** The open port. It was opened before anything else, so that a start that can't succeed fails early. */
  readonly listener: HttpListener;
  readonly routes: (router: ConnectRouter) => void;
  /** Streams that end by themselves. A closing server waits for them, as for unary calls. */
  readonly endingStreams?: readonly DescMethod[];
  /** Decides on each call before its body is read. */
  readonly gate: RequestGate;
  readonly logger: Logger;
  /** Attributes of a request for its span. None by default. */
  readonly requestAttributes?: RequestAttributes;
  /** The registry of the calls' metrics. Calls aren't counted without one. */
  readonly registry?: Registry;
  /** The largest request message, decompressed. 32 MiB by default. */
  readonly maxRequestBytes?: number;
  /** The longest time-out of a unary call. Longer ones are reduced to it. 60 s by default. */
  readonly maxTimeoutMs?: number;
  /** The time-out of a unary call that sets none. 30 s by default. */
  readonly defaultTimeoutMs?: number;
  /** The longest time-out of a streaming call, and the time-out of one that sets none. 1 h by default. */
  readonly maxStreamMs?: number;
  /** The longest time for which the rest of an unread body is read before the answer is sent. 5 s by default. */
  readonly discardMs?: number;
}

export interface RpcServer {
  readonly port: number;
  readonly url: string;
  /**
   * Stops accepting connections and closes idle ones. Endless streams end with `unavailable`; other calls are answered.
   * At the deadline the remaining calls are aborted and their connections closed.
   */
  close(deadline: AbortSignal): Promise<void>;
}

const DEFAULTS = {
  maxRequestBytes: 32 * 2 ** 20,
  maxTimeoutMs: 60_000,
  defaultTimeoutMs: 30_000,
  maxStreamMs: 3_600_000,
};

/**
 * Serves RPCs on one port: Connect and gRPC-Web over HTTP/1.1; Connect, gRPC and gRPC-Web over HTTP/2, which is chosen by
 * ALPN with TLS and by prior knowledge without. Requests are validated by the rules of their protos. Errors are mapped by
 * `toConnectError`.
 */
export function startRpcServer(options: RpcServerOptions): RpcServer {
  const stopping = new AbortController();
  const aborting = new AbortController();
  const bounds = { ...DEFAULTS, ...options };
  const handler = createNodeHandler({
    routes: options.routes,
    router: routerOptions(bounds, stopping.signal, aborting.signal),
    unaryDeadline: { defaultMs: bounds.defaultTimeoutMs, maxMs: bounds.maxTimeoutMs },
    streamDeadline: { defaultMs: bounds.maxStreamMs, maxMs: bounds.maxStreamMs },
    ...(options.discardMs !== undefined && { discardMs: options.discardMs }),
    logger: options.logger,
  });
  const { listener } = options;
  const { port, url } = listener;
  listener.serve(handler);
  return {
    port,
    url,
    close: (deadline) => {
      stopping.abort(new ConnectError("the server is stopping", Code.Unavailable));
      return closeWithin(listener, aborting, deadline);
    },
  };
}

function routerOptions(
  options: RpcServerOptions & typeof DEFAULTS,
  stopping: AbortSignal,
  aborting: AbortSignal,
): ConnectRouterOptions {
  const { gate, logger, registry, maxRequestBytes, maxStreamMs, endingStreams = [], requestAttributes } = options;
  const metrics = createCallMetrics(registry ?? new Registry());
  return {
    readMaxBytes: maxRequestBytes,
    maxTimeoutMs: maxStreamMs,
    acceptCompression: [compressionGzip],
    shutdownSignal: aborting,
    requestGate: async (context) => {
      metrics.begin(context);
      await gate(context).catch((error: unknown) => {
        throw errorMapper(logger, context)(error);
      });
      if (context.service.typeName !== Health.typeName) context.values.get(ALLOW_CONNECTION)?.();
    },
    // The first one is the outermost.
    interceptors: [
      metrics.interceptor,
      serverTracing(requestAttributes),
      endStreamsOn(stopping, endingStreams),
      createErrorInterceptor(logger),
      endWithCall,
      createValidateInterceptor({ validator: messageValidator }),
    ],
  };
}

/** Ends endless streams, which may last for hours, when the server stops. */
function endStreamsOn(stopping: AbortSignal, endingStreams: readonly DescMethod[]): Interceptor {
  return (next) => (request) => {
    if (!request.stream || endingStreams.includes(request.method)) return next(request);
    return next({ ...request, signal: AbortSignal.any([request.signal, stopping]) });
  };
}

async function closeWithin(listener: HttpListener, aborting: AbortController, deadline: AbortSignal): Promise<void> {
  const abort = () => {
    aborting.abort(new ConnectError("the server has stopped", Code.Unavailable));
    listener.destroy();
  };
  const closed = listener.close();
  if (deadline.aborted) abort();
  else deadline.addEventListener("abort", abort, { once: true });
  await closed;
  deadline.removeEventListener("abort", abort);
}
