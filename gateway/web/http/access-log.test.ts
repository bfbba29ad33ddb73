import { EventEmitter } from "node:events";
import type { IncomingMessage, RequestListener } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createLogger } from "../../../common/platform/log/log.ts";
import { setTracer } from "../../../common/platform/tracing/tracing.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { type RunningGateway, runGateway } from "../../testing/gateway-parts.ts";
import { createAccessLog } from "./access-log.ts";

const READ = "/svc/v1/public/read-commitment-data";
const DATA = `/svc/v1/public/sales/${SALE}/commitment-data`;
const DATA_ROUTE = "/svc/v1/public/sales/{SaleUUID}/commitment-data";
const UNKNOWN_SALE = "99999999-9999-4999-8999-999999999999";
const OTHER_SALE = "99999999-9999-4999-8999-999999999998";

describe("the access log", () => {
  let gateway: RunningGateway | undefined;
  let lines: string[];

  afterEach(async () => {
    setTracer(undefined);
    gateway?.fake.release();
    await gateway?.server.close(AbortSignal.abort());
    gateway = undefined;
  });

  async function run(variables: Readonly<Record<string, string>>) {
    lines = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: "gateway", level: "info", destination });
    gateway = await runGateway(variables, undefined, logger);
    const { server } = gateway;
    const url = `http://127.0.0.1:${server.port}`;
    const request = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(url + path, { redirect: "manual", ...init });
      await answer.arrayBuffer();
      return answer.status;
    };
    return { ...gateway, request };
  }

  const logged = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");

  it("is off by default", async () => {
    const { request } = await run({});
    expect(await request(DATA)).toBe(200);
    expect(lines).toEqual([]);
  });

  it("has a line for each request where the share is 1, with its route and without any value of it", async () => {
    const { request } = await run({ ACCESS_LOG: "1" });
    const secret = { headers: { cookie: "session=hunter2", authorization: "Bearer hunter2", "user-agent": "hunter2" } };
    const body = JSON.stringify({ SaleUUID: SALE });
    const json = { "content-type": "application/json" };
    expect(await request(`${DATA}?token=hunter2`, secret)).toBe(200);
    expect(await request(READ, { method: "POST", body, headers: json })).toBe(200);
    expect(await request(`/svc/v1/public/sales/${UNKNOWN_SALE}/commitment-data`)).toBe(404);
    expect(await request("/hunter2")).toBe(404);
    await expect.poll(() => logged().length).toBe(4);
    expect(logged()).toMatchObject([
      { "http.request.method": "GET", "http.route": DATA_ROUTE, "http.response.status_code": 200 },
      { "http.request.method": "POST", "http.route": READ, "http.response.status_code": 200 },
      { "http.request.method": "GET", "http.route": DATA_ROUTE, "http.response.status_code": 404 },
      { "http.request.method": "GET", "http.response.status_code": 404 },
    ]);
    expect(logged()[3]).not.toHaveProperty("http.route");
    for (const line of logged()) {
      expect(line).toMatchObject({ level: "info", service: "gateway", durationMs: 0 });
      expect(line["http.response.size"]).toBeGreaterThan(100);
    }
    for (const text of ["hunter2", "127.0.0.1", SALE, UNKNOWN_SALE]) expect(lines.join("")).not.toContain(text);
  });

  it("has those that failed or were slow, whatever the share is, and no others with 0", async () => {
    const { request, fake, clock } = await run({ ACCESS_LOG: "0", ACCESS_LOG_SLOW: "500ms" });
    expect(await request(DATA)).toBe(200);
    fake.hold();
    const slow = request(`/svc/v1/public/sales/${UNKNOWN_SALE}/commitment-data`);
    await expect.poll(() => fake.loads.length).toBe(2);
    clock.now += 500;
    fake.release();
    expect(await slow).toBe(404);
    await expect.poll(logged).toMatchObject([{ durationMs: 500, "http.response.status_code": 404 }]);
    fake.fail();
    expect(await request(`/svc/v1/public/sales/${OTHER_SALE}/commitment-data`)).toBe(503);
    await expect.poll(() => logged().slice(1)).toMatchObject([{ "http.response.status_code": 503 }]);
  });

  it("has at most a hundred lines a second that the share doesn't choose", () => {
    lines = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: "gateway", level: "info", destination });
    let nowMs = 5_000;
    const log = createAccessLog({ share: 0, slowMs: 1_000 }, { logger, now: () => nowMs, random: () => 0 });
    const fail = (count: number) => {
      for (let index = 0; index < count; index++) {
        const request = Object.assign(new EventEmitter(), { method: "GET", socket: { bytesWritten: 0 } });
        const response = Object.assign(new EventEmitter(), { statusCode: 503, headersSent: true });
        log(request as unknown as IncomingMessage, response as unknown as Parameters<RequestListener>[1]);
        response.emit("close");
      }
    };
    fail(101);
    expect(lines.length).toBe(100);
    nowMs += 1_000;
    fail(1);
    expect(lines.length).toBe(101);
  });

  it("names the trace of a request that waited for a service", async () => {
    const context = { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 };
    setTracer({ start: () => ({ context, set: () => {}, rename: () => {}, fail: () => {}, end: () => {} }) });
    const { request } = await run({ ACCESS_LOG: "1" });
    await request(DATA);
    await expect.poll(logged).toMatchObject([{ trace_id: context.traceId, span_id: context.spanId }]);
    await request(DATA);
    await expect.poll(() => logged().length).toBe(2);
    expect(logged()[1]).not.toHaveProperty("trace_id");
  });
});
