import { once } from "node:events";
import { request as httpRequest, IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createClient,
  createServiceImplSpec,
  type HandlerContext,
  type Interceptor,
  type ServiceImpl,
  type UnaryResponse,
} from "@connectrpc/connect";
import { Registry } from "prom-client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  CommitmentService,
  GetRevisionsRequestSchema,
} from "../../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { invalidArgument, ServiceError } from "../../../errors/service-error.ts";
import { captureLog } from "../../../testing/log-capture.ts";
import { rawConnection } from "../../../testing/raw-connection.ts";
import { createRpcTransport } from "../../client/client.ts";
import { signCallerToken } from "../../identity/caller-token.ts";
import { credentials, SALE_UUID, startTestServer } from "../../testing/test-server.ts";
import { openHttpListener } from "../http-listener.ts";
import { createNodeHandler } from "../node-handler.ts";
import { CallContext, type UnarySpec } from "./call-context.ts";
import { PlainMethod } from "./plain-method.ts";

const METHOD = "/tidemark.commitments.v1.CommitmentService/GetRevisions";
const REQUEST = toBinary(GetRevisionsRequestSchema, create(GetRevisionsRequestSchema, { saleUuids: [SALE_UUID] }));
const INVALID = toBinary(GetRevisionsRequestSchema, create(GetRevisionsRequestSchema, { saleUuids: ["x"] }));
/** No request with this is a plain one, and Connect's handler, which knows no such encoding, answers it uncompressed. */
const ANSWERED_BY_CONNECT = { "accept-encoding": "br" };
/** Those of the connection and of the moment. */
const OTHER_HEADERS = ["date", "connection", "keep-alive", "transfer-encoding"];

/** Each internal error has an ID of its own. */
const ERROR_ID = /internal error [0-9a-f-]{36}/;

type Implementation = Partial<ServiceImpl<typeof CommitmentService>>;

