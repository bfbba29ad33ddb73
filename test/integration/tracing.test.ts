import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { StreamReader } from "../../gateway/testing/stream-reader.ts";
import { describeEachDatabase, type TestDatabase } from "../support/databases/databases.ts";
import { type AuthDeployment, startAuthDeployment } from "../support/processes/auth-deployment.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { freePort } from "../support/processes/free-port.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/processes/gateway-process.ts";
import { type Nats, startNats } from "../support/processes/nats.ts";
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "../support/processes/otlp-receiver.ts";
import { conventionProblems } from "../support/processes/span-conventions.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { SOON } from "../support/repository/polling.ts";
import { apply, openedSale, record } from "../support/sales/sale-messages.ts";

const APPLY = "tidemark.commitments.v1.CommitmentService/ApplyCommitments";
const READ = "tidemark.commitments.v1.CommitmentService/GetCommitmentData";
const PUBLISH = "publish tidemark.commitments.v1.sale.*.updated";
const PROCESS = "process tidemark.commitments.v1.sale.*.updated";
const READ_ROUTE = "/svc/v1/public/sales/{SaleUUID}/commitment-data";
const BROWSER_TRACE = "0af7651916cd43dd8448eb211c80319c";

describe("traces of a service and a gateway", () => {
  const [operator, gatewayKey] = [generateCallerKey(), generateCallerKey()];
  let folder: TemporaryFolder;
  let nats: Nats;
  let receiver: OtlpReceiver;
  let service: CommitmentsProcess;
  let gateway: GatewayProcess;
  let saleUuid: string;
  let rows = 0;

  beforeAll(async () => {
    [folder, nats, receiver] = await Promise.all([temporaryFolder(), startNats(), startOtlpReceiver()]);
    const env = {
      NATS_URL: nats.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-receiver-key=hunter%202",
    };
    service = await startCommitmentsProcess(
      { DATA_DIR: folder.path, ...env },
      { key: operator, otherCallers: { gateway: gatewayKey.text } },
    );
    gateway = await startGatewayProcess({
      COMMITMENTS_URL: service.url,
      CALLER_NAME: "gateway",
      CALLER_KEY: gatewayKey.text,
      CACHE_MAX_STALE: "60s",
      ...env,
    });
    saleUuid = await openedSale(service);
  });
  afterAll(async () => {
    await Promise.all([gateway?.process.kill(), service?.process.kill()]);
    await Promise.all([nats?.stop(), receiver?.stop(), folder?.remove()]);
  });

  const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId);
  const named = (name: string) => receiver.spans.filter((span) => span.name === name);

  /** The path from the span to the root of its trace, as names of services and spans. */
  function pathOf(span: ReceivedSpan): string[] {
    const parent = receiver.spans.find(({ spanId }) => spanId === span.parentSpanId);
    return [...(parent === undefined ? [] : pathOf(parent)), `${span.service}: ${span.name}`];
  }

  it("follow an apply from its RPC through transaction, outbox and NATS to the gateway and its streams", async () => {
    const url = `http://127.0.0.1:${gateway.port}/svc/v1/public/sales/${saleUuid}/commitment-data/stream`;
    const stream = await StreamReader.open(url);
    await stream.event();
    // If a poll of the gateway finds the change before the event comes, the trace ends there, and the next one is used.
    const sent = async () => {
      rows++;
      await apply(service, saleUuid, { upserts: [record(rows)] });
      await expect.poll(() => named(APPLY).length, SOON).toBe(rows);
      return named("send to streams");
    };
    await expect.poll(sent, SOON).not.toEqual([]);
    stream.close();
    const [last] = named("send to streams");
    if (last === undefined) throw new Error("nothing was sent");
    const path = [
      `commitments: ${APPLY}`,
      "commitments: sql transaction",
      `commitments: ${PUBLISH}`,
      `gateway: ${PROCESS}`,
      "gateway: send to streams",
    ];
    await expect.poll(() => pathOf(last), SOON).toEqual(path);
    expect(spansOf(last.traceId).find(({ name }) => name === APPLY)?.attributes).toMatchObject({
      "tidemark.sale_uuid": saleUuid,
    });
  });

  it("follow a change that is too large for an event to the gateway's load", async () => {
    let lockup = false;
    const path = [`commitments: ${PUBLISH}`, `gateway: ${PROCESS}`, `gateway: ${READ}`, `commitments: ${READ}`];
    const loads = async () => {
      lockup = !lockup;
      const upserts = Array.from({ length: 21 }, (_, index) => record(1_000 + index, { lockup }));
      await apply(service, saleUuid, { upserts });
      return named(READ).map((span) => pathOf(span).slice(-4));
    };
    await expect.poll(loads, SOON).toContainEqual(path);
  });

  it("have a read that asks the service, below none of the browser's, and none that is answered from memory", async () => {
    const unknown = randomUUID();
    const headers = { traceparent: `00-${BROWSER_TRACE}-b7ad6b7169203331-01` };
    const read = (uuid: string) =>
      fetch(`http://127.0.0.1:${gateway.port}/svc/v1/public/sales/${uuid}/commitment-data`, { headers });
    expect((await read(saleUuid)).status).toBe(200);
    for (let count = 0; count < 20; count++) expect((await read(saleUuid)).status).toBe(200);
    const before = named(`GET ${READ_ROUTE}`).length;
    expect((await read(unknown)).status).toBe(404);
    await expect.poll(() => named(`GET ${READ_ROUTE}`).length, SOON).toBeGreaterThan(before);
    const reads = named(`GET ${READ_ROUTE}`);
    expect(reads.length).toBeLessThanOrEqual(2);
    for (const { traceId, parentSpanId, links } of reads) {
      expect({ parentSpanId, links }).toEqual({ parentSpanId: "", links: [BROWSER_TRACE] });
      expect(traceId).not.toBe(BROWSER_TRACE);
    }
    expect(reads.at(-1)?.attributes).toMatchObject({ "http.response.status_code": 404n });
  });

  it("show a read that waits for the database, from the gateway to the statement", async () => {
    const unread = await openedSale(service);
    expect((await gateway.get(unread)).status).toBe(200);
    const isOfRead = (span: ReceivedSpan) => pathOf(span)[0] === `gateway: GET ${READ_ROUTE}`;
    const statements = () => receiver.spans.filter((span) => isOfRead(span) && span.attributes["db.system.name"]);
    const path = [`gateway: ${READ}`, `commitments: ${READ}`, "commitments: sql snapshot"];
    await expect.poll(() => statements().map((span) => pathOf(span).slice(1, -1)), SOON).toContainEqual(path);
    expect(statements().map(({ name }) => name)).toContainEqual(expect.stringMatching(/^SELECT sale_state sale/));
  });

  it("have the names, kinds and attributes of the semantic conventions", () => {
    const groups = ["http.request.method", "rpc.system.name", "db.system.name", "messaging.system.name"];
    for (const group of groups) expect(receiver.spans.some(({ attributes }) => group in attributes)).toBe(true);
    expect(new Set(receiver.spans.flatMap(conventionProblems))).toEqual(new Set());
  });

  it("aren't begun by the gateway's regular looks", async () => {
    expect(receiver.spans.filter(({ name }) => name.endsWith("/GetRevisions"))).toEqual([]);
    expect(receiver.spans.filter(({ name, parentSpanId }) => name === READ && parentSpanId === "")).toEqual([]);
  });

  it("come with the headers that are set, and hold no key", () => {
    expect(receiver.headers()["x-receiver-key"]).toBe("hunter 2");
    const text = JSON.stringify(receiver.spans, (_, value) => (typeof value === "bigint" ? String(value) : value));
    for (const secret of [operator.text, gatewayKey.text, "eyJ", "hunter"]) expect(text).not.toContain(secret);
  });

  it("are flushed at the end", async () => {
    const exited = gateway.process.kill("SIGTERM");
    expect(await exited).toEqual({ code: 0, signal: null });
    expect(receiver.spans.some(({ service: name }) => name === "gateway")).toBe(true);
  });
});

