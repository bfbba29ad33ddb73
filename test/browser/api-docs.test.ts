import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type FullGateway, startFullGateway } from "../../gateway/testing/auth-gateway.ts";
import { SALE, saleAt } from "../../gateway/testing/fake-commitments.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";
import { freePort } from "../support/processes/free-port.ts";

/** A busy machine takes its time over a script of this size. */
const POLL_TIMEOUT_MS = 120_000;

describe("the page of the API", () => {
  let browser: Browser;
  let gateway: FullGateway;
  let origin: string;
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    gateway = await startFullGateway({ GATEWAY_PORT: `${port}`, AUTH_URL: origin });
    gateway.commitments.sales.set(SALE, saleAt(1n));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it.each(["light", "dark"] as const)("shows every operation and sends a request, %s", async (colorScheme) => {
    const { page, complaints, close } = await openWatchedPage(browser, { colorScheme });
    onTestFinished(close);
    page.setDefaultTimeout(POLL_TIMEOUT_MS);
    await page.goto(`${origin}/docs`);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.locator(".opblock").count()).toBe(0);
    await page.getByRole("button", { name: "Try requests and see all fields" }).press("Enter");
    const document = await (await fetch(`${origin}/openapi.json`)).json();
    const operations = Object.values(document.paths as Record<string, object>).flatMap((item) =>
      Object.keys(item).filter((key) => key === "get" || key === "post"),
    );
    await expect.poll(() => page.locator(".opblock").count(), { timeout: POLL_TIMEOUT_MS }).toBe(operations.length);
    await page.locator("#listing").waitFor({ state: "hidden" });
    expect(await page.locator(".errors-wrapper, .version-pragma, .loading-container").count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.locator(".opblock-summary-control").first().press("Enter");
    await page.getByRole("button", { name: "Try it out" }).click();
    await page.getByRole("button", { name: "Execute" }).click();
    await page.locator(".live-responses-table").getByText("TotalCommitmentAmount").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("opens Swagger UI for links into it", async () => {
    const { page, close } = await openWatchedPage(browser, {});
    onTestFinished(close);
    await page.goto(`${origin}/docs#/Sign-in/GET%3Aoauth.Authorize`);
    await page.locator(".opblock.is-open").waitFor({ timeout: POLL_TIMEOUT_MS });
  });

  it("fits a phone, and can be read without scripts", async () => {
    const { page, complaints, close } = await openWatchedPage(browser, {
      javaScriptEnabled: false,
      viewport: { width: 360, height: 800 },
    });
    onTestFinished(close);
    await page.goto(`${origin}/docs`);
    expect(await page.getByRole("heading", { name: "GET /oauth/authorize" }).isVisible()).toBe(true);
    await page.getByText("Example of a request", { exact: false }).first().click();
    expect(await page.getByText('"SaleUUID"').first().isVisible()).toBe(true);
    expect(await page.getByRole("button").count()).toBe(0);
    expect(await page.getByRole("link", { name: "openapi.json" }).getAttribute("href")).toBe("/openapi.json");
    const box = await page.locator("main").boundingBox();
    expect(box?.width).toBeLessThanOrEqual(360);
    expect(complaints).toEqual([]);
  });
});
