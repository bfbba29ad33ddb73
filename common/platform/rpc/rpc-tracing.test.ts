import { Code, ConnectError, createClient, createRouterTransport, type Transport } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { outsideOfCalls } from "../concurrency/call-signal.ts";
import { captureLog } from "../testing/log-capture.ts";
import { ID_TRACER } from "../tracing/id-tracer.ts";
import { currentTrace, type SpanAttributes, type SpanKind, setTracer, traceRoot } from "../tracing/tracing.ts";
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

describe("log lines of a service", () => {
  beforeEach(() => setTracer(ID_TRACER));
  afterEach(() => setTracer(undefined));

  /** Calls a service that logs a line in each method, and returns the trace IDs of the lines. */
  async function traceIdsOf(calls: (transport: Transport) => Promise<unknown>): Promise<unknown[]> {
    const { logger, lines } = captureLog();
    const transport = createRouterTransport(
      (router) => {
        router.rpc(SaleService.method.getSale, async () => {
          logger.warn("a read");
          return {};
        });
        router.rpc(SaleService.method.openSale, async () => {
          logger.warn("a change");
          return {};
        });
        router.rpc(CommitmentService.method.watchCommitmentData, async function* () {
          logger.warn("the beginning of a stream");
          yield {};
          await Promise.resolve();
          logger.warn("its end");
        });
      },
      // A service is another process: it has the trace of its caller by the header only.
      {
        router: { interceptors: [(next) => (request) => outsideOfCalls(() => next(request)), serverTracing()] },
        transport: { interceptors: [clientTracing] },
      },
    );
    await calls(transport);
    return lines.map(({ trace_id }) => trace_id);
  }

  async function callEach(transport: Transport): Promise<void> {
    await createClient(SaleService, transport).getSale({});
    await createClient(SaleService, transport).openSale({});
    await Array.fromAsync(createClient(CommitmentService, transport).watchCommitmentData({}));
  }

  it("have the trace ID of their caller, in reads, changes and streams", async () => {
    let own: string | undefined;
    const ids = await traceIdsOf((transport) =>
      traceRoot("request", {}, () => {
        own = currentTrace()?.traceId;
        return callEach(transport);
      }),
    );
    expect(ids).toEqual([own, own, own, own]);
  });

  it("have one for each call whose caller has none", async () => {
    const [read, change, ...stream] = await traceIdsOf(callEach);
    expect(new Set(stream).size).toBe(1);
    for (const id of [read, change, ...stream]) expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set([read, change, ...stream]).size).toBe(3);
  });
});
