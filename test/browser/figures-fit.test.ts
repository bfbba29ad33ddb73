import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AuthGateway, startAuthGateway } from "../../gateway/testing/auth-gateway.ts";
import { type FakeSale, SALE } from "../../gateway/testing/fake-commitments.ts";
import { SaleStage, SaleStatus, Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";

const WIDTHS = [320, 360, 768, 1280];
/** Ends what hangs. */
const WAIT = { timeout: 120_000 };
const MAX = 2n ** 256n - 1n;
const LONG_SYMBOL = "W".repeat(32);

/**
 * Expression for a page: the places whose number is on more than one line, or which are wider than they have room for. A number
 * ends where an ordinary space is, as the one before its unit.
 */
const UNFIT = `(() => {
  const places = document.querySelectorAll(".tile data, .tile .note span, #latest td, .readout, .numbers td, .facts dd, #until, #left, #source, #zone");
  const textsIn = (place) => {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    return texts;
  };
  const isWrapped = (node) => Array.from(node.data.matchAll(/\\S*\\d[^ ]*/g)).some(({ 0: word, index }) => {
    if (/[A-Za-z]{6}|^0x/.test(word)) return false;
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1;
  });
  const isCut = (place) => place.scrollWidth > place.clientWidth && getComputedStyle(place).display !== "inline";
  const isShown = (place) => place.checkVisibility() && !place.closest(".hidden");
  const unfit = Array.from(places).filter((place) => isShown(place) && (isCut(place) || textsIn(place).some(isWrapped)));
  return [
    ...new Set(unfit.map((place) => (place.id || place.className || place.tagName) + ": " + place.textContent)),
    ...(document.documentElement.scrollWidth > innerWidth ? ["the page itself is " + document.documentElement.scrollWidth] : []),
  ];
})()`;

/** An auction all of whose figures come from one number. */
function saleOf(revision: bigint, units: bigint, decimals: number, symbol?: string): FakeSale {
  const price = { numerator: String(units), denominator: "1" };
  const amount = String(units);
  const token = { address: `0x${"10".repeat(20)}`, decimals, usdStablecoin: symbol === undefined };
  const bids = Array.from({ length: 5 }, (_, index) => ({
    commitmentId: new Uint8Array(32).fill(index),
    entityId: new Uint8Array(16),
    price,
    amounts: [{ wallet: `0x${"ab".repeat(20)}`, token: token.address, amount }],
    createdAtSeconds: 1_800_000_000n,
  }));
  return {
    generation: 1n,
    revision,
    feedState: { asOf: { position: { height: 999_999_999n }, blockTime: { seconds: 1_800_000_000n } } },
    sale: {
      name: "Harbour",
      status: SaleStatus.OPEN,
      tenancy: Tenancy.LIVE,
      stage: SaleStage.COMMITMENT,
      amountsAreDollars: symbol === undefined,
      paymentSymbol: symbol ?? "",
      paymentTokens: [{ ...token, symbol: symbol ?? "USDC" }],
      paymentTokenDecimals: decimals,
      offeredTokenDecimals: 18,
      auction: { offeredAmount: amount, floorPrice: price },
      source: { case: "evm", value: { chain: "ethereum", contract: `0x${"c2".repeat(20)}` } },
      presentation: { closesAtSeconds: 4_000_000_000n, offeredTokenSymbol: symbol ?? "TIDE", totalSupply: amount },
    },
    data: {
      commitments: bids,
      totalAmount: amount,
      commitmentCount: BigInt.asUintN(64, units),
      paymentTokenDecimals: decimals,
      offeredTokenDecimals: 18,
      clearingPrice: { price, ...(symbol === undefined && { microUsd: "1" }) },
    },
  };
}

const STATES: readonly (readonly [name: string, sale: FakeSale])[] = [
  ["the most units there are", saleOf(1n, MAX, 0)],
  ["one unit of 36 decimals", saleOf(2n, 1n, 36)],
  [
    "the longest number that is written out, and a symbol of 32 wide letters",
    saleOf(3n, 999_999_999_999_999n, 6, LONG_SYMBOL),
  ],
  ["the longest short number, and a symbol of 32 emoji", saleOf(4n, 999_999_999_999_999_999_999n, 6, "🌊".repeat(32))],
  ["a price with many zeros, and a short symbol", saleOf(5n, 123_456_789n, 18, "TIDE")],
];

describe.each([16, 32])("the figures of a sale at a browser's font of %i px", (font) => {
  let browser: Browser;
  let gateway: AuthGateway;
  beforeAll(async () => {
    browser = await launchChromium(`--blink-settings=defaultFontSize=${font}`);
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    gateway = await startAuthGateway({});
  });
  afterEach(() => gateway.stop());

  it.each(["en-GB", "de-DE"])("are whole and on one line at any width, in %s", async (locale) => {
    const { page, close } = await openWatchedPage(browser, { baseURL: gateway.origin, locale });
    const unfit: string[] = [];
    for (const [name, sale] of STATES) {
      gateway.commitments.sales.set(SALE, sale);
      await open(page);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const found = await unfitPlaces(page);
        unfit.push(...Array.from(found, (place) => `${name} at ${width} px: ${place}`));
      }
    }
    expect(unfit).toStrictEqual([]);
    await close();
  });
});

/** Opens the page with its charts and their numbers. */
async function open(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`/sales/${SALE}`);
  await page.locator('#state[data-state="live"]').waitFor(WAIT);
  const tab = page.locator('[data-tab="demand"]');
  if (await tab.isVisible()) await tab.click();
  await page.locator('figure[data-chart="demand"]').scrollIntoViewIfNeeded();
  await page.locator('figure[data-chart="demand"][data-drawn]').waitFor(WAIT);
  await page.locator('figure[data-chart="demand"] summary').click();
  await page.locator('figure[data-chart="demand"] tbody tr').first().waitFor(WAIT);
}

/** Looks at all charts, also where there is room for one at a time. */
async function unfitPlaces(page: Page): Promise<ReadonlySet<string>> {
  const unfit = new Set<string>(await page.evaluate(UNFIT));
  for (const tab of await page.locator("[data-tab]").filter({ visible: true }).all()) {
    await tab.click();
    for (const place of await page.evaluate<readonly string[]>(UNFIT)) unfit.add(place);
  }
  return unfit;
}
