import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startMock } from "../../client/mock/index.ts";
import { type AuthGateway, startAuthGateway } from "../../gateway/testing/auth-gateway.ts";
import { type FakeSale, SALE } from "../../gateway/testing/fake-commitments.ts";
import { BIDDER, saleStates } from "../../gateway/testing/sale-states.ts";
import { worstSale } from "../../gateway/testing/worst-sale.ts";
import { FeedFault, SaleStage, SaleStatus, Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { mockFiles } from "../../scripts/client-package.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";
import { freePort } from "../support/processes/free-port.ts";
import { codeBlocks } from "../support/repository/markdown.ts";
import { readRepository } from "../support/repository/repository.ts";

const DOCUMENT = readRepository("docs/embed.md");
const EXAMPLE_ORIGIN = "http://127.0.0.1:8080";
const WAIT = { timeout: 120_000 };
const SETTINGS = { CACHE_MAX_STALE: "250ms" };
const ONE = "1000000000000000000";
const HOUR_MS = 3_600_000;
const OPENS_IN_MS = HOUR_MS / 2;
const ATTRIBUTE = ` sale="${SALE}"`;
const TWO = `2${ONE.slice(1)}`;
/** Records the element's events before its script runs. */
const RECORD_EVENTS = `window.recorded = [];
for (const name of ["update", "state", "error"]) {
  document.addEventListener("tidemark:" + name, ({ type, detail }) => window.recorded.push({ type, detail }));
}`;

interface RecordedEvent {
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

let browser: Browser;
let gateway: AuthGateway;
let site: Server;
/** The origin that the site loads the element from. */
let origin: string;
/** The element's attribute on the site. */
let attribute: string;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  gateway = await startAuthGateway({ ...SETTINGS, GATEWAY_PORT: String(await freePort()) });
  setTotal(1n, ONE);
  attribute = ATTRIBUTE;
  origin = gateway.origin;
  site = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.setHeader("content-security-policy", `default-src 'none'; ${documented("text")}; img-src data:`);
    response.end(documented("html").replace(ATTRIBUTE, attribute));
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
});
afterEach(async () => {
  await gateway.stop();
  site.close();
  site.closeAllConnections();
});

/** A code block of the document, for the origin of this test. */
function documented(language: string): string {
  const code = codeBlocks(DOCUMENT, language)[0]?.code ?? "";
  expect(code).toContain(EXAMPLE_ORIGIN);
  return code.trim().replaceAll(EXAMPLE_ORIGIN, origin);
}

function setTotal(revision: bigint, totalAmount: string): void {
  const sale = worstSale(revision);
  gateway.commitments.sales.set(SALE, { ...sale, data: { ...sale.data, totalAmount } });
}

