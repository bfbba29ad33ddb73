import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../../test/support/processes/free-port.ts";
import { startOtlpReceiver } from "../../../../test/support/processes/otlp-receiver.ts";
import { runProbes } from "../../checks/run-probes.ts";
import { Env } from "../../config/env.ts";
import { traceReceiverProbe } from "./receiver-probe.ts";
import { tracingConfig } from "./tracing-config.ts";

async function check(variables: Readonly<Record<string, string>>) {
  const findings = await runProbes([traceReceiverProbe(() => tracingConfig(new Env(variables), "any"))]);
  return findings.map(({ level, text }) => `${level}: ${text}`);
}

it("sends a request without spans, with the headers of the settings", async () => {
  const receiver = await startOtlpReceiver();
  onTestFinished(() => receiver.stop());
  const OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url;
  expect(await check({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: "x-key=secret" })).toEqual([
    "ok: takes traces",
  ]);
  expect(receiver.headers()).toMatchObject({ "x-key": "secret", "content-type": "application/x-protobuf" });
  expect(receiver.spans).toEqual([]);
  expect(await check({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/elsewhere` })).toEqual([
    "warning: answers with HTTP 404, so no trace arrives",
  ]);
});

it("warns of a receiver that isn't there or refuses the process", async () => {
  const server = createServer((_, response) => response.writeHead(401).end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await check({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })).toEqual([
    "warning: refuses this process (HTTP 401)",
  ]);
  expect(await check({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` })).toEqual([
    expect.stringMatching(/^warning: (?!.*http:).*(ECONNREFUSED|Connection refused).*, so no trace arrives$/),
  ]);
  expect(await check({})).toEqual(["ok: isn't used, as no OTEL_EXPORTER_OTLP_ENDPOINT is set"]);
});

it("never shows the URL, which may hold a secret", async () => {
  const config = tracingConfig(new Env({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1" }), "any");
  const url = "http://me:hunter2@127.0.0.1/";
  const findings = await runProbes([traceReceiverProbe(() => config && { ...config, url })]);
  // Deno sends it, without user name and password.
  expect(findings.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^(?!.*hunter2)(the request can't be sent|.*Connection refused.*), so no trace arrives$/),
  ]);
});
