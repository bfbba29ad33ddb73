import { create } from "@bufbuild/protobuf";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AuthGateway, startAuthGateway } from "../../gateway/testing/auth-gateway.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { worstSale } from "../../gateway/testing/worst-sale.ts";
import {
  FeedFault,
  SalePresentationSchema,
  SaleStage,
  SaleStatus,
} from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { pngImage } from "../../services/auth/testing/images.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage, REPORT_LAYOUT_SHIFTS, type WatchedPage } from "../support/pages/watched-page.ts";
import { freePort } from "../support/processes/free-port.ts";

const PAGE = `/sales/${SALE}`;
/** Ends what hangs. */
const WAIT = { timeout: 120_000 };
const SETTINGS = { CACHE_MAX_STALE: "250ms" };
const LIVE = '#state[data-state="live"]';
const NOT_LIVE = /^Not live since \d\d:\d\d: trying again$/;
const AT_POINTER = /^\d+ \w+ \d{4}, \d\d:\d\d:\d\d: \$/;
/** Sets the reader's clock back by a day. */
const WRONG_CLOCK = "{ const now = Date.now; Date.now = () => now() - 86_400_000; }";
/** Notes the last block of which the page has had a heartbeat. */
const NOTE_BLOCKS = `EventSource = class extends EventSource {
  constructor(url) {
    super(url);
    this.addEventListener("heartbeat", ({ data }) => (window.block = JSON.parse(data).AsOf?.Block));
  }
}`;
/** Records every text that the history's readout is given. */
const RECORD_READOUT = `window.readouts = [];
new MutationObserver((records) => {
  for (const { addedNodes } of records) window.readouts.push(...Array.from(addedNodes, ({ data }) => data));
}).observe(document.querySelector('[data-chart="history"] .readout'), { childList: true })`;

let browser: Browser;
let gateway: AuthGateway;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  gateway = await startAuthGateway({ ...SETTINGS, GATEWAY_PORT: String(await freePort()) });
  gateway.commitments.sales.set(SALE, worstSale(1n));
  gateway.commitments.logos.set("ab".repeat(32), pngImage(64, 64));
});
afterEach(() => gateway.stop());

async function open(options: BrowserContextOptions = {}, script = ""): Promise<WatchedPage> {
  const watched = await openWatchedPage(browser, { baseURL: gateway.origin, ...options });
  await watched.page.addInitScript(script);
  await watched.page.addInitScript(REPORT_LAYOUT_SHIFTS);
  await watched.page.goto(PAGE);
  return watched;
}

/** The sale with another total, read from a block. @param total in smallest units of 18 decimals */
function changeAt(revision: bigint, total: string, height: bigint): void {
  const { data, ...rest } = worstSale(revision);
  const asOf = { position: { height, hash: new Uint8Array(32) }, lastSuccess: { seconds: 1_800_000_003n } };
  gateway.commitments.sales.set(SALE, { ...rest, data: { ...data, totalAmount: total }, feedState: { asOf } });
}

/** The sale with another total. @param total in smallest units of 18 decimals */
function change(revision: bigint, total: string, status = SaleStatus.OPEN): void {
  const { sale, data, ...rest } = worstSale(revision);
  gateway.commitments.sales.set(SALE, { ...rest, sale: { ...sale, status }, data: { ...data, totalAmount: total } });
}

const ONE = "1000000000000000000";
const TWO = "2000000000000000000";