describe("the page of docs/embed.md, on another origin and with a policy of its own", () => {
  it("shows a sale's figures live, says when it isn't, and goes on", async () => {
    const { page, complaints, close } = await openWatchedPage(browser, {});
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const element = page.locator("tidemark-sale");
    const total = element.locator("#total data");
    await expect.poll(() => total.textContent(), WAIT).toBe("$1.00");
    expect(await element.locator("#count data").textContent()).toBe("1.844\u00a0×\u00a010¹⁹");
    // A dollar doesn't pay for that offer, so nothing clears.
    await expect.poll(() => element.locator("#clearing dt").textContent(), WAIT).toBe("Floor per token");
    await element.getByText("Live", { exact: true }).waitFor(WAIT);
    setTotal(2n, TWO);
    await expect.poll(() => total.textContent(), WAIT).toBe("$2.00");
    expect(await total.getAttribute("value")).toBe("2");
    // By the object model, which a policy doesn't touch.
    await page.evaluate(() => {
      document.body.style.color = "rgb(1, 2, 3)";
    });
    expect(await total.evaluate((node) => getComputedStyle(node).color)).toBe("rgb(1, 2, 3)");
    expect(await violationsOf(page)).toStrictEqual([]);
    expect(complaints).toStrictEqual([]);
    const { port } = gateway;
    await gateway.stop();
    await element.getByText(/^Not live since \d\d:\d\d: trying again$/).waitFor(WAIT);
    gateway = await startAuthGateway({ ...SETTINGS, GATEWAY_PORT: String(port) });
    setTotal(3n, `3${ONE.slice(1)}`);
    await expect.poll(() => total.textContent(), WAIT).toBe("$3.00");
    await close();
  });

  it("follows the sale that its attribute names, and lets go when it is taken away", async () => {
    const { page, close } = await openWatchedPage(browser, {});
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const element = page.locator("tidemark-sale");
    await element.getByText("Live", { exact: true }).waitFor(WAIT);
    await element.evaluate((node) => node.setAttribute("sale", "00000000-0000-4000-8000-000000000000"));
    await element.getByText("There is no sale with this ID").waitFor(WAIT);
    await element.evaluate((node, sale) => node.setAttribute("sale", sale), SALE);
    await element.getByText("Live", { exact: true }).waitFor(WAIT);
    await element.evaluate((node) => node.remove());
    await expect.poll(openStreams, WAIT).toBe(0);
    await close();
  });
});

describe("the element from the mock", () => {
  it("shows the mock's sale live", async () => {
    const mock = await startMock({ ...mockFiles(), tickMs: 50 });
    origin = mock.url;
    const { page, complaints, close } = await openWatchedPage(browser, {});
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const element = page.locator("tidemark-sale");
    await element.getByText("Live", { exact: true }).waitFor(WAIT);
    const count = async () => Number(await element.locator("#count data").getAttribute("value"));
    const first = await count();
    await expect.poll(count, WAIT).toBeGreaterThan(first + 1);
    expect(complaints).toStrictEqual([]);
    await close();
    await mock.close();
  });
});

describe("the element", () => {
  it("has the symbol of a currency that isn't the dollar, and says that a settled sale is over", async () => {
    const { data, ...sale } = worstSale(1n);
    const plain = { ...data, totalAmount: ONE, clearingPrice: undefined, commitments: [] };
    const summary = (status: SaleStatus) => ({ status, paymentSymbol: "TIDE" });
    gateway.commitments.sales.set(SALE, { ...sale, data: plain, sale: summary(SaleStatus.OPEN) });
    const { page, close } = await openWatchedPage(browser, {});
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const element = page.locator("tidemark-sale");
    await expect.poll(() => element.locator("#total data").textContent(), WAIT).toBe("1.00 TIDE");
    await element.getByText("Live", { exact: true }).waitFor(WAIT);
    gateway.commitments.sales.set(SALE, { ...sale, revision: 2n, data: plain, sale: summary(SaleStatus.SETTLED) });
    await element.locator("p[data-state=settled]").getByText("The sale is over", { exact: true }).waitFor(WAIT);
    expect(await element.getByText("Live", { exact: true }).count()).toBe(0);
    await close();
  });
});