interface Sent {
  readonly method?: "POST" | "GET";
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Sends a request that is plain, but for what is given. */
async function send(url: string, { method = "POST", path = METHOD, headers = {}, body = REQUEST }: Sent) {
  const authorization = `Bearer ${await signCallerToken(credentials, nowSeconds())}`;
  const length = "transfer-encoding" in headers ? {} : { "content-length": body.length };
  const plain = { "content-type": "application/proto", authorization, ...length, ...headers };
  const ofMethod = method === "GET" ? { headers: { authorization } } : { headers: plain };
  const sent = httpRequest(`${url}${path}`, { method, ...ofMethod });
  sent.end(method === "GET" ? undefined : body);
  const [response] = await once(sent, "response");
  const chunks: Buffer[] = await response.toArray();
  const own = Object.entries(response.headers).filter(([name]) => !OTHER_HEADERS.includes(name));
  const text = Buffer.concat(chunks).toString("latin1").replace(ERROR_ID, "internal error <ID>");
  return { status: response.statusCode, headers: Object.fromEntries(own), text };
}

describe("a plain unary call", () => {
  /** Returns the answer to a plain request, once it is clear that Connect would give the same. */
  async function answer(implementation: Implementation, sent: Sent = {}) {
    const { url } = await startTestServer(implementation);
    const byConnect = await send(url, { ...sent, headers: { ...sent.headers, ...ANSWERED_BY_CONNECT } });
    const plain = await send(url, sent);
    expect(plain).toEqual(byConnect);
    return plain;
  }

  it("is answered here, and any other request by Connect", async () => {
    const contexts: HandlerContext[] = [];
    const implementation: Implementation = {
      getRevisions: (_, context) => {
        contexts.push(context);
        return {};
      },
    };
    const { url } = await startTestServer(implementation);
    const json = Buffer.from(JSON.stringify({ saleUuids: [SALE_UUID] }));
    const others: readonly Sent[] = [
      { headers: ANSWERED_BY_CONNECT },
      { headers: { "content-type": "application/json" }, body: json },
      { headers: { "content-encoding": "gzip" }, body: gzipSync(REQUEST) },
      { method: "GET", path: `${METHOD}?encoding=json&message=${encodeURIComponent(json.toString())}` },
    ];
    await send(url, {});
    await send(url, { headers: { "content-encoding": "identity", "accept-encoding": "identity" } });
    await send(url, { headers: { "transfer-encoding": "chunked" } });
    const transport = createRpcTransport({ baseUrl: url, caller: credentials, defaultTimeoutMs: 5_000 });
    await createClient(CommitmentService, transport).getRevisions({ saleUuids: [SALE_UUID] });
    for (const other of others) expect(await send(url, other)).toMatchObject({ status: 200 });
    const isPlain = contexts.map((context) => context instanceof CallContext);
    expect(isPlain).toEqual([true, true, true, true, ...others.map(() => false)]);
  });

  it("has the answer of its implementation, made whole, with its headers and trailers", async () => {
    const implementation: Implementation = {
      getRevisions: ({ saleUuids: [saleUuid = ""] }, { responseHeader, responseTrailer }) => {
        responseHeader.append("set-cookie", "a=1");
        responseHeader.append("set-cookie", "b=2");
        responseHeader.set("x-header", "one");
        responseTrailer.set("x-trailer", "two");
        return { revisions: [{ saleUuid, revision: 7n }] };
      },
    };
    const { status, headers, text } = await answer(implementation);
    expect([status, text.includes(SALE_UUID)]).toEqual([200, true]);
    expect(headers).toMatchObject({ "set-cookie": ["a=1", "b=2"], "x-header": "one", "trailer-x-trailer": "two" });
  });

  it.each<[string, number, Implementation["getRevisions"], Sent?]>([
    ["a service error", 400, () => Promise.reject(invalidArgument([{ field: "f", rule: "r", message: "m" }]))],
    ["an error of its own", 500, () => Promise.reject(new Error("secret"))],
    [
      "a call too many",
      429,
      () => Promise.reject(new ServiceError("resource_exhausted", "no", { retryAfterSeconds: 5 })),
    ],
    ["a message that breaks a rule", 400, () => ({}), { body: INVALID }],
    ["bytes that aren't a message", 500, () => ({}), { body: Uint8Array.of(255, 255, 255) }],
    ["a caller that isn't known", 401, () => ({}), { headers: { authorization: "Bearer no" } }],
    [
      "a method that its caller may not call",
      403,
      () => ({}),
      { path: METHOD.replace("GetRevisions", "AcquireSaleLease") },
    ],
    ["a method without an implementation", 501, undefined],
    ["a deadline that passes", 504, () => new Promise(() => undefined), { headers: { "connect-timeout-ms": "20" } }],
    ["a deadline that has passed", 504, () => ({}), { headers: { "connect-timeout-ms": "0" } }],
  ])("is refused for %s", async (_, status, getRevisions, sent) => {
    expect(await answer({ ...(getRevisions && { getRevisions }) }, sent)).toMatchObject({ status });
  });

  it.each<[string, NonNullable<Implementation["getRevisions"]>]>([
    [
      "an error with metadata",
      () => Promise.reject(new ConnectError("no", Code.Aborted, { a: "b", "content-length": "9" })),
    ],
    ["an error that another service has sent", () => Promise.reject(wireError())],
    ["anything else that is thrown", () => Promise.reject("secret")],
    [
      "headers that aren't the implementation's to set",
      (_, { responseHeader }) => {
        responseHeader.set("content-length", "9");
        responseHeader.set("content-type", "text/plain");
        throw new ConnectError("no", Code.Aborted);
      },
    ],
  ])("is refused as by Connect for %s, if no interceptor maps errors", async (reason, getRevisions) => {
    const { logger } = captureLog();
    const listener = await openHttpListener({ host: "127.0.0.1", port: 0, logger });
    onTestFinished(() => listener.destroy());
    const deadline = { defaultMs: 5_000, maxMs: 5_000 };
    const routes = (router: ConnectRouter) => void router.service(CommitmentService, { getRevisions });
    const deadlines = { unaryDeadline: deadline, streamDeadline: deadline };
    listener.serve(createNodeHandler({ routes, router: { acceptCompression: [] }, ...deadlines, logger }));
    const plain = await send(listener.url, {});
    expect(plain).toEqual(await send(listener.url, { headers: ANSWERED_BY_CONNECT }));
    expect(plain.headers["a"]).toBe(reason === "an error with metadata" ? "b" : undefined);
  });

  it("is refused where it is too large, in both ways of sending it", async () => {
    const getRevisions = vi.fn(() => ({}));
    const { url } = await startTestServer({ getRevisions }, { maxRequestBytes: REQUEST.length - 1 });
    for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
      const plain = await send(url, { headers });
      expect(plain).toEqual(await send(url, { headers: { ...headers, ...ANSWERED_BY_CONNECT } }));
      expect(plain).toMatchObject({ status: 429 });
    }
    expect(getRevisions).not.toHaveBeenCalled();
  });

  it("has at most the longest time", async () => {
    const { url } = await startTestServer({ getRevisions: () => new Promise(() => undefined) }, { maxTimeoutMs: 50 });
    expect(await send(url, { headers: { "connect-timeout-ms": "9999" } })).toMatchObject({ status: 504 });
  });

  it("asks the gate before its body has come", async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const { port } = await startTestServer({}, { gate: async () => resolve() });
    const { socket } = await rawConnection(port);
    socket.write(await head());
    await asked;
    socket.destroy();
  });

