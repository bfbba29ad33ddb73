import { MethodOptions_IdempotencyLevel as IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { ConnectError, type Interceptor, type UnaryRequest } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { Health } from "../../../proto/gen/grpc/health/v1/health_pb.ts";
import { formatTraceParent, parseTraceParent } from "../tracing/trace-context.ts";
import {
  isTracing,
  outgoingTrace,
  type Span,
  type SpanAttributes,
  trace,
  traceFrom,
  traceRoot,
} from "../tracing/tracing.ts";

const HEADER = "traceparent";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
  return trace(nameOf(request), { kind: "client", attributes: attributesOf(request) }, (span) => noteCode(span, send));
};

/**
 * Records a call that is part of a trace, or that changes something. It runs after the request gate, so that only known
 * callers take part in traces. Streams, which may last for hours, aren't recorded.
 */
export const serverTracing: Interceptor = (next) => (request) => {
  if (!isTracing() || request.stream || request.service.typeName === Health.typeName) return next(request);
  const parent = parseTraceParent(request.header.get(HEADER));
  const settings = { kind: "server", attributes: { ...attributesOf(request), ...saleOf(request) } } as const;
  const work = (span: Span | undefined) => noteCode(span, () => next(request));
  if (parent !== undefined) return traceFrom(parent, nameOf(request), settings, work);
  const changesNothing = request.method.idempotency === IdempotencyLevel.NO_SIDE_EFFECTS;
  return changesNothing ? next(request) : traceRoot(nameOf(request), settings, work);
};

async function noteCode<Result>(span: Span | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectError) span?.set({ "rpc.response.status_code": codeToString(error.code) });
    throw error;
  }
}

function nameOf({ service, method }: UnaryRequest): string {
  return `${service.typeName}/${method.name}`;
}

function attributesOf(request: UnaryRequest): SpanAttributes {
  return { "rpc.system.name": "connectrpc", "rpc.method": nameOf(request) };
}

/** An attribute by which an operator finds the traces of a sale. */
function saleOf({ message }: UnaryRequest): SpanAttributes {
  const saleUuid: unknown = Reflect.get(message, "saleUuid");
  return typeof saleUuid === "string" && UUID.test(saleUuid) ? { "tidemark.sale_uuid": saleUuid.toLowerCase() } : {};
}
