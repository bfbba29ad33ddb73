import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import type { HandlerContext } from "@connectrpc/connect";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Health } from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { ServiceError } from "../../errors/service-error.ts";
import { rawConnection } from "../../testing/raw-connection.ts";
import { startTestServer } from "../testing/test-server.ts";

const HEALTH = "/grpc.health.v1.Health/Check";
const GET_REVISIONS = "/tidemark.commitments.v1.CommitmentService/GetRevisions";
const HTTP2_PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/** An empty SETTINGS frame: length 0, type 4, no flags, stream 0 (RFC 9113 section 6.5). */
const SETTINGS = "\0\0\0\x04\0\0\0\0\0";

const post = (path: string, body: string, headers = "Host: x\r\n") =>
  `POST ${path} HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

afterEach(() => void vi.useRealTimers());

describe("one port", () => {
  it("distinguishes HTTP/1.1 and HTTP/2, also when bytes arrive one by one", async () => {
    const { port } = await startTestServer({});
    const http1 = await rawConnection(port);
    const http2 = await rawConnection(port);
    for (const [connection, text] of [
      [http1, post(HEALTH, "{}")],
      [http2, HTTP2_PREFACE + SETTINGS],
    ] as const) {
      for (const byte of Buffer.from(text, "latin1")) {
        await new Promise((resolve) => connection.socket.write(Uint8Array.of(byte), resolve));
      }
    }
    expect(await http1.received("SERVING")).toMatch(/^HTTP\/1\.1 200 /);
    // The acknowledgement of our settings: type 4, flag 1.
    expect(await http2.received("\0\0\0\x04\x01\0\0\0\0")).not.toContain("HTTP/1.1");
    http1.socket.destroy();
    http2.socket.destroy();
  });

  it("keeps an HTTP/1.1 connection for the next request", async () => {
    const { port } = await startTestServer({});
    const { socket, received } = await rawConnection(port);
    socket.write(post(HEALTH, "{}"));
    await received("SERVING");
    socket.write(post("/unknown", "{}"));
    expect(await received("HTTP/1.1 404 ")).toContain("SERVING");
    socket.destroy();
  });
});

describe("bad peers", () => {
  it.each([
    ["says nothing", ""],
    ["stops within the HTTP/2 preface", "PR"],
    ["stops within the headers", `POST ${HEALTH} HTTP/1.1\r\nHost: x\r\n`],
  ])("closes a connection that %s", async (_, text) => {
    const { port } = await startTestServer({}, { limits: { headersTimeoutMs: 50 } });
    const { socket, closed } = await rawConnection(port);
    socket.write(text);
    await closed();
  });

  it("closes a connection that stops within a body", async () => {
    const { port } = await startTestServer({}, { limits: { headersTimeoutMs: 50, requestTimeoutMs: 100 } });
    const { socket, closed } = await rawConnection(port);
    socket.write(post(HEALTH, "{}").slice(0, -1));
    await closed();
  });

  it.each([
    ["without a host", ""],
    ["with a host that is none", "Host: [\r\n"],
  ])("answers 400 to a request %s, and goes on", async (_, headers) => {
    const { port } = await startTestServer({});
    const bad = await rawConnection(port);
    bad.socket.write(post(HEALTH, "{}", headers));
    expect(await bad.received("\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    const good = await rawConnection(port);
    good.socket.write(post(HEALTH, "{}"));
    await good.received("SERVING");
    bad.socket.destroy();
    good.socket.destroy();
  });

  it("answers an HTTP/1.0 request without a host, too", async () => {
    const { port } = await startTestServer({});
    const { socket, closed } = await rawConnection(port);
    socket.write(`GET ${HEALTH} HTTP/1.0\r\n\r\n`);
    expect(await closed()).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("closes connections beyond the limit", async () => {
    const { port } = await startTestServer({}, { limits: { maxConnections: 1 } });
    const first = await rawConnection(port);
    first.socket.write(post(HEALTH, "{}"));
    await first.received("SERVING");
    const second = await rawConnection(port);
    await second.closed();
    first.socket.destroy();
  });

  it("counts HTTP/2 connections among them, until they end", async () => {
    const { port } = await startTestServer({}, { limits: { maxConnections: 1 } });
    const first = await rawConnection(port);
    first.socket.write(HTTP2_PREFACE + SETTINGS, "latin1");
    await first.received("\0\0\0\x04\x01\0\0\0\0");
    const second = await rawConnection(port);
    await second.closed();
    first.socket.end();
    await first.closed();
    const third = await rawConnection(port);
    third.socket.write(post(HEALTH, "{}"));
    await third.received("SERVING");
    third.socket.destroy();
  });
});

const FORMATS = [
  { format: "application/json", message: "{}", serving: "SERVING" },
  // An unknown field; the answer's first field is 1.
  { format: "application/proto", message: "\x78\x01", serving: "\x08\x01" },
];

describe.each(FORMATS)("bad peers that send $format", ({ format, message, serving }) => {
  const postAs = (path: string, body = message) => post(path, body).replace("application/json", format);

  it("cuts off a call that takes much longer than its deadline", async () => {
    const began = Promise.withResolvers<void>();
    const { port } = await startTestServer({}, { defaultTimeoutMs: 30_000, gate: async () => began.resolve() });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { socket, closed } = await rawConnection(port);
    socket.write(postAs(HEALTH).slice(0, -1));
    await began.promise;
    vi.advanceTimersByTime(40_000);
    await closed();
  });

  it("answers a refused call although its body never ends, then closes", async () => {
    const { port } = await startTestServer({}, { maxRequestBytes: 1_024, discardMs: 50 });
    const { socket, closed } = await rawConnection(port);
    socket.write(postAs(GET_REVISIONS).replace(/Content-Length: \d+/, "Content-Length: 99999999"));
    const answer = await closed();
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toMatch(/connection: close/i);
    expect(answer).toContain('"code":"unauthenticated"');
  });

  it("reads only a few chunks of a byte each of a refused body", async () => {
    const { port } = await startTestServer({});
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { socket, closed } = await rawConnection(port);
    socket.write(postAs(GET_REVISIONS, "").replace("Content-Length: 0", "Transfer-Encoding: chunked"));
    socket.write("1\r\n \r\n".repeat(200));
    expect(await closed()).toMatch(/^HTTP\/1\.1 401 /);
  });

  it("reads the rest of a refused body, so that the connection stays usable", async () => {
    const refused = Promise.withResolvers<void>();
    const { port } = await startTestServer(
      {},
      {
        gate: async ({ service }) => {
          if (service.typeName === Health.typeName) return;
          refused.resolve();
          throw new ServiceError("permission_denied", "no");
        },
      },
    );
    const { socket, received } = await rawConnection(port);
    const call = postAs(GET_REVISIONS);
    socket.write(call.slice(0, -1));
    await refused.promise;
    socket.write(call.slice(-1) + postAs(HEALTH));
    expect(await received(serving)).toMatch(/^HTTP\/1\.1 403 /);
    socket.destroy();
  });

  it("refuses a body of undeclared size as soon as it is too large, and answers", async () => {
    const refused = Promise.withResolvers<void>();
    const gate = async ({ signal }: HandlerContext) => signal.addEventListener("abort", () => refused.resolve());
    const { port } = await startTestServer({}, { maxRequestBytes: 1_024, gate });
    const { socket, received } = await rawConnection(port);
    // Larger than the message and the room for its frame together.
    const chunk = `1000\r\n${"x".repeat(4_096)}\r\n`;
    socket.write(postAs(GET_REVISIONS, "").replace("Content-Length: 0", "Transfer-Encoding: chunked") + chunk);
    await refused.promise;
    socket.write(`${chunk}0\r\n\r\n${postAs(HEALTH)}`);
    const answers = await received(serving);
    expect(answers).toMatch(/^HTTP\/1\.1 429 /);
    expect(answers).toContain('"code":"resource_exhausted"');
    socket.destroy();
  });

  it.each([
    ["of a byte each", "1\r\n \r\n".repeat(69)],
    ["of more than 4 KiB together", `1800\r\n${" ".repeat(6_144)}\r\n`],
  ])("refuses the chunks %s of a health check, which anybody may send", async (_, chunks) => {
    const { port } = await startTestServer({});
    const { socket, received } = await rawConnection(port);
    socket.write(postAs(HEALTH, "").replace("Content-Length: 0", "Transfer-Encoding: chunked") + chunks);
    socket.write(`0\r\n\r\n${postAs(HEALTH)}`);
    const answers = await received(serving);
    expect(answers).toMatch(/^HTTP\/1\.1 429 /);
    expect(answers).toContain('"code":"resource_exhausted"');
    socket.destroy();
  });

  it("refuses a message in HTTP/2 frames of a byte each", async () => {
    const { url } = await startTestServer({}, { discardMs: 50 });
    const session = connectHttp2(url);
    onTestFinished(() => session.destroy());
    const headers = { ":method": "POST", ":path": HEALTH, "content-type": "application/json" };
    const stream = session.request(headers);
    const answered = once(stream, "response");
    for (let frame = 0; frame < 69; frame += 1) {
      await new Promise((resolve) => stream.write(" ", resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [answer] = await answered;
    expect(answer[":status"]).toBe(429);
  });

  it("survives connections that break at any time", async () => {
    const { port } = await startTestServer({});
    for (const text of [
      "",
      "P",
      HTTP2_PREFACE,
      HTTP2_PREFACE + SETTINGS,
      postAs(HEALTH),
      postAs(HEALTH).slice(0, -1),
      "\0\0",
    ]) {
      const { socket } = await rawConnection(port);
      socket.write(text);
      socket.resetAndDestroy();
      await once(socket, "close");
    }
    const good = await rawConnection(port);
    good.socket.write(postAs(HEALTH));
    await good.received(serving);
    good.socket.destroy();
  });
});

describe("closing", () => {
  it("is announced by the last answer on each HTTP/1.1 connection, while others are still taken", async () => {
    const stopping = new AbortController();
    const { port } = await startTestServer({}, { stopping: stopping.signal });
    const kept = await rawConnection(port);
    kept.socket.write(post(HEALTH, "{}"));
    await kept.received("SERVING");
    stopping.abort();
    for (const connection of [kept, await rawConnection(port)]) {
      connection.socket.write(post(HEALTH, "{}"));
      expect(await connection.received("close\r\n")).toMatch(/connection: close\r\n/i);
      await connection.closed();
    }
  });

  it("ends connections at once that are idle or have said nothing yet", async () => {
    const server = await startTestServer({});
    const silent = await rawConnection(server.port);
    const undecided = await rawConnection(server.port);
    undecided.socket.write("PR");
    const http1 = await rawConnection(server.port);
    http1.socket.write(post(HEALTH, "{}"));
    await http1.received("SERVING");
    const http2 = await rawConnection(server.port);
    http2.socket.write(HTTP2_PREFACE + SETTINGS, "latin1");
    await http2.received("\0\0\0\x04\x01\0\0\0\0");
    await server.close(new AbortController().signal);
    await Promise.all([silent, undecided, http1, http2].map(({ closed }) => closed()));
  });
});
