import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Health, HealthCheckResponse_ServingStatus } from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { selfSignedCertificate } from "../../../../test/support/processes/tls-certificate.ts";
import { createRpcTransport } from "../client/client.ts";
import type { TlsPair } from "../identity/rpc-tls.ts";
import { startTestServer } from "../testing/test-server.ts";

const { SERVING } = HealthCheckResponse_ServingStatus;
const TIMEOUT_MS = 60_000;

describe("a port with TLS", () => {
  let pair: TlsPair;
  beforeAll(async () => {
    pair = await selfSignedCertificate("localhost");
  });

  const start = async (limits = {}) => {
    const server = await startTestServer({}, { tls: { read: () => pair }, limits });
    return { ...server, baseUrl: `https://localhost:${server.port}` };
  };
  const secureConnection = async (port: number): Promise<TLSSocket> => {
    const socket = connect({ host: "localhost", port, ca: pair.cert });
    onTestFinished(() => void socket.destroy());
    await once(socket, "secureConnect");
    return socket;
  };

  it("serves calls over HTTP/1.1, and again on the same connection", async () => {
    const { baseUrl } = await start();
    const transport = createRpcTransport({ baseUrl, ca: pair.cert, defaultTimeoutMs: TIMEOUT_MS, maxConnections: 1 });
    const health = createClient(Health, transport);
    for (const _ of Array(3)) expect((await health.check({})).status).toBe(SERVING);
  });

  it.each([
    ["Connect", createConnectTransport],
    ["gRPC", createGrpcTransport],
  ])("serves %s over HTTP/2", async (_, create) => {
    const { baseUrl, url } = await start();
    expect(url).toMatch(/^https:/);
    const sessionManager = new Http2SessionManager(baseUrl, undefined, { ca: pair.cert });
    onTestFinished(() => sessionManager.abort());
    const health = createClient(Health, create({ baseUrl, httpVersion: "2", sessionManager }));
    expect((await health.check({})).status).toBe(SERVING);
  });

  it("drops who says nothing", async () => {
    const { port } = await start({ headersTimeoutMs: 200 });
    const silent = connectTcp(port, "127.0.0.1");
    silent.on("error", () => {}).resume();
    await once(silent, "close");
  });

  it("drops who doesn't shake hands, and goes on", async () => {
    const { port, baseUrl } = await start();
    const strange = connectTcp(port, "127.0.0.1");
    strange.on("error", () => {}).resume();
    const closed = once(strange, "close");
    strange.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await closed;
    const transport = createRpcTransport({ baseUrl, ca: pair.cert, defaultTimeoutMs: TIMEOUT_MS });
    expect((await createClient(Health, transport).check({})).status).toBe(SERVING);
  });

  it("closes connections in excess, those at their handshake counted", async () => {
    const { port } = await start({ maxConnections: 2 });
    const [secure, silent] = [await secureConnection(port), connectTcp(port, "127.0.0.1")];
    onTestFinished(() => void silent.destroy());
    await once(silent, "connect");
    const excess = connectTcp(port, "127.0.0.1");
    excess.on("error", () => {}).resume();
    await once(excess, "close");
    expect(secure.destroyed).toBe(false);
  });

  it("stops although somebody is at a handshake, and somebody idle", async () => {
    const server = await start();
    const [idle, silent] = [await secureConnection(server.port), connectTcp(server.port, "127.0.0.1")];
    await once(silent, "connect");
    const closed = [idle, silent].map((socket) => {
      socket.on("error", () => {}).resume();
      return once(socket, "close");
    });
    await server.close(new AbortController().signal);
    await Promise.all(closed);
  });
});
