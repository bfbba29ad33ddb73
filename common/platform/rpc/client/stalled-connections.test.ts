import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type CallOptions, Code, createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SALE_UUID } from "../testing/test-server.ts";
import { createRpcTransport } from "./client.ts";

const ANSWER = "HTTP/1.1 200 OK\r\ncontent-type: application/proto\r\ncontent-length: 0\r\n\r\n";
const LATE = JSON.stringify({ code: "deadline_exceeded", message: "the database is slow" });
const LATE_ANSWER = `HTTP/1.1 504 Late\r\ncontent-type: application/json\r\ncontent-length: ${LATE.length}\r\n\r\n${LATE}`;
/** Calls side by side, each on a connection of its own. */
const CALLS = 3;

/** A server that keeps connections and answers when the test says so. */
async function startServer(host: string) {
  const sockets: Socket[] = [];
  /** Connections on which a request waits for its answer. */
  let waiting: Socket[] = [];
  const stalled = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    socket.on("data", () => void (stalled.has(socket) || waiting.push(socket)));
  }).listen(0, host);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const client = createClient(CommitmentService, createRpcTransport({ baseUrl: url, defaultTimeoutMs: 60_000 }));
  const call = (options?: CallOptions) => client.requestSweep({ saleUuid: SALE_UUID }, options);
  return {
    call,
    sockets,
    /** Answers that many calls, once all of them are there. */
    answer: async (count: number, answer = ANSWER) => {
      await expect.poll(() => waiting.length).toBe(count);
      for (const socket of waiting.splice(0)) socket.write(answer);
    },
    /** Answers nothing more on the connections that there are. */
    stall: () => {
      waiting = [];
      for (const socket of sockets) stalled.add(socket);
    },
  };
}

it.each<[string, string, () => CallOptions]>([
  ["missed deadline", "127.0.0.1", () => ({ timeoutMs: 100 })],
  ["missed deadline", "::1", () => ({ timeoutMs: 100 })],
  ["signal of a time-out", "127.0.0.1", () => ({ signal: AbortSignal.timeout(100) })],
])("one %s closes all idle connections of a process that is gone (%s)", async (_, host, options) => {
  const { call, sockets, answer, stall } = await startServer(host);
  const calls = Array.from({ length: CALLS }, () => call());
  await answer(CALLS);
  await Promise.all(calls);
  stall();
  await expect(call(options())).rejects.toThrow();
  // Deno keeps the one on which the call was, for no other call.
  await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(CALLS - 1);
  const next = call();
  await answer(1);
  await next;
  expect(sockets).toHaveLength(CALLS + 1);
});

it("a call that its caller gives up closes no connection but its own", async () => {
  const { call, sockets, answer } = await startServer("127.0.0.1");
  const calls = Array.from({ length: CALLS }, () => call());
  await answer(CALLS);
  await Promise.all(calls);
  await expect(call({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: Code.Canceled });
  const again = Array.from({ length: CALLS }, () => call());
  await answer(CALLS);
  await Promise.all(again);
  expect(sockets).toHaveLength(CALLS + 1);
});

it("a process that says itself that it was late keeps its connections", async () => {
  const { call, sockets, answer } = await startServer("127.0.0.1");
  const calls = Array.from({ length: CALLS }, () => call());
  await answer(CALLS);
  await Promise.all(calls);
  const late = expect(call()).rejects.toMatchObject({
    code: Code.DeadlineExceeded,
    rawMessage: "the database is slow",
  });
  await answer(1, LATE_ANSWER);
  await late;
  const again = Array.from({ length: CALLS }, () => call());
  await answer(CALLS);
  await Promise.all(again);
  expect(sockets).toHaveLength(CALLS);
});