describe("the head of the element", () => {
  /** @param time the reader's clock; the right one by default */
  async function opened(
    change: object,
    locale = "en-GB",
    width = 1280,
    time?: number,
    before: (page: Page) => Promise<void> = async () => {},
  ) {
    const { sale, ...rest } = worstSale(1n);
    const gave = { ...sale, name: "Harbour", stage: SaleStage.PRE_OPEN, ...change };
    gateway.commitments.sales.set(SALE, { ...rest, sale: gave });
    const watched = await openWatchedPage(browser, { locale, viewport: { width, height: 900 } });
    if (time !== undefined) await watched.page.clock.install({ time });
    await before(watched.page);
    await watched.page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    return { ...watched, element: watched.page.locator("tidemark-sale") };
  }

  it("names the sale, links to its page, and says that it is a test and not open yet, without figures", async () => {
    const { page, element, complaints, close } = await opened({ tenancy: Tenancy.TEST }, "en-GB", 360);
    const name = element.getByRole("link", { name: "Harbour" });
    await name.waitFor(WAIT);
    expect(await name.getAttribute("href")).toBe(`${gateway.origin}/sales/${SALE}`);
    await element.getByRole("region", { name: "Harbour" }).waitFor(WAIT);
    await element.getByText("This is a test: no real money moves.").waitFor(WAIT);
    expect(await element.locator("#status").textContent()).toBe("Upcoming");
    expect(await element.locator("#stage").textContent()).toBe("Not open yet. Nobody can bid yet.");
    await expect.poll(() => element.locator("#awaited").textContent(), WAIT).toBe("Announced to open");
    expect(await element.locator("#until").getAttribute("title")).toMatch(/ UTC$/);
    expect(await element.locator("#figures").isVisible()).toBe(false);
    await element.locator("#line[data-state=live]").waitFor({ ...WAIT, state: "attached" });
    expect(await element.locator("#line").isVisible()).toBe(false);
    expect(await violationsOf(page)).toStrictEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(complaints).toStrictEqual([]);
    await close();
  });

  it.each([-5, 5])(
    "hides no figures by an announced time alone, and is open once it has come by the service's clock: the reader's is %i hours off",
    async (hours) => {
      const now = Date.now();
      const presentation = {
        ...worstSale(1n).sale?.presentation,
        opensAtSeconds: BigInt(Math.ceil((now + OPENS_IN_MS) / 1_000)),
      };
      const change = { tenancy: Tenancy.LIVE, stage: SaleStage.UNSPECIFIED, presentation };
      const { page, element, close } = await opened(change, "en-GB", 1280, now + hours * HOUR_MS);
      await element.getByText("Upcoming", { exact: true }).waitFor(WAIT);
      await element.locator("#figures").waitFor(WAIT);
      await page.clock.fastForward(OPENS_IN_MS + 2_000);
      await element.locator("#status").getByText("Open", { exact: true }).waitFor(WAIT);
      await close();
    },
  );

  it("says what it is while the service's clock can't be had, and never goes back to what it was once it comes", async () => {
    const soon = BigInt(Math.ceil((Date.now() + HOUR_MS) / 1_000));
    const presentation = { ...worstSale(1n).sale?.presentation, opensAtSeconds: soon };
    const held = Promise.withResolvers<void>();
    const { page, element, close } = await opened({ presentation }, "en-GB", 1280, undefined, async (opening) => {
      await opening.context().route(`**/sales/${SALE}`, async (route) => {
        await held.promise;
        await route.continue();
      });
    });
    await element.getByText("Upcoming", { exact: true }).waitFor(WAIT);
    const { sale, ...rest } = worstSale(2n);
    gateway.commitments.sales.set(SALE, { ...rest, sale: { ...sale, stage: SaleStage.COMMITMENT } });
    await element.getByText("Bidding is open. You can bid").waitFor(WAIT);
    const answered = page.waitForResponse((response) => response.request().method() === "HEAD");
    held.resolve();
    await answered;
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
    expect(await element.locator("#status").textContent()).toBe("Open");
    await close();
  });

  it("says of a live sale that bidding is open, with figures", async () => {
    const { element, close } = await opened({ tenancy: Tenancy.LIVE, stage: SaleStage.COMMITMENT });
    await element.getByText("Bidding is open. You can bid").waitFor(WAIT);
    expect(await element.locator("#test").isVisible()).toBe(false);
    await element.locator("#figures").waitFor(WAIT);
    await element.locator("#line[data-state=live]").waitFor(WAIT);
    await close();
  });
});

