import type { Browser, BrowserContextOptions, Page } from "playwright-core";
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
const AT_OR_MORE = /^\$\S+ at \$\S+ or more$/;
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

/** Opens the page at a drawn chart. @returns the place of its plot, and a function that says where the cross-hair's lines meet */
async function drawnChart(page: Page, name: string) {
  await page.goto(`/sales/${SALE}`);
  await expect.poll(() => page.locator(DRAWN).count(), WAIT).toBe(4);
  const plot = page.locator(`[data-chart="${name}"] .u-over`);
  await plot.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const box = await plot.boundingBox();
  if (box === null) throw new Error("the chart isn't shown");
  const crossing = () =>
    page
      .locator(`[data-chart="${name}"] .u-hz, [data-chart="${name}"] .u-cursor-pt`)
      .evaluateAll((marks: HTMLElement[]) => marks.map(({ style }) => style.transform));
  return { box, crossing };
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

  it("have a cross-hair on the curve, wherever above or below it the pointer is", async () => {
    const page = await open({ viewport: { width: 1280, height: 900 } });
    const { box, crossing } = await drawnChart(page, "demand");
    await page.mouse.move(box.x + box.width * 0.6, box.y + 10);
    await expect.poll(() => page.locator('[data-chart="demand"] .readout').textContent(), WAIT).toMatch(AT_OR_MORE);
    const above = await crossing();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height - 10);
    expect(await crossing()).toEqual(above);
    await page.mouse.move(box.x + box.width * 0.9, box.y + box.height - 10);
    await expect.poll(crossing, WAIT).not.toEqual(above);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator('[data-chart="demand"] .readout').textContent(), WAIT).toMatch(/^Clears at /);
  });

  it("show the value at a finger until it taps there again or elsewhere", async () => {
    const page = await open({ viewport: { width: 1280, height: 900 }, hasTouch: true });
    const { box } = await drawnChart(page, "demand");
    const readout = () => page.locator('[data-chart="demand"] .readout').textContent();
    const tap = () => page.touchscreen.tap(box.x + box.width * 0.6, box.y + 40);
    await tap();
    await expect.poll(readout, WAIT).toMatch(AT_OR_MORE);
    await tap();
    await expect.poll(readout, WAIT).toMatch(/^Clears at /);
    await tap();
    await expect.poll(readout, WAIT).toMatch(AT_OR_MORE);
    await page.touchscreen.tap(box.x, box.y - 60);
    await expect.poll(readout, WAIT).toMatch(/^Clears at /);
  });

  it("are one at a time on a phone, in the same place, and all on paper", async () => {
    const page = await open({ viewport: { width: 360, height: 900 } });
    await page.goto(`/sales/${SALE}`);
    await expect.poll(() => page.locator(DRAWN).count(), WAIT).toBe(4);
    const shown = () =>
      page
        .locator("figure[data-chart]")
        .filter({ visible: true })
        .evaluateAll((all) => all.map(({ dataset }) => dataset["chart"]));
    const top = () => page.locator("#look-up").evaluate((element) => element.getBoundingClientRect().top + scrollY);
    const before = await top();
    expect(await shown()).toEqual(["history"]);
    await page.getByRole("button", { name: "Demand" }).press("Enter");
    expect(await shown()).toEqual(["demand"]);
    expect(await page.getByRole("button", { name: "Demand" }).getAttribute("aria-pressed")).toBe("true");
    expect(await top()).toBe(before);
    await page.emulateMedia({ media: "print" });
    expect(await shown()).toHaveLength(4);
  });

  it("say in a sentence what they show", async () => {
    const page = await open();
    await page.goto(`/sales/${SALE}`);
    await expect.poll(() => page.locator(DRAWN).count(), WAIT).toBe(4);
    const names = await page
      .getByRole("img")
      .evaluateAll((plots) => plots.map((plot) => plot.getAttribute("aria-label")));
    expect(names.filter((name) => name !== null)).toEqual([
      expect.stringMatching(/^From .+ to .+, the amount committed went from \$0 to \$14\.25M\.$/),
      "All bids are $14.25M, at prices from $0.05 to $0.32: the higher the price, the less is bid at it or above. Clears at $0.1312. Floor $0.10.",
      expect.stringMatching(
        /^From .+ to .+, the price per token went from \$0\.1312 to \$0\.1312\. It was .+ at the highest\.$/,
      ),
      expect.stringMatching(/^From .+ to .+, the number of commitments went from 0 to 408\.$/),
    ]);
  });
});
