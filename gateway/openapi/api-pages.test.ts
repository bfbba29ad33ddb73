import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AuthGateway, startAuthGateway } from "../testing/auth-gateway.ts";
import { exchange } from "../testing/raw-connection.ts";
import { openApiDocument } from "./openapi-document.ts";

let gateway: AuthGateway;
afterEach(() => gateway.stop());

describe("GET /openapi.json", () => {
  beforeEach(async () => {
    gateway = await startAuthGateway();
  });
  const get = (headers: Record<string, string> = {}) => fetch(`${gateway.origin}/openapi.json`, { headers });

  it("answers the document, to any web page", async () => {
    const answer = await get();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const auth = { authUrl: "http://localhost:8080", publicBaseUrl: "http://localhost:8080" };
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument({ pathPrefix: "svc", auth }))));
  });

  it("answers 304 to who has it", async () => {
    const etag = (await get()).headers.get("etag") ?? "";
    expect((await get({ "if-none-match": etag })).status).toBe(304);
  });

  it("answers no other method", async () => {
    const answer = await fetch(`${gateway.origin}/openapi.json`, { method: "POST", body: "{}" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

describe("GET /docs", () => {
  beforeEach(async () => {
    gateway = await startAuthGateway();
  });
  const filesOf = (page: string) =>
    [...page.matchAll(/(?:href|src|data-style|data-script)="(\/docs\/[^"]+)"/g)].map(([, path]) => path);

  it("lists every operation without a script", async () => {
    const page = await (await fetch(`${gateway.origin}/docs`)).text();
    expect(page).toContain("POST /svc/v1/public/read-commitment-data");
    expect(page).toContain("GET /oauth/authorize");
    expect(page).toContain('href="/openapi.json"');
    expect(page).not.toMatch(/<script(?! defer src=)|<style| style=| on\w+=/);
  });

  it("lets nothing in but what is ours", async () => {
    const { headers } = await fetch(`${gateway.origin}/docs`);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' http://localhost:8080; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    );
  });

  it("has its files under names that change with their content, so that they may be kept", async () => {
    const files = filesOf(await (await fetch(`${gateway.origin}/docs`)).text());
    expect(files).toHaveLength(4);
    for (const file of files) {
      const answer = await fetch(gateway.origin + file);
      expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, "gzip"]);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect((await answer.text()).length).toBeGreaterThan(500);
    }
  });

  it("sends a file as it is to who takes no gzip", async () => {
    const [style = ""] = filesOf(await (await fetch(`${gateway.origin}/docs`)).text());
    const request = (coding: string) =>
      `GET ${style} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${coding}\r\nConnection: close\r\n\r\n`;
    const [[plain], [gzipped]] = await Promise.all([
      exchange(gateway.port, request("identity")),
      exchange(gateway.port, request("gzip")),
    ]);
    expect(gzipped?.headers.get("content-encoding")).toBe("gzip");
    expect(plain?.headers.has("content-encoding")).toBe(false);
    const whole = gunzipSync(Buffer.from(gzipped?.body ?? "", "latin1")).toString("latin1");
    expect(plain?.body).toBe(whole);
  });

  it.each(["/docs/", "/docs/unknown.js", "/docs/../docs/x", "/docs/index.html"])("has nothing at %s", async (path) => {
    const answer = await fetch(gateway.origin + path);
    expect(answer.status).toBe(404);
  });
});

describe("with a host of its own for sign-in", () => {
  it("is served on the host of the public read", async () => {
    gateway = await startAuthGateway({
      AUTH_URL: "https://sign-in.example",
      PUBLIC_BASE_URL: "https://sale.example",
    });
    const status = async (host: string, path: string) => {
      const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      return (await exchange(gateway.port, request))[0]?.status;
    };
    for (const path of ["/openapi.json", "/docs"]) {
      expect(await status("sale.example", path)).toBe(200);
      expect(await status("sign-in.example", path)).toBe(404);
    }
  });
});