describeEachDatabase("the traces of a sign-in", ({ create }) => {
  let database: TestDatabase;
  let receiver: OtlpReceiver;
  let site: AuthDeployment;
  beforeAll(async () => {
    [database, receiver] = await Promise.all([create(), startOtlpReceiver()]);
    site = await startAuthDeployment(database, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  });
  afterAll(async () => {
    await site?.stop();
    await Promise.all([receiver?.stop(), database?.remove()]);
  });

  it("show each step from the page's request to the statements, and no address and no code", async () => {
    const browser = site.browser();
    const page = await browser.open("/sign-in");
    const sent = await browser.send(page, { action: "/sign-in", fields: { email: "ann@example.com" } });
    const code = site.mailedCode("ann@example.com");
    expect(await browser.send(sent, { action: "/sign-in/code", fields: { code } })).toMatchObject({ status: 200 });
    const stepsTo = (name: string) => {
      const path = (span: ReceivedSpan): ReceivedSpan[] => {
        const parent = receiver.spans.find(({ spanId }) => spanId === span.parentSpanId);
        return [...(parent === undefined ? [] : path(parent)), span];
      };
      const paths = receiver.spans.filter(({ attributes }) => "db.system.name" in attributes).map(path);
      return paths.filter(([root]) => root?.name === name);
    };
    const services = () =>
      ["POST /sign-in", "POST /sign-in/code"].map(
        (name) => new Set(stepsTo(name).flatMap((steps) => steps.map(({ service }) => service))),
      );
    const both = new Set(["gateway", "auth"]);
    await expect.poll(services, SOON).toEqual([both, both]);
    for (const steps of stepsTo("POST /sign-in")) {
      expect(new Set(steps.map(({ traceId }) => traceId)).size).toBe(1);
      expect(steps.map(({ kind }) => kind).slice(0, 3)).toEqual(["server", "client", "server"]);
    }
    const systems = new Set(receiver.spans.flatMap(({ attributes }) => attributes["db.system.name"] ?? []));
    expect(systems).toEqual(new Set([database.dialect]));
    expect(new Set(receiver.spans.flatMap(conventionProblems))).toEqual(new Set());
    const text = JSON.stringify(receiver.spans, (_, value) => (typeof value === "bigint" ? String(value) : value));
    for (const secret of ["ann@", code]) expect(text).not.toContain(secret);
  });
});

it("a receiver of traces that is away holds nothing up", async () => {
  const folder = await temporaryFolder();
  const adminPort = await freePort();
  const service = await startCommitmentsProcess({
    DATA_DIR: folder.path,
    ADMIN_PORT: String(adminPort),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: "500",
  });
  const saleUuid = await openedSale(service);
  await apply(service, saleUuid, { upserts: [record(1)] });
  const lost = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    return Number(/^tidemark_trace_spans_total\{result="lost"\} (\d+)$/m.exec(metrics)?.[1]);
  };
  await expect.poll(lost, SOON).toBeGreaterThan(0);
  await expect.poll(() => service.process.output(), SOON).toContain("traces can't be sent and are dropped");
  await apply(service, saleUuid, { upserts: [record(2)] });
  expect(await service.process.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  await folder.remove();
});
