import { readFile } from "node:fs/promises";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type AuthGateway, startAuthGateway } from "../../gateway/testing/auth-gateway.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { BIDDER, SALE_LOGO, saleStates } from "../../gateway/testing/sale-states.ts";
import { pngImage } from "../../services/auth/testing/images.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage, REPORT_LAYOUT_SHIFTS } from "../support/pages/watched-page.ts";
import { freePort } from "../support/processes/free-port.ts";

const WAIT = { timeout: 120_000 };
const PAGE = `/sales/${SALE}`;
const { cleared, settled } = saleStates(1_800_000_000n);

let browser: Browser;
let gateway: AuthGateway;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  gateway = await startAuthGateway({ CACHE_MAX_STALE: "250ms", GATEWAY_PORT: String(await freePort()) });
  gateway.commitments.sales.set(SALE, settled);
  gateway.commitments.logos.set(SALE_LOGO, pngImage(64, 64));
});
afterEach(() => gateway.stop());

async function open(options: BrowserContextOptions = {}, address = PAGE) {
  const { page, complaints, close } = await openWatchedPage(browser, { baseURL: gateway.origin, ...options });
  onTestFinished(close);
  await page.addInitScript(REPORT_LAYOUT_SHIFTS);
  await page.goto(address);
  return { page, complaints };
}

describe("the page of a settled sale", () => {
  it("has the result and the look-up first, and what went before folded below", async () => {
    const { page, complaints } = await open({ viewport: { width: 360, height: 900 } });
    await page.locator('#state[data-state="settled"]').waitFor(WAIT);
    expect(
      await page
        .locator(".tile", { has: page.locator("#clearing") })
        .locator("dt")
        .textContent(),
    ).toBe("Final price per token");
    const names = ["#accepted", "#look-up-title", "#decides-title", ".folded > summary"];
    const tops = await Promise.all(
      names.map((name) => page.locator(name).evaluate((element) => element.getBoundingClientRect().top)),
    );
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    expect(await page.locator("#look-up-title").textContent()).toBe("Allocations by wallet");
    expect(await page.locator("figure[data-chart]").filter({ visible: true }).count()).toBe(0);
    expect(complaints).toStrictEqual([]);
    // What is unfolded moves what is below it.
    await page.locator(".folded > summary").press("Enter");
    await page.locator('[data-chart="history"][data-drawn] canvas').waitFor(WAIT);
    expect(await page.locator("#latest").isVisible()).toBe(true);
    expect(await violationsOf(page)).toStrictEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });

  it("has all of it without script", async () => {
    const { page } = await open({ javaScriptEnabled: false });
    await page.locator(".folded > summary").click();
    expect(await page.locator('[data-chart="history"] img').isVisible()).toBe(true);
    await page.locator("#wallet").fill(BIDDER);
    await page.getByRole("button", { name: "Look up" }).click();
    await page.locator("#outcome").getByText("Accepted", { exact: true }).waitFor(WAIT);
  });

  it.each([360, 1280])("leads to the list of all allocations, which needs no script, %i pixels wide", async (width) => {
    const { page, complaints } = await open({ viewport: { width, height: 900 } });
    await page.getByRole("link", { name: "All allocations" }).click();
    await page.locator("#allocations").waitFor(WAIT);
    expect(await violationsOf(page)).toStrictEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await page.getByRole("link", { name: "Next page" }).getAttribute("rel")).toBe("next");
    expect(await page.locator("script").count()).toBe(0);
    await page.locator("#wallet").fill(BIDDER);
    await page.getByRole("button", { name: "Look up" }).click();
    await page.locator("#outcome").getByText("Accepted", { exact: true }).waitFor(WAIT);
    expect(complaints.filter((complaint) => !complaint.includes("layout shift"))).toStrictEqual([]);
  });

  it("says when there will be allocations while it isn't settled", async () => {
    gateway.commitments.sales.set(SALE, cleared);
    const { page } = await open({ javaScriptEnabled: false }, `${PAGE}/allocations`);
    expect(await page.locator("h1").textContent()).toBe("No allocations yet");
    expect(await page.locator("time").count()).toBe(1);
  });

  it("prints the receipt of a wallet, and stores it as a file", async () => {
    const { page } = await open({ viewport: { width: 360, height: 900 } }, `${PAGE}#wallet=${BIDDER}`);
    const [file] = await Promise.all([
      page.waitForEvent("download", WAIT),
      page.getByRole("button", { name: "Save as CSV" }).click(WAIT),
    ]);
    const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
    expect(lines[0]).toBe('\ufeff"Address of the wallet","Commitment","Time","Amount","Price","State"');
    expect(lines).toContain(`"${BIDDER}","Accepted","","300","",""`);
    await page.evaluate("window.print = () => {}");
    await page.getByRole("button", { name: "Print a receipt" }).click();
    await page.emulateMedia({ media: "print" });
    const shown = (selectors: readonly string[]) =>
      Promise.all(selectors.map((selector) => page.locator(selector).first().isVisible()));
    const [kept, left] = [
      ["#name", "#outcome", "#bids", ".address", "#receipt p"],
      ["#total", "#decides", ".folded", "#receipt button", "#wallet", "#forget", "#contract ~ button"],
    ];
    expect(await shown(kept)).toEqual(kept.map(() => true));
    expect(await shown(left)).toEqual(left.map(() => false));
    expect(await page.locator("#receipt p").textContent()).toContain(BIDDER);
    await page.evaluate(`dispatchEvent(new Event("afterprint"))`);
    expect(await page.locator("html[data-receipt]").count()).toBe(0);
  });

  it("is led to from a page that was open before, on which nothing moves", async () => {
    gateway.commitments.sales.set(SALE, cleared);
    const { page, complaints } = await open();
    await page.locator('#state[data-state="live"]').waitFor(WAIT);
    gateway.commitments.sales.set(SALE, { ...settled, revision: 2n });
    await page.getByRole("link", { name: "See result" }).click(WAIT);
    await page.locator("main[data-result]").waitFor(WAIT);
    expect(complaints.filter((complaint) => !complaint.includes("layout shift"))).toStrictEqual([]);
  });
});