describe("the second part of the element", () => {
  const address = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const sales = saleStates(BigInt(Math.floor(Date.now() / 1_000)));

  async function opened(sale: FakeSale, attributes = "", before: (page: Page) => Promise<unknown> = async () => {}) {
    gateway.commitments.sales.set(SALE, sale);
    attribute = `${ATTRIBUTE}${attributes}`;
    const watched = await openWatchedPage(browser, { locale: "en-GB", viewport: { width: 360, height: 900 } });
    await before(watched.page);
    await watched.page.goto(address());
    return { ...watched, element: watched.page.locator("tidemark-sale") };
  }

  it("counts down by the service's clock, and has price, share of the offer and link", async () => {
    const { page, element, complaints, close } = await opened(sales.openAnnounced, "", (opening) =>
      opening.clock.install({ time: Date.now() - 5 * HOUR_MS }),
    );
    await expect.poll(() => element.locator("#left").textContent(), WAIT).toMatch(/^(?:1 day 23|2 days 00):\d\d:\d\d$/);
    const before = await element.locator("#left").textContent();
    await page.clock.runFor(3_000);
    expect(await element.locator("#left").textContent()).not.toBe(before);
    expect(await element.locator("#share-text").textContent()).toBe("84.19% of the offer is bid");
    expect(Number(await element.locator("#share .done").getAttribute("width"))).toBeCloseTo(84.19, 1);
    expect(await element.locator("#clearing data").textContent()).toBe("$0.10");
    const link = element.getByRole("link", { name: "See the sale" });
    expect(await link.getAttribute("href")).toBe(`${gateway.origin}/sales/${SALE}`);
    expect(await violationsOf(page)).toStrictEqual([]);
    expect(complaints).toStrictEqual([]);
    await close();
  });

  it("counts down to the time after bidding that the sale's page says comes next", async () => {
    const { page, element, close } = await opened(sales.cancelling);
    await expect.poll(() => element.locator("#awaited").textContent(), WAIT).toBe("Cancelling announced to end");
    expect(await element.locator("#left").textContent()).toMatch(/^(?:2 days 01|2 days 02):\d\d:\d\d$/);
    const until = await element.locator("#until").getAttribute("datetime");
    await page.goto(`${gateway.origin}/sales/${SALE}`);
    expect(await page.locator("#awaited").textContent()).toBe("Cancelling announced to end");
    expect(await page.locator("#until").getAttribute("datetime")).toBe(until);
    await close();
  });

  it("marks where all of the offer is on the bar, once more is bid, and shows what was accepted", async () => {
    const { element, close } = await opened(sales.settled);
    await element.locator("#accepted").waitFor(WAIT);
    expect(await element.locator("#share-text").textContent()).toBe("1.08 times the offer is bid");
    expect(Number(await element.locator("#share .mark").getAttribute("x"))).toBeLessThan(100);
    expect(await element.locator("#countdown").isVisible()).toBe(false);
    await close();
  });

  it("isn't needed to see the sale", async () => {
    const { element, close } = await opened(sales.openAnnounced, "", (opening) =>
      opening.context().route("**/tidemark-sale/*.js", (route) => route.abort()),
    );
    await element.getByRole("link", { name: "Harbour Token" }).waitFor(WAIT);
    await expect.poll(() => element.locator("#total data").textContent(), WAIT).toBe("$8.42M");
    await element.getByText("Bidding is open.").waitFor(WAIT);
    await element.getByText("Live", { exact: true }).waitFor(WAIT);
    await close();
  });

  it("shows the position of the wallet that its attribute names, and leads to it on the sale's page", async () => {
    const { page, element, complaints, close } = await opened(sales.openAnnounced, ` wallet="${BIDDER}"`);
    await element.getByText("5 commitments: 2 in, 2 below the floor, 1 refunded").waitFor(WAIT);
    expect(await element.locator("#wallet").getAttribute("title")).toBe(BIDDER);
    expect(await element.locator("#link a").getAttribute("href")).toBe(
      `${gateway.origin}/sales/${SALE}#wallet=${BIDDER}`,
    );
    expect(await violationsOf(page)).toStrictEqual([]);
    await element.evaluate((node) => node.removeAttribute("wallet"));
    await element.locator("#position").waitFor({ ...WAIT, state: "hidden" });
    expect(await element.locator("#link a").getAttribute("href")).toBe(`${gateway.origin}/sales/${SALE}`);
    await element.evaluate((node) => node.setAttribute("wallet", "0x123"));
    await element.getByText("This isn’t the address of a wallet on this sale’s chain").waitFor(WAIT);
    expect(gateway.commitments.positions).toHaveLength(1);
    expect(complaints).toStrictEqual([]);
    await close();
  });

  it("reads a position again while the sale changes, at its pace, and no more once the element is gone", async () => {
    const { page, element, close } = await opened(sales.openAnnounced, ` wallet="${BIDDER}"`, (opening) =>
      opening.clock.install(),
    );
    await element.getByText("5 commitments:").waitFor(WAIT);
    const { data, position, ...rest } = sales.openAnnounced;
    const commitments = position?.commitments?.slice(0, 1) ?? [];
    const next = (revision: bigint) => ({
      ...{ ...rest, revision, position: { ...position, commitments } },
      data: { ...data, totalAmount: String(9_000_000_000_000n + revision * 1_000_000_000_000n) },
    });
    gateway.commitments.sales.set(SALE, next(2n));
    await page.clock.runFor(500);
    await expect.poll(() => element.locator("#total data").textContent(), WAIT).toBe("$11M");
    expect(gateway.commitments.positions).toHaveLength(1);
    await page.clock.runFor(15_000);
    await element.getByText(/^1 commitment:/).waitFor(WAIT);
    expect(gateway.commitments.positions).toHaveLength(2);
    await element.evaluate((node) => node.remove());
    await page.clock.runFor(60_000);
    expect(gateway.commitments.positions).toHaveLength(2);
    await close();
  });

  it("is compact on request, in the colours of its custom properties", async () => {
    const { element, close } = await opened(sales.openAnnounced, ` layout="compact"`);
    await element.locator("#share-text").waitFor(WAIT);
    for (const hidden of ["#count", "#stage", "#clearing", "#share svg"]) {
      expect(await element.locator(hidden).isVisible(), hidden).toBe(false);
    }
    for (const shown of ["#name", "#status", "#left", "#total data", "#link"]) {
      expect(await element.locator(shown).isVisible(), shown).toBe(true);
    }
    const { height = 0 } = (await element.boundingBox()) ?? {};
    expect(height).toBeLessThan(220);
    const theme = {
      color: "rgb(1, 2, 3)",
      background: "rgb(4, 5, 6)",
      border: "2px solid rgb(7, 8, 9)",
      padding: "7px",
    };
    await element.evaluate((node, properties) => {
      for (const [name, value] of Object.entries(properties)) node.style.setProperty(`--tidemark-${name}`, value);
    }, theme);
    const styles = await element.locator("section").evaluate((node) => {
      const { color, backgroundColor, borderTop, paddingTop } = getComputedStyle(node);
      return { color, background: backgroundColor, border: borderTop, padding: paddingTop };
    });
    expect(styles).toStrictEqual(theme);
    await close();
  });
});

