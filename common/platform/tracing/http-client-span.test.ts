import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RecordedSpan, recordSpans } from "../testing/span-recorder.ts";
import { traceHttpRequest } from "./http-client-span.ts";
import { setTracer, traceRoot } from "./tracing.ts";

const TARGET = new URL("https://node.example/secret-key?token=secret");

describe("a request to a host of others", () => {
  let spans: readonly RecordedSpan[];

  beforeEach(() => {
    spans = recordSpans();
  });
  afterEach(() => setTracer(undefined));

  const request = (work: () => Promise<{ readonly status: number }>) =>
    traceRoot("root", {}, () => traceHttpRequest("POST", TARGET, work));
  const server = { "http.request.method": "POST", "server.address": "node.example", "server.port": 443 };

  it("is a client span without the path and query of its URL", async () => {
    expect(await request(async () => ({ status: 200 }))).toEqual({ status: 200 });
    const attributes = { ...server, "http.response.status_code": 200 };
    expect(spans.slice(1)).toEqual([{ name: "POST", kind: "client", attributes }]);
    expect(JSON.stringify(spans)).not.toContain("secret");
  });

  it("has failed with its status, or with what was thrown", async () => {
    await request(async () => ({ status: 503 }));
    await request(() => Promise.reject(new TypeError("secret"))).catch(() => undefined);
    expect(spans.filter(({ name }) => name === "POST")).toMatchObject([
      { failure: "503", attributes: { "http.response.status_code": 503 } },
      { failure: "TypeError", attributes: server },
    ]);
  });

  it("is no span outside of a trace", async () => {
    await traceHttpRequest("GET", TARGET, async () => ({ status: 200 }));
    expect(spans).toEqual([]);
  });
});
