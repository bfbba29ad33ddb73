import { Gauge, Registry } from "prom-client";
import { expect, it } from "vitest";
import { createMetrics } from "../metrics/metrics.ts";
import { readProcessStatus } from "./process-status.ts";

const lifecycle = { notReady: () => [{ name: "database", reason: "does not answer" }] };

it("is read from the readiness and the metrics of the process", async () => {
  const registry = createMetrics({ service: "auth" });
  const labelNames = ["chain"];
  const gauge = { name: "tidemark_indexer_head_lag_seconds", help: "A lag.", labelNames, registers: [registry] };
  new Gauge(gauge).set({ chain: "base" }, 12);
  expect(await readProcessStatus({ lifecycle, registry })).toMatchObject({
    service: "auth",
    notReady: lifecycle.notReady(),
    measurements: [{ metric: "tidemark_indexer_head_lag_seconds", labels: { chain: "base" }, value: 12 }],
  });
});

it("has a metric that fails as not a number", async () => {
  const registry = new Registry();
  const collect = () => Promise.reject(new Error("the database doesn't answer"));
  new Gauge({ name: "tidemark_outbox_backlog", help: "A backlog.", registers: [registry], collect });
  expect((await readProcessStatus({ lifecycle, registry })).measurements).toEqual([
    { metric: "tidemark_outbox_backlog", labels: {}, value: Number.NaN },
  ]);
});
