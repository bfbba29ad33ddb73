import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import {
  type CommitmentService,
  GetRevisionsRequestSchema,
} from "../../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { invalidArgument } from "../../../errors/service-error.ts";
import { rawConnection } from "../../../testing/raw-connection.ts";
import { signCallerToken } from "../../identity/caller-token.ts";
import { credentials, SALE_UUID, startTestServer } from "../../testing/test-server.ts";
import { CallContext } from "./call-context.ts";

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
      { headers: { "transfer-encoding": "chunked" } },
      { method: "GET", path: `${METHOD}?encoding=json&message=${encodeURIComponent(json.toString())}` },
    ];
    await send(url, {});
    await send(url, { headers: { "content-encoding": "identity", "accept-encoding": "identity" } });
    for (const other of others) expect(await send(url, other)).toMatchObject({ status: 200 });
    const isPlain = contexts.map((context) => context instanceof CallContext);
    expect(isPlain).toEqual([true, true, ...others.map(() => false)]);
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
      "an error with headers",
      503,
      () => Promise.reject(new ConnectError("no", Code.Unavailable, { "retry-after": "5", "content-length": "99" })),
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

  it("ends when its client goes, before or after the whole request has come", async () => {
    const { promise: called, resolve } = Promise.withResolvers<AbortSignal>();
    const { port, lines } = await startTestServer({
      getRevisions: (_, { signal }) => {
        resolve(signal);
        return new Promise(() => undefined);
      },
    });
    const head = [
      `POST ${METHOD} HTTP/1.1`,
      "host: localhost",
      "content-type: application/proto",
      `content-length: ${REQUEST.length}`,
      `authorization: Bearer ${await signCallerToken(credentials, nowSeconds())}`,
    ].join("\r\n");
    const unfinished = await rawConnection(port);
    unfinished.socket.end(`${head}\r\n\r\n${Buffer.from(REQUEST.subarray(1)).toString("latin1")}`, "latin1");
    await unfinished.closed();
    const whole = await rawConnection(port);
    whole.socket.write(`${head}\r\n\r\n${Buffer.from(REQUEST).toString("latin1")}`, "latin1");
    const signal = await called;
    const aborted = once(signal, "abort");
    whole.socket.destroy();
    await aborted;
    expect(signal.reason).toMatchObject({ code: Code.Canceled });
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
