import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type RawConnection, rawConnection } from "../../testing/raw-connection.ts";
import { signCallerToken } from "../identity/caller-token.ts";
import { credentials, SALE_UUID, startTestServer } from "../testing/test-server.ts";

const HEALTH = "/grpc.health.v1.Health/Check";
const GET_REVISIONS = "/tidemark.commitments.v1.CommitmentService/GetRevisions";
const BODY = JSON.stringify({ saleUuids: [SALE_UUID] });
const TIMEOUT_MS = 10_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const start = () => startTestServer({ getRevisions: () => ({}) });
const callerToken = () => signCallerToken(credentials, Math.floor(Date.now() / 1_000));

describe("a connection's first call that is allowed", () => {
  it("is awaited for a short time over HTTP/1.1", async () => {
    const { port } = await start();
    const call = (path: string, body: string, token: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const open = async (text: string, answer: string): Promise<RawConnection> => {
      const connection = await rawConnection(port);
      onTestFinished(() => void connection.socket.destroy());
      connection.socket.write(text);
      await connection.received(answer);
      return connection;
    };
    const health = await open(call(HEALTH, "{}", "x"), "SERVING");
    const stranger = await open(call(GET_REVISIONS, BODY, "x"), "HTTP/1.1 401 ");
    const token = await callerToken();
    const caller = await open(call(GET_REVISIONS, BODY, token), "HTTP/1.1 200 ");
    vi.advanceTimersByTime(TIMEOUT_MS);
    await Promise.all([health.closed(), stranger.closed()]);
    caller.socket.write(call(HEALTH, "{}", token));
    expect(await caller.received("SERVING")).toContain("HTTP/1.1 200 ");
  });

  it("is awaited for a short time over HTTP/2", async () => {
    const { url } = await start();
    const open = () => {
      const session = connect(url).on("error", () => {});
      onTestFinished(() => session.destroy());
      const endings: string[] = [];
      session.once("goaway", (code) => void endings.push(`goaway ${code}`));
      const closed = new Promise<readonly string[]>((resolve) => session.once("close", () => resolve(endings)));
      return { session, closed };
    };
    const statusOf = async (session: ClientHttp2Session, path: string, body: string, token: string) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const stream = session.request({ ":method": "POST", ":path": path, ...headers });
      stream.end(body);
      const [answer] = await once(stream, "response");
      stream.resume();
      await once(stream, "close");
      return answer[":status"];
    };
    const [health, stranger, caller] = [open(), open(), open()];
    const token = await callerToken();
    expect(await statusOf(health.session, HEALTH, "{}", token)).toBe(200);
    expect(await statusOf(stranger.session, GET_REVISIONS, BODY, "x")).toBe(401);
    expect(await statusOf(caller.session, GET_REVISIONS, BODY, token)).toBe(200);
    vi.advanceTimersByTime(TIMEOUT_MS);
    // A client that only asks for health, such as a probe, learns that its connection ends, and loses no request by it.
    expect(await Promise.all([health.closed, stranger.closed])).toEqual([["goaway 0"], ["goaway 0"]]);
    expect(await statusOf(caller.session, GET_REVISIONS, BODY, token)).toBe(200);
  });
});
