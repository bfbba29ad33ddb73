import type { Interceptor, ServiceImpl, Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import { onTestFinished } from "vitest";
import { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { captureLog, type LogCapture } from "../../testing/log-capture.ts";
import type { CallerCredentials } from "../identity/caller-keys.ts";
import { callerInterceptor } from "../identity/caller-token.ts";
import { namedKeyAuthenticator } from "../identity/named-key-authenticator.ts";
import { serveHealth } from "../server/health.ts";
import { type HttpListenerOptions, openHttpListener } from "../server/http-listener.ts";
import { createRequestGate } from "../server/request-gate.ts";
import { type RpcServer, type RpcServerOptions, startRpcServer } from "../server/server.ts";

export const SALE_UUID = "11111111-1111-4111-8111-111111111111";

export const credentials: CallerCredentials = {
  name: "gateway",
  key: new Uint8Array(32).fill(7),
  audience: "tidemark.commitments",
};

/** Creates a transport to a server's URL. Its calls come from `credentials`, unless it gets other interceptors. */
export type CreateTransport = (baseUrl: string, interceptors?: Interceptor[]) => Transport;

/** All kinds of transports that the server supports. */
export const transports: readonly {
  readonly name: string;
  readonly http2: boolean;
  readonly create: CreateTransport;
}[] = [
  { name: "Connect over HTTP/1.1", http2: false, create: (...to) => createConnectTransport(http1(...to)) },
  { name: "Connect over HTTP/2", http2: true, create: (...to) => createConnectTransport(http2(...to)) },
  { name: "gRPC", http2: true, create: (...to) => createGrpcTransport(http2(...to)) },
  { name: "gRPC-Web over HTTP/1.1", http2: false, create: (...to) => createGrpcWebTransport(http1(...to)) },
  { name: "gRPC-Web over HTTP/2", http2: true, create: (...to) => createGrpcWebTransport(http2(...to)) },
];

export interface TestServer extends RpcServer, LogCapture {}

/**
 * Starts a server of the commitment and the health service, whose gate lets `gateway` call all methods except
 * `AcquireSaleLease`. It is closed at the end of the test.
 */
export async function startTestServer(
  implementation: Partial<ServiceImpl<typeof CommitmentService>>,
  options: Partial<RpcServerOptions & HttpListenerOptions> = {},
): Promise<TestServer> {
  const log = captureLog();
  const address = { host: "127.0.0.1", port: 0, logger: log.logger };
  const server = startRpcServer({
    listener: options.listener ?? (await openHttpListener({ ...address, ...options })),
    gate: testGate(),
    logger: log.logger,
    routes: (router) => {
      router.service(CommitmentService, implementation);
      serveHealth(router, { lifecycle: { isReady: () => true }, services: [] });
    },
    ...options,
  });
  onTestFinished(() => server.close(AbortSignal.abort()));
  return { ...server, ...log };
}

function testGate() {
  const keys = new Map([[credentials.name, [credentials.key]]]);
  const methods = CommitmentService.methods.filter(({ name }) => name !== "AcquireSaleLease");
  return createRequestGate({
    authenticator: namedKeyAuthenticator({ keys, audience: credentials.audience }),
    allowed: { [CommitmentService.typeName]: Object.fromEntries(methods.map(({ name }) => [name, ["gateway"]])) },
  });
}

function http1(baseUrl: string, interceptors = [callerInterceptor(credentials)]) {
  return { baseUrl, interceptors, httpVersion: "1.1" as const };
}

function http2(baseUrl: string, interceptors = [callerInterceptor(credentials)]) {
  const sessionManager = new Http2SessionManager(baseUrl);
  // Before the server is closed: its GOAWAY may crash Deno's client, and with it the process (denoland/deno#36788).
  onTestFinished(() => sessionManager.abort());
  return { baseUrl, interceptors, httpVersion: "2" as const, sessionManager };
}
