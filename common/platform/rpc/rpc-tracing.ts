import { MethodOptions_IdempotencyLevel as IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import {
  Code,
  ConnectError,
  createContextKey,
  type Interceptor,
  type StreamResponse,
  type UnaryRequest,
  type UnaryResponse,
} from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { Health } from "../../../proto/gen/grpc/health/v1/health_pb.ts";
import { formatTraceParent, parseTraceParent, type TraceContext } from "../tracing/trace-context.ts";
import {
  currentTrace,
  isTracing,
  outgoingTrace,
  type Span,
  type SpanAttributes,
  trace,
  traceFrom,
  traceRoot,
  unrecorded,
  withTrace,
} from "../tracing/tracing.ts";
import { messagesWithin } from "./messages-within.ts";

const HEADER = "traceparent";
/** The span of a call that is sent. */
const CALL_SPAN = createContextKey<Span | undefined>(undefined);
/**
 * The codes that are failures of the server. The others say what is wrong with the request (OpenTelemetry's semantic conventions for
 * gRPC and Connect spans). For the client every code is a failure.
 */
const SERVER_FAILURES: readonly Code[] = [
  Code.Unknown,
  Code.DeadlineExceeded,
  Code.Unimplemented,
  Code.Internal,
  Code.Unavailable,
  Code.DataLoss,
];

/**
 * Sends the trace context with each call, and records the call if it is part of a trace. It must be outside of the
 * interceptor that repeats calls.
 */
export const clientTracing: Interceptor = (next) => (request) => {
  if (!isTracing()) return next(request);
  const send = () => {
    const context = outgoingTrace();
    if (context !== undefined) request.header.set(HEADER, formatTraceParent(context));
    return next(request);
  };
  if (request.stream) return send();
  const settings = { kind: "client", attributes: attributesOf(request), failureType: codeOf } as const;
  return trace(nameOf(request), settings, (span) => {
    if (span !== undefined) request.contextValues.set(CALL_SPAN, span);
    return noteCode(span, send);
  });
};

/** Adds to a call's span which process it is sent to. It must be inside of the interceptors that choose one and that repeat calls. */
export const noteServer: Interceptor = (next) => (request) => {
  const span = request.contextValues.get(CALL_SPAN);
  if (span !== undefined) {
    const { hostname, port } = new URL(request.url);
    span.set({ "server.address": hostname, ...(port !== "" && { "server.port": Number(port) }) });
  }
  return next(request);
};

/** Returns attributes that a request's message adds to its span. */
export type RequestAttributes = (message: object) => SpanAttributes;

/**
 * Records a call that is part of a trace, or that changes something. It runs after the request gate, so that only known
 * callers take part in traces. Streams, which may last for hours, aren't recorded, nor are other calls; but log lines have an ID in
 * all of them.
 */
export function serverTracing(requestAttributes: RequestAttributes = () => ({})): Interceptor {
  return (next) => (request) => {
    if (!isTracing() || request.service.typeName === Health.typeName) return next(request);
    const parent = parseTraceParent(request.header.get(HEADER));
    if (request.stream) return unrecordedStream(parent, () => next(request));
    const attributes = { ...attributesOf(request), ...requestAttributes(request.message) };
    const settings = { kind: "server", attributes, failureType: serverFailure } as const;
    const work = (span: Span | undefined) => noteCode(span, () => next(request));
    if (parent !== undefined) return traceFrom(parent, nameOf(request), settings, work);
    const changesNothing = request.method.idempotency === IdempotencyLevel.NO_SIDE_EFFECTS;
    return changesNothing ? unrecorded(undefined, () => next(request)) : traceRoot(nameOf(request), settings, work);
  };
}

async function unrecordedStream(
  parent: TraceContext | undefined,
  work: () => Promise<UnaryResponse | StreamResponse>,
): Promise<UnaryResponse | StreamResponse> {
  return unrecorded(parent, async () => {
    const context = currentTrace();
    const response = await work();
    if (!response.stream) return response;
    return { ...response, message: messagesWithin(response.message, (next) => withTrace(context, next)) };
  });
}

async function noteCode<Result>(span: Span | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    span?.set({ "rpc.status_code": codeOf(error) });
    throw error;
  }
}

/** The code of an error, as the client receives it. */
function codeOf(error: unknown): string {
  return codeToString(ConnectError.from(error).code);
}

function serverFailure(error: unknown): string | undefined {
  return SERVER_FAILURES.includes(ConnectError.from(error).code) ? codeOf(error) : undefined;
}

function nameOf({ service, method }: UnaryRequest): string {
  return `${service.typeName}/${method.name}`;
}

function attributesOf(request: UnaryRequest): SpanAttributes {
  return { "rpc.system.name": "connectrpc", "rpc.method": nameOf(request) };
}
