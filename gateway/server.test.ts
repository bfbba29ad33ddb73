import { once } from "node:events";
import type { Socket } from "node:net";
import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, it } from "vitest";
import { Env } from "../common/platform/config/env.ts";
import { CommitmentDataSchema } from "../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { SaleStage, SaleStatus } from "../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { gatewayConfig } from "./config.ts";
import { publicBody } from "./public-read/cache/public-body.ts";
import { type FakeCommitments, SALE, SUMMARY, saleAt } from "./testing/fake-commitments.ts";
import { openGatewayPort, type RunningGateway, runGateway } from "./testing/gateway-parts.ts";
import { exchange, openConnection, readAnswers } from "./testing/raw-connection.ts";
import { type CutReason, createCounters, type GatewayCounters } from "./web/http/counters.ts";

const READ = "/svc/v1/public/read-commitment-data";
const SALE_PATH = `/svc/v1/public/sales/${SALE}/commitment-data`;
const CLOSE = "Connection: close\r\n";
const UNKNOWN_SALE = "99999999-9999-4999-8999-999999999999";

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (body: string, headers = "") =>
  `POST ${READ} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;

let gateway: RunningGateway | undefined;

async function run(variables: Record<string, string> = {}): Promise<RunningGateway> {
  gateway = await runGateway(variables);
  return gateway;
}

afterEach(async () => {
  gateway?.fake.release();
  await gateway?.server.close(AbortSignal.abort());
  gateway = undefined;
});

describe("startHttpServer", () => {
  it.each([
    ["garbage", "\x00\x01\x02\r\n\r\n", 400, "invalid_argument"],
    ["an HTTP version that there isn't", "GET / HTTP/9.9\r\nHost: x\r\n\r\n", 400, "invalid_argument"],
    ["a header without a name", "GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n", 400, "invalid_argument"],
    ["two content lengths", post("{}", "Content-Length: 3\r\n"), 400, "invalid_argument"],
    ["length and chunks at once", post("{}", "Transfer-Encoding: chunked\r\n"), 400, "invalid_argument"],
    ["a body in chunks of a byte", chunked("1\r\n \r\n".repeat(69)), 413, "invalid_argument"],
    ["a broken chunk", chunked("zz\r\n"), 400, "invalid_argument"],
    ["large headers", get("/", `X: ${"y".repeat(20_000)}\r\n`), 431, "invalid_argument"],
    ["a long path", get(`/${"y".repeat(20_000)}`), 431, "invalid_argument"],
  ])("answers %s in the shape of all errors and closes", async (_, bytes, status, code) => {
    // A connection whose body doesn't end is closed after that.
    const { server } = await run({ HTTP_HEADERS_TIMEOUT: "2s", HTTP_REQUEST_TIMEOUT: "2s" });
    const answers = await exchange(server.port, bytes);
    expect(answers.map((answer) => answer.status)).toStrictEqual([status]);
    expect(JSON.parse(answers[0]?.body ?? "")).toMatchObject({ code, message: expect.any(String), details: {} });
    expect(answers[0]?.headers.get("access-control-allow-origin")).toBe("*");
  });

  it.each([
    ["in absolute form", `http://any.example${SALE_PATH}`, 200],
    ["with two slashes", `/${SALE_PATH}`, 404],
    ["with a broken encoding", `${SALE_PATH}%`, 404],
    ["with a NUL encoded", `/%00${SALE_PATH}`, 404],
    ["that climbs", `/svc/../${SALE_PATH}`, 400],
    ["that is no path", "*", 404],
  ])("takes a target %s for what it is", async (_, target, status) => {
    const { server } = await run();
    expect(await exchange(server.port, get(target, CLOSE))).toMatchObject([{ status }]);
  });

  it("answers pipelined requests in their order, fast ones after slow ones", async () => {
    const { server, cache, fake } = await run();
    await cache.read(SALE);
    fake.hold();
    const socket = await openConnection(server.port);
    socket.write(get(SALE_PATH.replace(SALE, UNKNOWN_SALE)) + post(`{"SaleUUID":"${SALE}"}`) + get("/x", CLOSE));
    await expect.poll(() => fake.loads).toContain(UNKNOWN_SALE);
    fake.release();
    expect((await readAnswers(socket)).map(({ status }) => status)).toStrictEqual([404, 200, 404]);
  });

  it("answers what came before garbage first", async () => {
    const { server, cache, fake } = await run();
    await cache.read(SALE);
    fake.hold();
    const socket = await openConnection(server.port);
    socket.write(`${get(SALE_PATH.replace(SALE, UNKNOWN_SALE))}${get(SALE_PATH)}garbage\r\n\r\n`);
    await expect.poll(() => fake.loads).toContain(UNKNOWN_SALE);
    fake.release();
    expect((await readAnswers(socket)).map(({ status }) => status)).toStrictEqual([404, 200, 400]);
  });

  it("closes a connection that has too many requests waiting, counts it, and begins no more of them", async () => {
    const { server, fake, counters } = await run();
    fake.hold();
    const socket = await openConnection(server.port);
    socket.write(get(SALE_PATH).repeat(101) + get(SALE_PATH.replace(SALE, UNKNOWN_SALE)));
    expect(await collect(socket)).toBe("");
    await expect.poll(() => counters.cutAnswers).toStrictEqual(cutFor("too_many_waiting"));
    expect(new Set(fake.loads)).toStrictEqual(new Set([SALE]));
  });

  it("counts a connection on which nothing moves while its answer is due, and none that says nothing", async () => {
    const { server, fake, counters } = await run({ HTTP_SOCKET_TIMEOUT: "100ms" });
    fake.hold();
    for (const request of ["", get(SALE_PATH)]) {
      const socket = await openConnection(server.port);
      if (request !== "") socket.write(request);
      socket.resume();
      await once(socket, "close");
    }
    await expect.poll(() => counters.cutAnswers).toStrictEqual(cutFor("silent"));
  });

  it("counts a connection on which garbage follows a request whose answer is half written", async () => {
    const { server, fake, counters } = await run();
    const socket = await openEndlessFile(server.port, fake);
    socket.on("error", () => {}).write("garbage\r\n\r\n");
    socket.resume();
    await once(socket, "close");
    await expect.poll(() => counters.cutAnswers).toStrictEqual(cutFor("bad_request"));
  });

  it("keeps the connection after a refused body of moderate size", async () => {
    const { server } = await run();
    const large = post(" ".repeat(100_000));
    const answers = await exchange(server.port, large + get(SALE_PATH, CLOSE));
    expect(answers.map(({ status }) => status)).toStrictEqual([413, 200]);
  });

  it("refuses a huge body before it has arrived, and closes once the client has sent enough", async () => {
    const { server } = await run();
    const head = `POST ${READ} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n`;
    const answers = await exchange(server.port, head + " ".repeat(1024 * 1024 + 1));
    expect(answers).toMatchObject([{ status: 413 }]);
    expect(answers[0]?.headers.get("connection")).toBe("close");
  });

  it("refuses a chunked body of the wrong type, and closes when it has ended", async () => {
    const { server } = await run();
    const answers = await exchange(server.port, chunked("2\r\n{}\r\n0\r\n\r\n", "text/plain"));
    expect(answers).toMatchObject([{ status: 415 }]);
  });

  it.each([
    ["headers", "GET / HTTP/1.1\r\nHost:"],
    ["a body", `POST ${READ} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`],
  ])("answers a client that is too slow with %s by 408", async (_, bytes) => {
    const { server } = await run({ HTTP_HEADERS_TIMEOUT: "100ms", HTTP_REQUEST_TIMEOUT: "100ms" });
    const answers = await exchange(server.port, bytes);
    expect(answers.map(({ status }) => status)).toStrictEqual([408]);
    expect(JSON.parse(answers[0]?.body ?? "")).toMatchObject({ code: "deadline_exceeded" });
  });

  it("adds nothing to an answer that is out when a refused body stays away", async () => {
    const { server } = await run({ HTTP_HEADERS_TIMEOUT: "100ms", HTTP_REQUEST_TIMEOUT: "100ms" });
    const head = `POST ${READ} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5000000\r\n\r\n`;
    const socket = await openConnection(server.port);
    const received = collect(socket);
    socket.write(head);
    expect((await received).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it("closes a connection that says nothing", async () => {
    const { server } = await run({ HTTP_SOCKET_TIMEOUT: "100ms" });
    const socket = await openConnection(server.port);
    socket.resume();
    await once(socket, "close");
  });

  it("closes connections beyond its bound, and counts them on Node", async () => {
    const { server, counters } = await run({ HTTP_MAX_CONNECTIONS: "1" });
    const first = await openConnection(server.port);
    first.write(get(SALE_PATH));
    await once(first, "data");
    const second = await openConnection(server.port);
    second.resume();
    await once(second, "close");
    // Deno doesn't report it.
    if (process.versions["deno"] === undefined) expect(counters.droppedConnections).toBe(1);
    first.destroy();
  });

  it("closes connections of an address beyond its bound, but none of a trusted proxy", async () => {
    const { server, counters } = await run({ HTTP_MAX_PER_ADDRESS: "1" });
    const first = await openConnection(server.port);
    first.write(get(SALE_PATH));
    await once(first, "data");
    const second = await openConnection(server.port);
    second.on("error", () => {}).resume();
    await once(second, "close");
    expect(counters.refusedConnections).toBe(1);
    first.destroy();
    await gateway?.server.close(AbortSignal.abort());
    const behind = await run({ HTTP_MAX_PER_ADDRESS: "1", TRUSTED_PROXIES: "127.0.0.1" });
    const kept = await Promise.all([1, 2, 3].map(() => openConnection(behind.server.port)));
    for (const [index, socket] of kept.entries()) {
      socket.write(get(SALE_PATH, `X-Forwarded-For: 192.0.2.${index}\r\n${CLOSE}`));
    }
    expect((await Promise.all(kept.map(readAnswers))).flat().map(({ status }) => status)).toStrictEqual([
      200, 200, 200,
    ]);
  });

  it("refuses requests of an address beyond its bound that come by trusted proxies", async () => {
    const { server, fake } = await run({ HTTP_MAX_PER_ADDRESS: "1", TRUSTED_PROXIES: "127.0.0.1" });
    fake.hold();
    const from = (address: string) => get(SALE_PATH, `X-Forwarded-For: ${address}\r\n${CLOSE}`);
    const waiting = await openConnection(server.port);
    waiting.write(from("192.0.2.1"));
    await expect.poll(() => fake.loads).toContain(SALE);
    const [refused] = await exchange(server.port, from("192.0.2.1"));
    expect(refused?.status).toBe(429);
    expect(refused?.headers.get("retry-after")).toBe("1");
    expect(JSON.parse(refused?.body ?? "")).toMatchObject({ code: "resource_exhausted", details: {} });
    const other = exchange(server.port, from("192.0.2.2"));
    fake.release();
    expect([...(await readAnswers(waiting)), ...(await other)].map(({ status }) => status)).toStrictEqual([200, 200]);
    const statusOf = async () => (await exchange(server.port, from("192.0.2.1")))[0]?.status;
    await expect.poll(statusOf).toBe(200);
  });

  it("is none the worse for a client that leaves before its answer", async () => {
    const { server, fake } = await run();
    fake.hold();
    const socket = await openConnection(server.port);
    socket.write(get(SALE_PATH));
    await expect.poll(() => fake.loads).toHaveLength(1);
    socket.destroy();
    await once(socket, "close");
    fake.release();
    expect(await exchange(server.port, get(SALE_PATH, CLOSE))).toMatchObject([{ status: 200 }]);
  });
});

describe("a server that doesn't serve yet", () => {
  it("answers 503 in the shape of all errors, and then on the same connection what is asked for", async () => {
    const { server } = await openGatewayPort(gatewayConfig(new Env({ GATEWAY_PORT: "0" })));
    const socket = await openConnection(server.port);
    socket.write(get(SALE_PATH) + post(`{"SaleUUID":"${SALE}"}`));
    await once(socket, "readable");
    server.serve((_, response) => response.end("served"));
    socket.write(get(SALE_PATH, CLOSE));
    const [first, second, last] = await readAnswers(socket);
    for (const answer of [first, second]) {
      expect([answer?.status, answer?.headers.get("retry-after")]).toStrictEqual([503, "1"]);
      expect(JSON.parse(answer?.body ?? "")).toStrictEqual({
        code: "unavailable",
        message: "The service is starting.",
        details: {},
      });
    }
    expect([last?.status, last?.body]).toStrictEqual([200, "served"]);
    await server.close(AbortSignal.abort());
  });
});

describe("a server that doesn't serve OAuth yet", () => {
  it.each([
    "/oauth/token",
    "/oauth/token?a=b",
    "/oauth/authorize?client_id=x",
    "/oauth/none",
    "http://x/oauth/userinfo",
  ])("answers %s in the shape of OAuth's errors", async (path) => {
    const { server } = await openGatewayPort(gatewayConfig(new Env({ GATEWAY_PORT: "0" })));
    const [answer] = await exchange(server.port, get(path, CLOSE));
    expect([answer?.status, answer?.headers.get("retry-after")]).toStrictEqual([503, "1"]);
    expect(answer?.headers.get("cache-control")).toBe("no-store");
    expect(JSON.parse(answer?.body ?? "")).toStrictEqual({
      error: "temporarily_unavailable",
      error_description: "the service is starting",
    });
    await server.close(AbortSignal.abort());
  });
});

describe("a server that is to close soon", () => {
  it("says with each answer that it was the last on its connection, and still takes connections", async () => {
    const { server, stopping } = await run();
    const kept = await openConnection(server.port);
    kept.write(get(SALE_PATH));
    await once(kept, "readable");
    stopping.abort();
    kept.write(get(SALE_PATH));
    expect((await readAnswers(kept)).map(({ headers }) => headers.get("connection"))).toStrictEqual([
      "keep-alive",
      "close",
    ]);
    const [answer] = await exchange(server.port, get(SALE_PATH));
    expect([answer?.status, answer?.headers.get("connection")]).toStrictEqual([200, "close"]);
  });
});

describe("close", () => {
  it("lets a request under way finish, closes its connection, and accepts no more", async () => {
    const { server, fake } = await run();
    fake.hold();
    const idle = await openConnection(server.port);
    const socket = await openConnection(server.port);
    socket.write(get(SALE_PATH));
    await expect.poll(() => fake.loads).toHaveLength(1);
    const closed = server.close(AbortSignal.timeout(60_000));
    await expect(openConnection(server.port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    fake.release();
    idle.destroy();
    expect(await readAnswers(socket)).toMatchObject([{ status: 200 }]);
    await closed;
  });

  it("closes a kept connection with its next answer", async () => {
    const { server, fake } = await run();
    fake.hold();
    const socket = await openConnection(server.port);
    socket.write(get(SALE_PATH));
    await expect.poll(() => fake.loads).toContain(SALE);
    const closed = server.close(AbortSignal.timeout(60_000));
    socket.write(get(SALE_PATH.replace(SALE, UNKNOWN_SALE)));
    await expect.poll(() => fake.loads).toContain(UNKNOWN_SALE);
    fake.release();
    const answers = await readAnswers(socket);
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 404]);
    expect(answers[1]?.headers.get("connection")).toBe("close");
    await closed;
  });

  it("sends an answer to its end that its client is slow to read", async () => {
    const { server, fake, counters } = await run();
    const expected = withLargeBody(fake);
    const socket = await openConnection(server.port);
    socket.write(get(SALE_PATH));
    await expect.poll(() => counters.waited).toBe(1);
    const closed = server.close(AbortSignal.timeout(60_000));
    const answers = await readAnswers(socket);
    expect(answers[0]?.body).toHaveLength(expected);
    await closed;
  });

  it("closes what is left at the deadline", async () => {
    const { server, fake } = await run();
    fake.hold();
    const socket = await openConnection(server.port);
    socket.on("error", () => {});
    socket.write(get(SALE_PATH));
    await expect.poll(() => fake.loads).toHaveLength(1);
    await server.close(AbortSignal.abort());
    socket.resume();
    if (!socket.destroyed) await once(socket, "close");
  });

  it("resets at the deadline what a client of HTTP/1.0 would take for whole", async () => {
    const { server, fake } = await run();
    const socket = await openEndlessFile(server.port, fake);
    const answers = expect(readAnswers(socket)).rejects.toThrow("ECONNRESET");
    await server.close(AbortSignal.abort());
    await answers;
  });

  it("resets it after a time in which nothing moves", async () => {
    const { server, fake } = await run({ HTTP_SOCKET_TIMEOUT: "100ms" });
    const socket = await openEndlessFile(server.port, fake);
    fake.hold();
    await expect(readAnswers(socket)).rejects.toThrow("ECONNRESET");
  });
});

/** Returns a connection of HTTP/1.0 on which a file has begun, each part of which leads to another one. */
async function openEndlessFile(port: number, fake: FakeCommitments): Promise<Socket> {
  const sale = { ...SUMMARY, status: SaleStatus.SETTLED, stage: SaleStage.DONE };
  const wallets = Array.from({ length: 500 }, () => ({ wallet: `0x${"b1".repeat(20)}` }));
  const list = { generation: 1n, revision: 1n, saleAllocations: { total: "1" }, wallets, nextPageToken: "a" };
  fake.sales.set(SALE, { ...saleAt(1n), sale, allocations: list });
  const socket = await openConnection(port);
  socket.write(`GET /sales/${SALE}/allocations.csv HTTP/1.0\r\nHost: x\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

/** Makes the sale's body larger than the kernel buffers of a connection; returns its length. */
function withLargeBody(fake: FakeCommitments): number {
  const commitments = Array.from({ length: 100 }, () => ({
    price: { numerator: "1", denominator: "1" },
    extraData: new Uint8Array(120_000),
  }));
  const data = create(CommitmentDataSchema, { totalAmount: "1", commitments });
  fake.sales.set(SALE, { generation: 1n, revision: 1n, data });
  return publicBody(data).bytes().length;
}

/** Returns the counters after one cut. */
function cutFor(reason: CutReason): GatewayCounters["cutAnswers"] {
  return { ...createCounters().cutAnswers, [reason]: 1 };
}

function chunked(body: string, type = "application/json"): string {
  return `POST ${READ} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
}

/** All that comes until the connection ends, by a reset, too. */
function collect(socket: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}
