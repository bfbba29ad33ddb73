import { once } from "node:events";
import { createServer } from "node:http";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { itOnNode } from "../testing/it-on-node.ts";
import { rawConnection } from "../testing/raw-connection.ts";
import { listen } from "./listen.ts";
import { cutUnreadAnswers, UnreadAnswers } from "./unread-answers.ts";

const TIMEOUT_MS = 100;
const connection = (bytesWritten: number, writeQueueSize: number) => ({ _handle: { bytesWritten, writeQueueSize } });

describe("UnreadAnswers", () => {
  it("finds a connection of which nothing is taken for the timeout", () => {
    const unread = new UnreadAnswers<object>(TIMEOUT_MS);
    const still = connection(1_000, 400);
    expect(unread.stalled([still], 0)).toEqual([]);
    // More to write is no progress.
    Object.assign(still._handle, { bytesWritten: 1_500, writeQueueSize: 900 });
    expect(unread.stalled([still], 99)).toEqual([]);
    expect(unread.stalled([still], 100)).toEqual([still]);
  });

  it("leaves a reader alone that takes one byte within each timeout", () => {
    const unread = new UnreadAnswers<object>(TIMEOUT_MS);
    const slow = connection(10_000, 5_000);
    for (let now = 0; now < 5_000; now += 50) {
      if (now % 100 === 0) slow._handle.writeQueueSize--;
      expect(unread.stalled([slow], now)).toEqual([]);
    }
  });

  it("waits for the next step of a reader whose operating system takes much at once, at the speed of the last one", () => {
    const unread = new UnreadAnswers<object>(TIMEOUT_MS);
    // As on Linux at 400,000 bytes in each timeout: the first step fills the buffers.
    const slow = connection(20_000_000, 16_000_000);
    const steps = [0, 200, 575, 950, 1_325];
    for (let now = 0; now < 1_700; now += 25) {
      if (now > 0 && steps.includes(now)) slow._handle.writeQueueSize -= 1_500_000;
      expect([now, unread.stalled([slow], now)]).toEqual([now, []]);
    }
    expect(unread.stalled([slow], 1_725)).toEqual([slow]);
  });

  it("waits for the largest step at most, and no longer after a small one", () => {
    const unread = new UnreadAnswers<object>(TIMEOUT_MS);
    const [much, little] = [connection(90_000_000, 40_000_000), connection(500_000, 101_000)];
    expect(unread.stalled([much, little], 0)).toEqual([]);
    expect(unread.stalled([much, little], 100)).toEqual([little]);
    expect(unread.stalled([much], 599)).toEqual([]);
    expect(unread.stalled([much], 600)).toEqual([much]);
  });

  it("begins anew where everything was taken in between", () => {
    const unread = new UnreadAnswers<object>(TIMEOUT_MS);
    const kept = connection(1_000, 1_000);
    unread.stalled([kept], 0);
    kept._handle.writeQueueSize = 0;
    expect(unread.stalled([kept], 90)).toEqual([]);
    Object.assign(kept._handle, { bytesWritten: 2_000, writeQueueSize: 2_000 });
    expect(unread.stalled([kept], 100)).toEqual([]);
    expect(unread.stalled([kept], 200)).toEqual([kept]);
  });

  it("leaves idle connections alone, closed ones, and those of a runtime that doesn't say what was taken", () => {
    const unread = new UnreadAnswers<object>(TIMEOUT_MS);
    const others = [connection(1_000, 0), { _handle: null }, { _handle: {} }];
    for (const now of [0, 1_000]) expect(unread.stalled(others, now)).toEqual([]);
  });
});

describe("cutUnreadAnswers", () => {
  afterEach(() => void vi.useRealTimers());

  const itIfReported = itOnNode("its sockets don't say how much of a write was taken");

  itIfReported("keeps the server's own timeout from a client that reads slowly, and from no other", async () => {
    const answer = Buffer.alloc(64 * 2 ** 20);
    const server = createServer((_, response) => response.end(answer));
    onTestFinished(() => void server.close().closeAllConnections());
    cutUnreadAnswers(server, 600_000);
    const timedOut = new Map<object, boolean>();
    server.on("timeout", (socket) => timedOut.set(socket, socket.destroyed));
    const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
    const [[slow], reader] = await Promise.all([once(server, "connection"), rawConnection(port)]);
    reader.socket.pause();
    reader.socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => slow.writableLength).toBeGreaterThan(0);
    slow.setTimeout(20);
    await expect.poll(() => timedOut.get(slow)).toBe(false);
    const [[silent]] = await Promise.all([once(server, "connection"), rawConnection(port)]);
    silent.setTimeout(20);
    await expect.poll(() => timedOut.get(silent)).toBe(true);
    expect(slow.destroyed).toBe(false);
    reader.socket.destroy();
  });

  it("looks only while somebody is connected", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const server = createServer();
    onTestFinished(() => void server.close().closeAllConnections());
    cutUnreadAnswers(server, TIMEOUT_MS);
    const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
    expect(vi.getTimerCount()).toBe(0);
    for (let time = 0; time < 2; time++) {
      const connected = once(server, "connection");
      const { socket } = await rawConnection(port);
      const [accepted] = await connected;
      vi.advanceTimersByTime(TIMEOUT_MS);
      expect(vi.getTimerCount()).toBe(1);
      const closed = once(accepted, "close");
      socket.destroy();
      await closed;
      vi.advanceTimersByTime(TIMEOUT_MS);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  itIfReported("cuts a connection that sends and reads nothing, and no other", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    const answer = Buffer.alloc(64 * 2 ** 20);
    const server = createServer((request, response) => response.end(request.url === "/large" ? answer : "small"));
    onTestFinished(() => void server.close().closeAllConnections());
    let cut = 0;
    cutUnreadAnswers(server, TIMEOUT_MS, { onCut: () => cut++ });
    const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
    const connected = once(server, "connection");
    const unread = await rawConnection(port);
    const [socket] = await connected;
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    unread.socket.pause();
    unread.socket.write(get("/large"));
    const other = await rawConnection(port);
    onTestFinished(() => void other.socket.destroy());
    other.socket.write(get("/"));
    await other.received("small");
    await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
    // What the client sends meanwhile is no sign that it reads. The buffers of the operating system have taken megabytes.
    for (let step = 0; step < 40; step++) {
      unread.socket.write(get("/"));
      vi.advanceTimersByTime(TIMEOUT_MS / 4);
    }
    expect(cut).toBe(1);
    expect(socket.destroyed).toBe(true);
    other.socket.write(get("/large"));
    await other.received("\0".repeat(1_000));
  });
});
