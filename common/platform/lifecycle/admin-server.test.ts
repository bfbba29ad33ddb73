import { Registry } from "prom-client";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMetrics } from "../metrics/metrics.ts";
import { captureLog } from "../testing/log-capture.ts";
import { rawConnection } from "../testing/raw-connection.ts";
import { startAdminServer } from "./admin-server.ts";
import { Lifecycle } from "./lifecycle.ts";

async function start(registry = createMetrics({ service: "test" })) {
  const { logger, lines } = captureLog();
  const lifecycle = new Lifecycle({ logger });
  const server = await startAdminServer({ host: "127.0.0.1", port: 0, lifecycle, registry, logger });
  onTestFinished(() => server.close());
  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);
  return { server, lifecycle, lines, get };
}

describe("admin server", () => {
  it("is alive before it is ready", async () => {
    const { get } = await start();
    expect((await get("/healthz")).status).toBe(200);
    const readiness = await get("/readyz");
    expect(readiness.status).toBe(503);
    expect(await readiness.json()).toEqual({
      status: "not ready",
      reasons: [{ name: "lifecycle", reason: "starting" }],
    });
  });

  it("answers 200 to /readyz while ready, and 503 with the reasons else", async () => {
    const { get, lifecycle } = await start();
    let database: boolean | string = true;
    lifecycle.addReadinessCheck("database", () => database);
    lifecycle.markReady();
    expect((await get("/readyz?verbose")).status).toBe(200);
    database = "no connection";
    expect(await (await get("/readyz")).json()).toMatchObject({
      reasons: [{ name: "database", reason: "no connection" }],
    });
  });

  it("serves the metrics as Prometheus text", async () => {
    const { get } = await start();
    const response = await get("/metrics");
    expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
    expect(await response.text()).toContain("tidemark_process_info");
  });

  it("shows people a page of the process's status", async () => {
    const { get, lifecycle } = await start();
    lifecycle.addReadinessCheck("database", () => "<does not answer>");
    lifecycle.markReady();
    const response = await get("/status");
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    const page = await response.text();
    expect(page).toContain("not ready: database: &lt;does not answer&gt;");
    expect(page).toContain("Wrong in this process: 1.");
  });

  it("answers HEAD without a body", async () => {
    const { get } = await start();
    const response = await get("/healthz", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  it("answers 404 to other paths and 405 to other methods", async () => {
    const { get } = await start();
    expect((await get("/")).status).toBe(404);
    const post = await get("/healthz", { method: "POST", body: "x" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("answers 500 where a metric fails, and logs why", async () => {
    const registry = new Registry();
    registry.metrics = () => Promise.reject(new Error("collector broke"));
    const { get, lines } = await start(registry);
    const response = await get("/metrics");
    expect([response.status, await response.text()]).toEqual([500, '{"error":"internal"}\n']);
    expect(lines).toMatchObject([{ level: "error", err: { message: "collector broke" } }]);
  });

  it("closes at once, open connections included", async () => {
    const { server } = await start();
    const connection = await rawConnection(server.port);
    await server.close();
    await connection.closed();
  });

  it("says why it can't listen", async () => {
    const { server, lifecycle } = await start();
    const { logger } = captureLog();
    const again = startAdminServer({
      host: "127.0.0.1",
      port: server.port,
      lifecycle,
      registry: new Registry(),
      logger,
    });
    await expect(again).rejects.toMatchObject({ name: "ConfigError", variable: "ADMIN_PORT" });
  });
});
