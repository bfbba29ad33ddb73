import { Registry } from "prom-client";
import { afterEach, describe, expect, it } from "vitest";
import { Env } from "../common/platform/config/env.ts";
import { Lifecycle } from "../common/platform/lifecycle/lifecycle.ts";
import { startGateway } from "./composition.ts";
import { gatewayConfig } from "./config.ts";
import { FakeCommitments, SALE, saleAt } from "./testing/fake-commitments.ts";
import { silentLogger as logger, openGatewayPort } from "./testing/gateway-parts.ts";

let lifecycle: Lifecycle;

async function start(fake: FakeCommitments) {
  lifecycle = new Lifecycle({ logger });
  const registry = new Registry();
  const config = gatewayConfig(new Env({ GATEWAY_PORT: "0", CACHE_MAX_STALE: "250ms" }));
  const { server, counters } = await openGatewayPort(config);
  startGateway({ config, server, counters, commitments: fake.client, lifecycle, registry, logger });
  const { port } = server;
  lifecycle.markReady();
  const read = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/svc/v1/public/sales/${SALE}/commitment-data`);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { port, registry, read };
}

afterEach(() => lifecycle.stop());

describe("startGateway", () => {
  it("is ready when the commitments service has answered, and stays so when that goes away", async () => {
    const fake = new FakeCommitments();
    fake.fail();
    fake.sales.set(SALE, saleAt(1n));
    const { read } = await start(fake);
    await expect.poll(() => fake.refreshes.length).toBeGreaterThan(0);
    expect(lifecycle.notReady()).toStrictEqual([{ name: "commitments", reason: "has not answered yet" }]);
    fake.recover();
    await expect.poll(() => lifecycle.isReady()).toBe(true);
    await read();
    fake.fail();
    // Its age says that the gateway has noticed.
    await expect.poll(async () => (await read()).headers.get("age"), { timeout: 5000 }).not.toBeNull();
    expect(lifecycle.isReady()).toBe(true);
  });

  it("shows a new revision without being asked for it, and the last body while the service is down", async () => {
    const fake = new FakeCommitments();
    fake.sales.set(SALE, saleAt(1n));
    const { read } = await start(fake);
    expect((await read()).body.TotalCommitmentAmount).toBe("1");
    fake.sales.set(SALE, saleAt(2n));
    await expect.poll(async () => (await read()).body.TotalCommitmentAmount).toBe("2");
    fake.fail();
    await expect.poll(async () => (await read()).headers.get("age"), { timeout: 5000 }).not.toBeNull();
    expect((await read()).status).toBe(200);
    fake.recover();
    await expect.poll(async () => (await read()).headers.get("age")).toBeNull();
  });

  it("counts for Prometheus", async () => {
    const fake = new FakeCommitments();
    fake.sales.set(SALE, saleAt(1n));
    const { read, registry } = await start(fake);
    await read();
    const metrics = await registry.metrics();
    expect(metrics).toContain('tidemark_gateway_public_reads_total{source="commitments"} 1');
    expect(metrics).toContain('tidemark_gateway_upstream_calls_total{method="GetCommitmentData"} 1');
    expect(metrics).toContain('tidemark_gateway_public_read_duration_seconds_count{result="ok"} 1');
    expect(metrics).toContain('tidemark_gateway_public_read_duration_seconds_bucket{le="0.001",result="failed"} 0');
    expect(metrics).toContain('tidemark_gateway_stream_delay_seconds_bucket{le="+Inf"} 0');
    expect(metrics).toContain('tidemark_gateway_errors_total{code="not_found"} 0');
    expect(metrics).toContain("tidemark_gateway_cache_sales 1");
  });

  it("listens no more once it is stopped", async () => {
    const { port } = await start(new FakeCommitments());
    await lifecycle.stop();
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });
});
