import { Code, createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { captureLog } from "../../testing/log-capture.ts";
import { serviceTime } from "../client/service-time.ts";
import { createErrorInterceptor } from "../error-interceptor.ts";
import { createHealth } from "./health.ts";

function start() {
  const lifecycle = { ready: true, isReady: () => lifecycle.ready };
  const health = createHealth({ lifecycle, services: ["tidemark.commitments.v1.SaleService"], watchIntervalMs: 1 });
  const interceptors = [createErrorInterceptor(captureLog().logger)];
  const transport = createRouterTransport((router) => router.service(Health, health), { router: { interceptors } });
  return { lifecycle, client: createClient(Health, transport) };
}

describe("Check", () => {
  it.each(["", "tidemark.commitments.v1.SaleService"])("answers for %j what the lifecycle says", async (service) => {
    const { lifecycle, client } = start();
    expect((await client.check({ service })).status).toBe(ServingStatus.SERVING);
    lifecycle.ready = false;
    expect((await client.check({ service })).status).toBe(ServingStatus.NOT_SERVING);
  });

  it("says the time, for clocks that are compared with it", async () => {
    const router = (now: () => bigint) =>
      createRouterTransport(({ service }) =>
        service(Health, createHealth({ lifecycle: { isReady: () => true }, services: [], now })),
      );
    expect(await serviceTime(router(() => 1_800_000_000_123n))()).toBe(1_800_000_000_123);
    const older = createRouterTransport(({ service }) => service(Health, { check: () => ({}) }));
    await expect(serviceTime(older)()).rejects.toThrow("doesn't say its time");
  });

  it("doesn't know other services", async () => {
    const { client } = start();
    await expect(client.check({ service: "x" })).rejects.toMatchObject({ code: Code.NotFound });
  });
});

describe("Watch", () => {
  it("answers the status at once and then its changes", async () => {
    const { lifecycle, client } = start();
    const seen: ServingStatus[] = [];
    for await (const { status } of client.watch({})) {
      seen.push(status);
      lifecycle.ready = !lifecycle.ready;
      if (seen.length === 3) break;
    }
    expect(seen).toEqual([ServingStatus.SERVING, ServingStatus.NOT_SERVING, ServingStatus.SERVING]);
  });

  it("answers for unknown services that they are unknown", async () => {
    const { client } = start();
    const { value } = await client.watch({ service: "x" })[Symbol.asyncIterator]().next();
    expect(value?.status).toBe(ServingStatus.SERVICE_UNKNOWN);
  });

  it("ends when the client goes away", async () => {
    const { client } = start();
    const controller = new AbortController();
    const stream = client.watch({}, { signal: controller.signal })[Symbol.asyncIterator]();
    await stream.next();
    controller.abort();
    await expect(stream.next()).rejects.toMatchObject({ code: Code.Canceled });
  });
});
