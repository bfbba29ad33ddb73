import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type AuthGateway, startAuthGateway } from "../../gateway/testing/auth-gateway.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { saleStates } from "../../gateway/testing/sale-states.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";
import { freePort } from "../support/processes/free-port.ts";

const WAIT = { timeout: 120_000 };
const DRAWN = "figure[data-chart][data-drawn] canvas";
/** Records the colour of the charts' first curve, and how wide they are, while the page is printed. */
const RECORD_PRINT = `addEventListener("beforeprint", () => {
  window.printed = {
    accent: getComputedStyle(document.querySelector("figure[data-chart]")).getPropertyValue("--accent").trim(),
    widths: Array.from(document.querySelectorAll(".u-wrap"), ({ style }) => style.width),
    total: document.querySelector('[data-chart="history"] .readout').textContent,
  };
});`;
const LIGHT_ACCENT = "#0b6275";
/** Figure on paper, which says of which day it is. */
const DATED = /^\$14\.25M as of \d+ \w+ \d{4}, \d\d:\d\d, block 19,000,000$/;
const READOUT = '[data-chart="history"] .readout';

let browser: Browser;
let gateway: AuthGateway;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  gateway = await startAuthGateway({ CACHE_MAX_STALE: "250ms", GATEWAY_PORT: String(await freePort()) });
  gateway.commitments.sales.set(SALE, saleStates(1_800_000_000n).cleared);
});
afterEach(() => gateway.stop());

async function open(options: BrowserContextOptions = {}) {
  const { page, close } = await openWatchedPage(browser, { baseURL: gateway.origin, ...options });
  onTestFinished(close);
  return page;
}

describe("the charts of a sale's page", () => {
  it("are on paper in light colours, unscrolled and with the gateway away, and dark on the screen again", async () => {
    const page = await open({ colorScheme: "dark" });
    await page.goto(`/sales/${SALE}`);
    await expect.poll(() => page.locator(DRAWN).count(), WAIT).toBe(4);
    expect(await page.evaluate("scrollY")).toBe(0);
    await gateway.stop();
    await page.locator('#state[data-state="lost"]').waitFor(WAIT);
    // After the page's own listener, which draws the charts anew.
    await page.evaluate(RECORD_PRINT);
    await page.pdf();
    const printed = { accent: LIGHT_ACCENT, widths: Array(4).fill("100%"), total: expect.stringMatching(DATED) };
    expect(await page.evaluate("window.printed")).toEqual(printed);
    await expect.poll(() => page.locator("html[data-paper]").count(), WAIT).toBe(0);
    expect(await page.locator(DRAWN).count()).toBe(4);
  });

  it("say on paper of which time a live figure is, and on the screen that it is of now", async () => {
    const page = await open();
    await page.goto(`/sales/${SALE}`);
    await expect.poll(() => page.locator(READOUT).textContent(), WAIT).toBe("$14.25M now");
    await page.evaluate(RECORD_PRINT);
    await page.pdf();
    expect(await page.evaluate("window.printed.total")).toMatch(DATED);
    await expect.poll(() => page.locator(READOUT).textContent(), WAIT).toBe("$14.25M now");
  });

  it("are on paper without what needs a screen", async () => {
    const page = await open();
    await page.goto(`/sales/${SALE}`);
    await page.locator('#state[data-state="live"]').waitFor(WAIT);
    const isShown = () =>
      Promise.all(
        ["#name", "#until", "#pause", "#site", "#left", "#look-up"].map((id) => page.locator(id).isVisible()),
      );
    expect(await isShown()).toEqual([true, true, true, true, true, true]);
    await page.emulateMedia({ media: "print" });
    expect(await isShown()).toEqual([true, true, false, false, false, false]);
  });

  it("come late where what draws them couldn't be loaded at first", async () => {
    const page = await open();
    await page.clock.install();
    let refused = 0;
    await page.route(/\/(?:charts|uPlot\.iife\.min)-?[^/]*\.js$/, (route) =>
      refused++ < 2 ? route.abort() : route.continue(),
    );
    await page.goto(`/sales/${SALE}`);
    await expect
      .poll(async () => {
        await page.clock.runFor(2_000);
        return page.locator(DRAWN).count();
      }, WAIT)
      .toBe(4);
    expect(refused).toBeGreaterThan(2);
  });
});