  it.each([
    ["ok", {}, () => ({})],
    ["deadline_exceeded", { "connect-timeout-ms": "20" }, () => new Promise<never>(() => undefined)],
    ["internal", {}, () => Promise.reject(new Error("no"))],
  ])("is counted once, as %s", async (code, headers, getRevisions) => {
    const registry = new Registry();
    const { url } = await startTestServer({ getRevisions }, { registry });
    await send(url, { headers });
    const counted = await registry.getSingleMetric("tidemark_rpc_requests_total")?.get();
    expect(counted?.values.map(({ labels, value }) => [labels["code"], value])).toEqual([[code, 1]]);
  });

  it("ends with the server, and leaves nothing once it is answered", async () => {
    const contexts: HandlerContext[] = [];
    const { promise: both, resolve } = Promise.withResolvers<void>();
    const { url, close } = await startTestServer({
      getRevisions: (_, context) => {
        contexts.push(context);
        if (contexts.length === 1) return {};
        resolve();
        return new Promise(() => undefined);
      },
    });
    await send(url, {});
    const [answered] = contexts;
    const abort = vi.fn();
    Object.assign(answered ?? {}, { abort });
    const running = send(url, {}).catch(() => undefined);
    await both;
    await close(AbortSignal.abort());
    await running;
    expect(abort).not.toHaveBeenCalled();
    expect(contexts[1]?.signal.reason).toMatchObject({ code: Code.Unavailable });
  });

  it("ends when its client goes, before or after the whole request has come", async () => {
    const { promise: called, resolve } = Promise.withResolvers<AbortSignal>();
    const { port, lines } = await startTestServer({
      getRevisions: (_, { signal }) => {
        resolve(signal);
        return new Promise(() => undefined);
      },
    });
    const unfinished = await rawConnection(port);
    unfinished.socket.end(Buffer.concat([Buffer.from(await head()), REQUEST.subarray(1)]));
    await unfinished.closed();
    const whole = await rawConnection(port);
    whole.socket.write(Buffer.concat([Buffer.from(await head()), REQUEST]));
    const signal = await called;
    const aborted = once(signal, "abort");
    whole.socket.destroy();
    await aborted;
    expect(signal.reason).toMatchObject({ code: Code.Canceled });
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("fails by an interceptor that makes another request or response", async () => {
    const other: Interceptor[] = [
      (next) => (request) => next({ ...request, header: new Headers() }),
      (next) => async (request) => ({ ...(await next(request)) }) as UnaryResponse,
    ];
    for (const interceptor of other) {
      const spec = specOf({ getRevisions: () => ({}) });
      const options = { requestGate: () => undefined, interceptors: [interceptor], maxBytes: 1_000, jsonOptions: {} };
      const request = new IncomingMessage(new Socket());
      request.push(REQUEST);
      request.push(null);
      const init = { method: spec.method, url: "", requestHeader: new Headers(), timeoutMs: 1_000 };
      expect(await new PlainMethod(spec, options).answer(new CallContext(init), request)).toMatchObject({
        status: 500,
      });
    }
  });

  it("leaves no timer once it has ended, and keeps the first reason", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { getRevisions: method } = CommitmentService.method;
    const context = new CallContext({ method, url: "", requestHeader: new Headers(), timeoutMs: 1_000 });
    expect([context.timeoutMs(), vi.getTimerCount()]).toEqual([1_000, 1]);
    context.abort(new Error("first"));
    context.abort(new Error("second"));
    expect([context.signal.reason, vi.getTimerCount()]).toEqual([new Error("first"), 0]);
  });
});

/** The head of a plain request. */
async function head(): Promise<string> {
  const authorization = `Bearer ${await signCallerToken(credentials, nowSeconds())}`;
  const headers = {
    host: "localhost",
    "content-type": "application/proto",
    "content-length": REQUEST.length,
    authorization,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${METHOD} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

function wireError(): ConnectError {
  return Object.assign(new ConnectError("no", Code.Aborted, { a: "b" }), { isWireError: true });
}

function specOf(implementation: Implementation): UnarySpec {
  return createServiceImplSpec(CommitmentService, implementation).methods["getRevisions"] as UnarySpec;
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
