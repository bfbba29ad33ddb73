import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { type SpanAttributes, type SpanKind, setTracer, traceRoot } from "../tracing/tracing.ts";
import { clientTracing, serverTracing } from "./rpc-tracing.ts";

interface Noted {
  readonly kind: SpanKind | undefined;
  attributes: SpanAttributes;
  failure: string | undefined;
}

describe("spans of a call that fails", () => {
  let noted: Noted[];
  beforeEach(() => {
    noted = [];
    setTracer({
      start: (_, parent, { kind, attributes = {} }) => {
        const span: Noted = { kind, attributes, failure: undefined };
        noted.push(span);
        const spanId = String(noted.length).padStart(16, "0");
        return {
          context: { traceId: parent?.traceId ?? spanId.repeat(2), spanId, traceFlags: 1 },
          set: (more) => {
            span.attributes = { ...span.attributes, ...more };
          },
          rename: () => {},
          fail: (type) => {
            span.failure = type;
          },
          end: () => {},
        };
      },
    });
  });
  afterEach(() => setTracer(undefined));

  /** The failures of the spans of both sides, of a call that the service refuses with a code. */
  async function failuresOf(code: Code): Promise<Partial<Record<SpanKind, string | undefined>>> {
    const transport = createRouterTransport(
      (router) => router.rpc(SaleService.method.getSale, () => Promise.reject(new ConnectError("no", code))),
      { router: { interceptors: [serverTracing()] }, transport: { interceptors: [clientTracing] } },
    );
    const call = () => createClient(SaleService, transport).getSale({});
    await expect(traceRoot("request", {}, call)).rejects.toMatchObject({ code });
    const spans = noted.filter(({ kind }) => kind !== undefined);
    expect(new Set(spans.map(({ attributes }) => attributes["rpc.status_code"])).size).toBe(1);
    return Object.fromEntries(spans.map(({ kind, failure }) => [kind, failure]));
  }

  it.each<[string, Code]>([
    ["unknown", Code.Unknown],
    ["deadline_exceeded", Code.DeadlineExceeded],
    ["unimplemented", Code.Unimplemented],
    ["internal", Code.Internal],
    ["unavailable", Code.Unavailable],
    ["data_loss", Code.DataLoss],
  ])("with %s fail on both sides", async (name, code) => {
    expect(await failuresOf(code)).toEqual({ client: name, server: name });
  });

  it.each<[string, Code]>([
    ["canceled", Code.Canceled],
    ["invalid_argument", Code.InvalidArgument],
    ["not_found", Code.NotFound],
    ["already_exists", Code.AlreadyExists],
    ["permission_denied", Code.PermissionDenied],
    ["resource_exhausted", Code.ResourceExhausted],
    ["failed_precondition", Code.FailedPrecondition],
    ["aborted", Code.Aborted],
    ["out_of_range", Code.OutOfRange],
    ["unauthenticated", Code.Unauthenticated],
  ])("with %s fail on the client's side only", async (name, code) => {
    expect(await failuresOf(code)).toEqual({ client: name, server: undefined });
  });
});
