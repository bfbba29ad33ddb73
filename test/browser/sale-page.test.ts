import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type AuthGateway, startAuthGateway } from "../../gateway/testing/auth-gateway.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { worstSale } from "../../gateway/testing/worst-sale.ts";
import { SaleStatus } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { violationsOf } from "../support/axe.ts";
import { launchChromium } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { openWatchedPage, REPORT_LAYOUT_SHIFTS, type WatchedPage } from "../support/watched-page.ts";

const PAGE = `/sales/${SALE}`;
/** Ends what hangs. */
const WAIT = { timeout: 120_000 };
const SETTINGS = { CACHE_MAX_STALE: "250ms" };
const LIVE = '#state[data-state="live"]';

let browser: Browser;
let gateway: AuthGateway;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  gateway = await startAuthGateway({ ...SETTINGS, GATEWAY_PORT: String(await freePort()) });
  gateway.commitments.sales.set(SALE, worstSale(1n));
});
afterEach(() => gateway.stop());

async function open(options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const watched = await openWatchedPage(browser, { baseURL: gateway.origin, ...options });
  await watched.page.addInitScript(REPORT_LAYOUT_SHIFTS);
  await watched.page.goto(PAGE);
  return watched;
}

/** The sale with another total. @param total in smallest units of 18 decimals */
function change(revision: bigint, total: string, status = SaleStatus.OPEN): void {
  const { sale, data, ...rest } = worstSale(revision);
  gateway.commitments.sales.set(SALE, { ...rest, sale: { ...sale, status }, data: { ...data, totalAmount: total } });
}

const ONE = "1000000000000000000";
const TWO = "2000000000000000000";

describe.each([
  [360, "light"],
  [768, "dark"],
  [1280, "dark"],
] as const)("the page of a sale at %i px, %s", (width, colorScheme) => {
  it("draws its charts, follows the sale, keeps still, is accessible and fits", async () => {
    const { page, complaints, close } = await open({ viewport: { width, height: 900 }, colorScheme });
    await page.locator(LIVE).waitFor(WAIT);
    await page.locator("figure[data-drawn]").first().waitFor(WAIT);
    await page.locator('figure[data-chart="demand"]').scrollIntoViewIfNeeded();
    await page.locator('figure[data-chart="demand"][data-drawn] canvas').waitFor(WAIT);
    change(2n, TWO);
    await expect.poll(() => page.locator("#total").textContent(), WAIT).toBe("$2.00");
    expect(await page.locator("#total").getAttribute("value")).toBe("2");
    expect(await violationsOf(page)).toStrictEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(complaints).toStrictEqual([]);
    await close();
  });
});

describe("the page of a sale", () => {
  it("is whole without script", async () => {
    const { page, complaints, close } = await open({ javaScriptEnabled: false });
    expect(await page.locator("#latest tbody tr").count()).toBe(100);
    expect(await page.locator("#total").isVisible()).toBe(true);
    const charts = await page.locator("figure img").all();
    expect(charts).toHaveLength(2);
    for (const chart of charts) {
      await chart.scrollIntoViewIfNeeded();
      expect(await chart.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      expect(await chart.getAttribute("alt")).toMatch(/^(?:Committed over time|Demand by price)\. .+\.$/);
    }
    expect(await page.locator(".live noscript p").isVisible()).toBe(true);
    expect(await page.locator("button").filter({ visible: true }).count()).toBe(0);
    expect(complaints).toStrictEqual([]);
    await close();
  });

  it("pauses by the keyboard, and goes on with the latest figures", async () => {
    change(2n, ONE);
    const { page, close } = await open();
    await page.locator(LIVE).waitFor(WAIT);
    await expect.poll(() => page.locator("#total").textContent(), WAIT).toBe("$1.00");
    await page.locator("body").press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Paused", { exact: true }).waitFor(WAIT);
    change(3n, TWO);
    await expect.poll(async () => (await bodyOf()).TotalCommitmentAmount, WAIT).toBe(TWO);
    expect(await page.locator("#total").textContent()).toBe("$1.00");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("#total").textContent(), WAIT).toBe("$2.00");
    await close();
  });

  it("shows that the sale is settled, though no figure changes", async () => {
    const { page, close } = await open();
    await page.locator(LIVE).waitFor(WAIT);
    const { sale, ...rest } = worstSale(2n);
    gateway.commitments.sales.set(SALE, { ...rest, sale: { ...sale, status: SaleStatus.SETTLED } });
    await page.locator('#status[data-status="settled"]').waitFor(WAIT);
    await close();
  });

  it("says that its stream is gone, and goes on when it is back", async () => {
    const { page, close } = await open();
    await page.locator(LIVE).waitFor(WAIT);
    const { port } = gateway;
    await gateway.stop();
    await page.getByText(/^Not live since \d\d:\d\d:\d\d UTC: trying again$/).waitFor(WAIT);
    gateway = await startAuthGateway({ ...SETTINGS, GATEWAY_PORT: String(port) });
    change(2n, TWO);
    await page.locator(LIVE).waitFor(WAIT);
    await expect.poll(() => page.locator("#total").textContent(), WAIT).toBe("$2.00");
    await close();
  });

  it("says as of when its figures are while they can't be read, though its stream is there", async () => {
    const { page, close } = await openWatchedPage(browser, { baseURL: gateway.origin });
    await page.clock.install();
    await page.goto(PAGE);
    await page.locator(LIVE).waitFor(WAIT);
    gateway.commitments.fail();
    await vi.waitFor(async () => {
      await page.clock.runFor(61_000);
      const state = await page.locator("#state").textContent();
      expect(state).toMatch(/^As of \d\d:\d\d:\d\d UTC: can’t be read now$/);
    }, WAIT);
    gateway.commitments.recover();
    change(2n, TWO);
    await page.locator(LIVE).waitFor(WAIT);
    await close();
  });

  it("shows an unknown sale's visitor where to look", async () => {
    const { page, close } = await openWatchedPage(browser, { baseURL: gateway.origin });
    await page.goto("/sales/00000000-0000-4000-8000-000000000000");
    expect(await page.getByRole("heading").textContent()).toBe("There is no such sale");
    expect(await violationsOf(page)).toStrictEqual([]);
    await close();
  });
});

async function bodyOf(): Promise<{ readonly TotalCommitmentAmount: string }> {
  return (await fetch(`${gateway.origin}/svc/v1/public/sales/${SALE}/commitment-data`)).json();
}