// The narrowest one is in German, whose words are longer.
describe.each([
  [360, "light", "de-DE", "2,00\u00a0$"],
  [768, "dark", "en-GB", "$2.00"],
  [1280, "dark", "en-GB", "$2.00"],
] as const)("the page of a sale at %i px, %s, %s", (width, colorScheme, locale, two) => {
  it("draws its charts, follows the sale, keeps still, is accessible and fits", async () => {
    const { page, complaints, close } = await open({ viewport: { width, height: 900 }, colorScheme, locale });
    await page.locator(LIVE).waitFor(WAIT);
    await page.locator('figure[data-chart="history"]').scrollIntoViewIfNeeded();
    await page.locator('figure[data-chart="history"][data-drawn]').waitFor(WAIT);
    // A phone shows one chart at a time.
    if (width < 768) await page.locator('[data-tab="demand"]').click();
    await page.locator('figure[data-chart="demand"]').scrollIntoViewIfNeeded();
    await page.locator('figure[data-chart="demand"][data-drawn] canvas').waitFor(WAIT);
    change(2n, TWO);
    await expect.poll(() => page.locator("#total").textContent(), WAIT).toBe(two);
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
    expect(charts).toHaveLength(4);
    for (const chart of charts) {
      await chart.scrollIntoViewIfNeeded();
      expect(await chart.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      expect(await chart.getAttribute("alt")).toMatch(
        /^(?:(?:Committed|Price|Commitments) over time|Demand by price)\. .+\.$/,
      );
    }
    expect(await page.locator(".live noscript p").isVisible()).toBe(true);
    expect(await page.locator("button").filter({ visible: true }).allTextContents()).toStrictEqual(["Look up"]);
    expect(await page.locator("#source").textContent()).toMatch(/^As of block /);
    expect(await page.locator(".zone").textContent()).toBe("Times: UTC");
    expect(await page.locator("#left").isVisible()).toBe(false);
    expect(complaints).toStrictEqual([]);
    await close();
  });

  it("pauses by the keyboard, and goes on with the latest figures", async () => {
    changeAt(2n, ONE, 19_000_001n);
    const { page, close } = await open({}, NOTE_BLOCKS);
    await page.locator(LIVE).waitFor(WAIT);
    await expect.poll(() => page.locator("#total").textContent(), WAIT).toBe("$1.00");
    await page.locator("#pause").focus();
    await page.keyboard.press("Enter");
    await page.getByText("Paused", { exact: true }).waitFor(WAIT);
    expect(await page.locator("#pause").textContent()).toBe("Resume");
    changeAt(3n, TWO, 19_000_002n);
    await expect.poll(async () => (await bodyOf()).TotalCommitmentAmount, WAIT).toBe(TWO);
    await expect.poll(() => page.evaluate("window.block"), WAIT).toBe("19000002");
    expect(await page.locator("#total").textContent()).toBe("$1.00");
    expect(await page.locator("#source").textContent()).toBe("As of block 19,000,001");
    await page.keyboard.press("Enter");
    expect(await page.locator("#source").textContent()).toBe("As of block 19,000,002");
    await expect.poll(() => page.locator("#total").textContent(), WAIT).toBe("$2.00");
    expect(await page.locator("#pause").textContent()).toBe("Pause");
    await close();
  });

  it("shows that the sale is settled, though no figure changes, and is neither live nor can be paused", async () => {
    const { page, complaints, close } = await open();
    await page.locator(LIVE).waitFor(WAIT);
    const { sale, ...rest } = worstSale(2n);
    gateway.commitments.sales.set(SALE, { ...rest, sale: { ...sale, status: SaleStatus.SETTLED } });
    await page.locator('#status[data-status="settled"]').waitFor(WAIT);
    await page.locator("#state").getByText("The sale is over").waitFor(WAIT);
    expect(await page.locator("#pause").isVisible()).toBe(false);
    expect(complaints).toStrictEqual([]);
    await close();
  });

  it("opens and closes at the announced times while it stands, where no stage is known", async () => {
    const now = BigInt(Math.ceil(Date.now() / 1_000));
    const times = { opensAtSeconds: now + 3_600n, closesAtSeconds: now + 7_200n };
    const presentation = create(SalePresentationSchema, { ...times, website: "https://a.example/" });
    const { sale, ...rest } = worstSale(2n);
    gateway.commitments.sales.set(SALE, { ...rest, sale: { ...sale, stage: SaleStage.UNSPECIFIED, presentation } });
    const watched = await openWatchedPage(browser, { baseURL: gateway.origin });
    const { page, complaints, close } = watched;
    await page.clock.install();
    await page.goto(PAGE);
    const shown = () =>
      Promise.all(["#status", "#stage", "#site"].map((selector) => page.locator(selector).textContent()));
    await expect.poll(() => page.locator("#left").textContent(), WAIT).toMatch(/^\d\d:\d\d:\d\d$/);
    expect(await shown()).toEqual(["Upcoming", "Not open yet", "Take part"]);
    await page.clock.fastForward(3_600_000);
    await expect.poll(shown, WAIT).toEqual(["Open", "The sale is open", "Take part"]);
    await page.clock.fastForward(3_600_000);
    await expect.poll(shown, WAIT).toEqual(["Closed", "Bidding has closed", "Visit their site"]);
    expect(await page.locator("#countdown").isVisible()).toBe(false);
    expect(complaints).toStrictEqual([]);
    await close();
  });

  it("counts down by the server's clock and in the reader's time zone, and follows stage and texts", async () => {
    const inAnHour = BigInt(Math.floor(Date.now() / 1_000) + 3_600);
    const describe = (revision: bigint, name: string, stage: SaleStage, description: string) => {
      const { sale, ...rest } = worstSale(revision);
      const presentation = create(SalePresentationSchema, { description, closesAtSeconds: inAnHour });
      gateway.commitments.sales.set(SALE, { ...rest, sale: { ...sale, name, stage, presentation } });
    };
    describe(1n, "Before", SaleStage.COMMITMENT, "What is sold.");
    const { page, complaints, close } = await open({ timezoneId: "Asia/Tokyo" }, WRONG_CLOCK);
    await expect.poll(() => page.locator("#left").textContent(), WAIT).toMatch(/^(?:00:59:\d\d|01:00:00)$/);
    const local = { hour: "2-digit", minute: "2-digit", timeZone: "Asia/Tokyo" } as const;
    const closing = new Date(Number(inAnHour) * 1_000).toLocaleTimeString("en-GB", local);
    expect(await page.locator("#until").textContent()).toMatch(new RegExp(`, ${closing}$`));
    expect(await page.locator("#until").getAttribute("title")).toMatch(/ UTC$/);
    describe(2n, "After", SaleStage.CANCELLATION, "What is sold, in other words.");
    await page.locator("#stage").getByText("Time to cancel").waitFor(WAIT);
    expect(await page.locator("#countdown").isVisible()).toBe(false);
    await page.locator("#name").getByText("After").waitFor(WAIT);
    expect(await page.locator(".description p").textContent()).toBe("What is sold, in other words.");
    expect(await page.title()).toBe("After · Tidemark");
    expect(complaints.filter((complaint) => !complaint.includes("layout shift"))).toStrictEqual([]);
    await close();
  });

  it("says that its stream is gone, and goes on when it is back", async () => {
    const { page, close } = await open();
    await page.locator(LIVE).waitFor(WAIT);
    const { port } = gateway;
    await gateway.stop();
    await page.getByText(NOT_LIVE).waitFor(WAIT);
    gateway = await startAuthGateway({ ...SETTINGS, GATEWAY_PORT: String(port) });
    change(2n, TWO);
    await page.locator(LIVE).waitFor(WAIT);
    await expect.poll(() => page.locator("#total").textContent(), WAIT).toBe("$2.00");
    await close();
  });

  it("says since when its figures stand still and why, without moving anything", async () => {
    const block = {
      position: { height: 19_000_000n, hash: new Uint8Array(32) },
      blockTime: { seconds: 1_800_000_000n },
    };
    const asOf = { ...block, lastSuccess: { seconds: 1_800_000_003n } };
    gateway.commitments.sales.set(SALE, { ...worstSale(1n), feedState: { asOf } });
    const { page, complaints, close } = await open({ viewport: { width: 360, height: 900 }, timezoneId: "Asia/Tokyo" });
    await page.locator("#source").getByText("As of block 19,000,000: 15 Jan 2027, 17:00:00").waitFor(WAIT);
    await expect.poll(() => stateOf(page), WAIT).toBe("live: Live");
    gateway.commitments.sales.set(SALE, { ...worstSale(1n), feedState: { asOf, fault: FeedFault.UNREADABLE } });
    await expect.poll(() => stateOf(page), WAIT).toBe("stopped: No new figures since 15 Jan 2027, 17:00");
    await page.locator("#source").getByText("The sale’s contract can’t be read at the moment.").waitFor(WAIT);
    await page.locator("main[data-stale]").waitFor(WAIT);
    await expect.poll(() => page.title(), WAIT).toMatch(/^Not live: /);
    const isInSight = () => page.locator(".live").evaluate((line) => line.getBoundingClientRect().top >= 0);
    expect(await violationsOf(page)).toStrictEqual([]);
    await page.locator("#latest").scrollIntoViewIfNeeded();
    expect(await isInSight()).toBe(true);
    gateway.commitments.sales.set(SALE, { ...worstSale(1n), feedState: { asOf } });
    await expect.poll(() => stateOf(page), WAIT).toBe("live: Live");
    await page.locator("#source").getByText("As of block 19,000,000").waitFor(WAIT);
    await page.locator("main:not([data-stale])").waitFor(WAIT);
    await expect.poll(() => page.title(), WAIT).not.toMatch(/Not live/);
    expect(complaints.filter((complaint) => !complaint.includes("layout shift"))).toStrictEqual([]);
    await close();
  });

  it("says so without script where its server knew it, and dates the descriptions of its charts", async () => {
    const asOf = { position: { height: 1_234n, hash: new Uint8Array(32) }, lastSuccess: { seconds: 1_800_000_003n } };
    gateway.commitments.sales.set(SALE, { ...worstSale(1n), feedState: { asOf, fault: FeedFault.UNREADABLE } });
    const { page, close } = await open({ javaScriptEnabled: false });
    expect(await page.title()).toMatch(/^Not live: /);
    expect(await page.locator("#state").filter({ visible: true }).textContent()).toMatch(
      /^No new figures since 15 Jan 2027, 08:00$/,
    );
    const chart = page.locator('[data-chart="count"] img');
    expect(await chart.getAttribute("alt")).toMatch(/ as of 15 Jan 2027, 08:00, block 1,234\.$/);
    await close();
  });

  it("says so while they can't be read by its server, though its stream is there", async () => {
    gateway.commitments.sales.set(SALE, { ...worstSale(1n), feedState: {} });
    const { page, close } = await open();
    await page.locator(LIVE).waitFor(WAIT);
    gateway.commitments.fail();
    await expect.poll(() => stateOf(page), WAIT).toMatch(/^stopped: No new figures since \d\d:\d\d$/);
    gateway.commitments.recover();
    change(2n, TWO);
    await page.locator(LIVE).waitFor(WAIT);
    await close();
  });

  it("shows the price of a fixed-price sale, and the currency of what changes", async () => {
    const fixedPrice = { numerator: "1", denominator: "400" };
    const setTotal = (revision: bigint, totalAmount: string) => {
      const { sale, data, ...rest } = worstSale(revision);
      const { clearingPrice: _, ...fixed } = { ...data, totalAmount };
      const { name = "" } = sale ?? {};
      const summary = { name, amountsAreDollars: false, paymentSymbol: "TIDE", fixedPrice };
      gateway.commitments.sales.set(SALE, { ...rest, sale: summary, data: fixed });
    };
    setTotal(1n, ONE);
    const { page, complaints, close } = await open({ viewport: { width: 360, height: 900 } });
    await page.locator(LIVE).waitFor(WAIT);
    expect(await page.locator("#price").textContent()).toBe("0.0025 TIDE");
    await page.locator('[data-chart="history"]').scrollIntoViewIfNeeded();
    await page.locator('[data-chart="history"] .readout').getByText("1.00 TIDE now").waitFor(WAIT);
    setTotal(2n, TWO);
    await expect.poll(() => page.locator("#total").textContent(), WAIT).toBe("2.00 TIDE");
    const cut = await page
      .locator("#latest tbody tr")
      .first()
      .locator("td:nth-child(-n + 2)")
      .evaluateAll((cells) => cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
    expect([cut, complaints]).toStrictEqual([0, []]);
    await close();
  });

  it("keeps the value at the pointer in sight while figures change", async () => {
    const { page, close } = await open({ viewport: { width: 1280, height: 900 } });
    await page.locator('[data-chart="history"]').scrollIntoViewIfNeeded();
    await page.locator('[data-chart="history"][data-drawn] .u-over').hover();
    await expect.poll(() => page.locator('[data-chart="history"] .readout').textContent(), WAIT).toMatch(AT_POINTER);
    await page.evaluate(RECORD_READOUT);
    for (const revision of [2n, 3n, 4n]) {
      change(revision, `${revision}${ONE.slice(1)}`);
      await expect.poll(() => page.locator("#total").textContent(), WAIT).toBe(`$${revision}.00`);
    }
    const readouts: readonly string[] = await page.evaluate("window.readouts");
    expect(readouts.filter((text) => !AT_POINTER.test(text))).toStrictEqual([]);
    await page.mouse.move(0, 0);
    await page.locator('[data-chart="history"] .readout').getByText("$4.00 now").waitFor(WAIT);
    await close();
  });

  it.each([
    ["history", ["Time", "Committed", "Commitments"]],
    ["clearing", ["Time", "Price per token"]],
    ["count", ["Time", "Commitments"]],
    ["demand", ["Price per token", "Bid at this price or more"]],
  ])("has the numbers of its %s as a table, by the keyboard", async (name, heads) => {
    change(2n, TWO);
    const { page, close } = await open();
    const chart = page.locator(`[data-chart="${name}"]`);
    await chart.scrollIntoViewIfNeeded();
    await page.locator(`[data-chart="${name}"][data-drawn]`).waitFor(WAIT);
    await chart.locator("summary").focus();
    await page.keyboard.press("Enter");
    const table = chart.getByRole("table");
    await expect.poll(() => table.getByRole("columnheader").allTextContents(), WAIT).toStrictEqual(heads);
    await expect.poll(() => table.locator("tbody tr").count(), WAIT).toBe(1);
    expect(await table.locator("tbody td").nth(1).textContent()).toMatch(name === "count" ? /^1$/ : /^\$/);
    await page.keyboard.press("Tab");
    expect(await chart.getByRole("region").evaluate((region) => region === document.activeElement)).toBe(true);
    expect(await violationsOf(page)).toStrictEqual([]);
    await close();
  });

  it("has labels in its rows on a phone, and stays a table for screen readers", async () => {
    const { page, close } = await open({ viewport: { width: 360, height: 900 } });
    const row = page.locator("#latest tbody tr").first();
    // Styles of what isn't in sight at first come later.
    await page.locator('link[href$="later.css"]').waitFor({ ...WAIT, state: "attached" });
    await expect.poll(() => row.locator("td").first().evaluate(labelOf), WAIT).not.toBe("none");
    const labels = await row
      .locator("td")
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content.replace(/ \/ .*$/, "")));
    expect(labels).toStrictEqual(['"Time "', '"Wallet "', '"Amount "', '"Price "']);
    expect(await row.locator("time").getAttribute("title")).toMatch(/ UTC$/);
    expect(await row.locator("td").nth(1).textContent()).toMatch(/ and 1 more wallet$/);
    expect(
      await page
        .getByRole("table", { name: /^The latest commitments/ })
        .getByRole("row")
        .count(),
    ).toBe(101);
    await close();
  });

  it("says of a sale whose contract hasn't been read what is known, and has the figures once they come", async () => {
    gateway.commitments.sales.set(SALE, { ...worstSale(1n), isUnread: true });
    const { page, complaints, close } = await open({ viewport: { width: 360, height: 900 } });
    await page.getByRole("heading", { name: "There are no figures yet" }).waitFor(WAIT);
    await expect.poll(() => page.locator("#left").textContent(), WAIT).toMatch(/days/);
    expect(await violationsOf(page)).toStrictEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(complaints).toStrictEqual([]);
    change(2n, ONE);
    const isThere = async () => {
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      return page.locator("#total").isVisible();
    };
    await expect.poll(isThere, WAIT).toBe(true);
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

function labelOf(cell: Element): string {
  return getComputedStyle(cell, "::before").content;
}

/** The state that the page shows, as a name for its colour and in words. */
async function stateOf(page: Page): Promise<string> {
  const line = page.locator("#state");
  return `${await line.getAttribute("data-state")}: ${await line.textContent()}`;
}

async function bodyOf(): Promise<{ readonly TotalCommitmentAmount: string }> {
  return (await fetch(`${gateway.origin}/svc/v1/public/sales/${SALE}/commitment-data`)).json();
}
