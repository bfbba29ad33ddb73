import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmptySite, launchChromium, serveEmptySite } from "../support/pages/browser.ts";
import { DEMO_SALE_UUID, type EmbeddedTidemark, startEmbedded } from "../support/processes/embedded.ts";

interface FetchOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Part of a response that a script of the page can see. */
interface VisibleAnswer {
  status: number;
  etag: string | null;
  body: unknown;
}

/** A browser asks for permission first (a preflight): JSON isn't a content type that a plain form could send. */
const JSON_TYPE = { "content-type": "application/json" };

const TRACING = {
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  "x-datadog-trace-id": "1",
  "x-requested-with": "XMLHttpRequest",
};

describe("the public read from a page of another origin", () => {
  let tidemark: EmbeddedTidemark;
  let site: EmptySite;
  let otherSite: EmptySite;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [tidemark, site, otherSite, browser] = await Promise.all([
      startEmbedded("node"),
      serveEmptySite(),
      serveEmptySite(),
      launchChromium(),
    ]);
    page = await browser.newPage();
    await page.goto(site.origin);
  });
  afterAll(() => Promise.all([browser?.close(), site?.close(), otherSite?.close(), tidemark?.stop()]));

  function post(body: string): Promise<VisibleAnswer> {
    return fetchInPage(page, tidemark.publicReadUrl, { method: "POST", headers: JSON_TYPE, body });
  }

  it("reads a sale, also with the token that applications send everywhere", async () => {
    const sale = { status: 200, body: { Commitments: expect.any(Array), PaymentTokenDecimals: 6 } };
    const body = JSON.stringify({ SaleUUID: DEMO_SALE_UUID });
    expect(await post(body)).toMatchObject(sale);
    const headers = { ...JSON_TYPE, authorization: "Bearer token" };
    expect(await fetchInPage(page, tidemark.publicReadUrl, { method: "POST", headers, body })).toMatchObject(sale);
  });

  it("reads what is public with the headers that tracing scripts add to each request", async () => {
    const headers = { ...TRACING, authorization: "Bearer token" };
    const init = { method: "POST", headers: { ...JSON_TYPE, ...headers }, body: "{}" };
    expect((await fetchInPage(page, tidemark.publicReadUrl, init)).status).toBe(400);
    for (const path of [
      "/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration",
      "/.well-known/jwks.json",
      "/openapi.json",
    ]) {
      const url = new URL(path, tidemark.publicReadUrl).href;
      expect(await fetchInPage(page, url, { headers })).toMatchObject({ status: 200, body: expect.any(Object) });
    }
  });

  it.each([
    ["an unknown sale", JSON.stringify({ SaleUUID: "00000000-0000-4000-8000-000000000000" }), 404, "not_found"],
    ["a bad UUID", JSON.stringify({ SaleUUID: "demo" }), 400, "invalid_argument"],
    ["bad JSON", "{", 400, "invalid_argument"],
  ])("reads the error of %s", async (_, body, status, code) => {
    expect(await post(body)).toMatchObject({ status, body: { code } });
  });

  it("sees the ETag and may send it back", async () => {
    const url = new URL(`sales/${DEMO_SALE_UUID}/commitment-data`, tidemark.publicReadUrl).href;
    const { status, etag } = await fetchInPage(page, url, {});
    expect({ status, etag }).toEqual({ status: 200, etag: expect.stringMatching(/^W\/"/) });
    // "*" is any state of the sale, which the simulated bidders may have changed since.
    const unchanged = await fetchInPage(page, url, { headers: { "if-none-match": "*" } });
    expect(unchanged.status).toBe(304);
  });

  it("would be refused by the browser without the gateway's permission", async () => {
    const refused = fetchInPage(page, otherSite.origin, { method: "POST", headers: JSON_TYPE, body: "{}" });
    await expect(refused).rejects.toThrow("Failed to fetch");
  });
});

/** Fetches as a script of the page would, past the browser's cache. */
function fetchInPage(page: Page, url: string, options: FetchOptions): Promise<VisibleAnswer> {
  return page.evaluate(
    async ([target, init]) => {
      const response = await fetch(target, { ...init, cache: "no-store" });
      const text = await response.text();
      return {
        status: response.status,
        etag: response.headers.get("etag"),
        body: text === "" ? null : (JSON.parse(text) as unknown),
      };
    },
    [url, options] as const,
  );
}