describe("the element of a sale without figures", () => {
  it("says so in a sentence, and shows no empty figures", async () => {
    gateway.commitments.sales.set(SALE, { ...worstSale(1n), isUnread: true });
    const { page, close } = await openWatchedPage(browser, {});
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const element = page.locator("tidemark-sale");
    await element.getByText("The sale’s figures can’t be read at the moment. Trying again.").waitFor(WAIT);
    expect(await element.locator("#figures").isVisible()).toBe(false);
    await close();
  });
});

describe("the element's events", () => {
  it("mark and report as the example of docs/embed.md does", async () => {
    const { page, complaints, close } = await openWatchedPage(browser, {});
    await page.addInitScript(codeBlocks(DOCUMENT, "js")[0]?.code ?? "");
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const element = page.locator("tidemark-sale");
    await element.getByText("Live", { exact: true }).waitFor(WAIT);
    const sale = gateway.commitments.sales.get(SALE) ?? expect.fail("there is no sale");
    gateway.commitments.sales.set(SALE, { ...sale, feedState: { fault: FeedFault.UNREADABLE } });
    await page.locator("tidemark-sale.out-of-date").waitFor(WAIT);
    await element
      .getByText(/^No new figures since \d\d:\d\d\. The sale’s contract can’t be read at the moment\.$/)
      .waitFor(WAIT);
    gateway.commitments.sales.set(SALE, { ...sale, feedState: {} });
    await page.locator("tidemark-sale:not(.out-of-date)").waitFor(WAIT);
    expect(complaints).toStrictEqual([]);
    await element.evaluate((node) => node.removeAttribute("sale"));
    const warning = "warning: tidemark-sale: No sale’s ID is given (missing_id)";
    await expect.poll(() => complaints, WAIT).toStrictEqual([expect.stringContaining(warning)]);
    await close();
  });

  it("are those of docs/embed.md", async () => {
    const { page, close } = await openWatchedPage(browser, {});
    await page.addInitScript(RECORD_EVENTS);
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.locator("tidemark-sale").getByText("Live", { exact: true }).waitFor(WAIT);
    setTotal(2n, TWO);
    const events = async (): Promise<readonly RecordedEvent[]> => page.evaluate("window.recorded");
    const totals = async () => (await events()).map(({ detail }) => detail["TotalCommitmentAmount"]).filter(Boolean);
    await expect.poll(totals, WAIT).toStrictEqual([ONE, TWO]);
    const states = (await events()).filter(({ type }) => type === "tidemark:state").map(({ detail }) => detail);
    expect(states).toStrictEqual([
      { state: "connecting", text: "Connecting…", fault: "", since: null },
      { state: "live", text: "Live", fault: "", since: null },
    ]);
    await page.locator("tidemark-sale").evaluate((node) => node.setAttribute("sale", "x"));
    await expect
      .poll(async () => (await events()).at(-1), WAIT)
      .toStrictEqual({
        type: "tidemark:error",
        detail: { code: "invalid_id", message: "This isn’t a sale’s ID" },
      });
    await close();
  });

  it.each([
    ["missing_id", null, 0],
    ["missing_id", " ", 0],
    ["invalid_id", "11111111-1111-4111-8111", 0],
    // The stream, and the question why it was refused.
    ["unknown_sale", "00000000-0000-4000-8000-000000000000", 2],
  ])("say %s for the ID %j, once, with %i requests and no more", async (code, id, expected) => {
    const { page, close } = await openWatchedPage(browser, {});
    await page.clock.install();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.addInitScript(RECORD_EVENTS);
    attribute = id === null ? "" : ` sale="${id}"`;
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const errors = async () => {
      const recorded: readonly RecordedEvent[] = await page.evaluate("window.recorded");
      return recorded.filter(({ type }) => type === "tidemark:error").map(({ detail }) => detail["code"]);
    };
    await expect.poll(errors, WAIT).toStrictEqual([code]);
    await page.clock.runFor(3_600_000);
    expect(await errors()).toStrictEqual([code]);
    expect(requests.filter((url) => url.includes("/sales/"))).toHaveLength(expected);
    const element = page.locator("tidemark-sale");
    expect(await element.getByRole("status").textContent()).toMatch(/ID/);
    expect(await element.locator("#figures").isVisible()).toBe(false);
    expect(await violationsOf(page)).toStrictEqual([]);
    await close();
  });
});

/** Number of streams that the gateway has open. */
async function openStreams(): Promise<number> {
  const metrics = await gateway.registry.getSingleMetricAsString("tidemark_gateway_streams");
  return Number(/^tidemark_gateway_streams (\d+)$/m.exec(metrics)?.[1]);
}
