import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AuthGateway, startAuthGateway } from "../../gateway/testing/auth-gateway.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { SALE_LOGO, saleStates } from "../../gateway/testing/sale-states.ts";
import { pngImage } from "../../services/auth/testing/images.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";

const STATES = saleStates(BigInt(Math.floor(Date.now() / 1_000)));
/** Ends what hangs. */
const WAIT = { timeout: 120_000 };

let browser: Browser;
let gateway: AuthGateway;
beforeAll(async () => {
  browser = await launchChromium();
  gateway = await startAuthGateway({ CACHE_MAX_STALE: "250ms" });
  gateway.commitments.logos.set(SALE_LOGO, pngImage(64, 64));
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

it.each([
  [320, "dark"],
  [1280, "light"],
] as const)(
  "works out a bid from the public demand at %i px, %s, by the keyboard, and marks its price",
  async (width, colorScheme) => {
    gateway.commitments.sales.set(SALE, STATES.cleared);
    const viewport = { width, height: 900 };
    const { page, complaints, close } = await openWatchedPage(browser, {
      baseURL: gateway.origin,
      viewport,
      colorScheme,
    });
    await page.goto(`/sales/${SALE}`);
    await page.locator("#if-price").fill("0.20", WAIT);
    await page.keyboard.press("Tab");
    await page.keyboard.type("5000");
    const answer = page.locator("#what-if [role=status]");
    await answer.getByText("In: Its price reaches the clearing price.").waitFor(WAIT);
    expect(await answer.locator("dt").allTextContents()).toEqual([
      "Tokens now",
      "Tokens if as much again is bid above it",
      "Price with this bid",
    ]);
    // More is bid above than the offer costs at 13.125 cents, so the least is a share of the offer.
    expect(await answer.locator("dd").allTextContents()).toEqual([
      "38,081.38 HRBR to 38,095.23 HRBR",
      "0 HRBR",
      "$0.1312",
    ]);
    await page
      .locator('figure[data-chart="demand"] .readout')
      .getByText("What if $0.20")
      .waitFor({ ...WAIT, state: "attached" });
    expect(await violationsOf(page)).toStrictEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.locator("#if-price").fill("99999999999999", WAIT);
    await answer.getByText("A bid can’t have so high a price. The contract takes $18.44T at most.").waitFor(WAIT);
    expect(complaints).toStrictEqual([]);
    await close();
  },
);

it("asks in German which number is meant, and reads a comma before decimals", async () => {
  gateway.commitments.sales.set(SALE, STATES.cleared);
  const { page, complaints, close } = await openWatchedPage(browser, { baseURL: gateway.origin, locale: "de-DE" });
  await page.goto(`/sales/${SALE}`);
  const answer = page.locator("#what-if [role=status]");
  await page.locator("#if-amount").fill("5.000", WAIT);
  await page.locator("#if-price").fill("0,20", WAIT);
  await answer.getByText("Geben Sie 5000 oder 5.0000 ein, je nachdem, was gemeint ist.").waitFor(WAIT);
  expect(await page.locator("#if-amount").getAttribute("aria-invalid")).toBe("true");
  expect(await violationsOf(page)).toStrictEqual([]);
  await page.locator("#if-amount").fill("5 000", WAIT);
  await answer.getByText("Der Preis erreicht den Clearing-Preis.").waitFor(WAIT);
  expect(await page.locator("#if-amount").getAttribute("aria-invalid")).toBe("false");
  expect(complaints).toStrictEqual([]);
  await close();
});

it("answers once the demand is there, also where it comes after the entries", async () => {
  gateway.commitments.sales.set(SALE, STATES.cleared);
  const { page, close } = await openWatchedPage(browser, { baseURL: gateway.origin });
  const held = Promise.withResolvers<void>();
  await page.route("**/demand", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`/sales/${SALE}`);
  const asked = page.waitForRequest("**/demand");
  await page.locator("#if-price").fill("0.20", WAIT);
  await page.getByLabel("Amount in $").fill("5000");
  await asked;
  await page.keyboard.press("Enter");
  held.resolve();
  await page.locator("#what-if [role=status]").getByText("In: Its price reaches the clearing price.").waitFor(WAIT);
  await close();
});

it("isn't offered once nobody can bid, nor without script", async () => {
  gateway.commitments.sales.set(SALE, { ...STATES.biddingEnded, revision: 2n });
  const { page, close } = await openWatchedPage(browser, { baseURL: gateway.origin });
  await page.goto(`/sales/${SALE}`);
  await expect.poll(() => page.locator("#what-if").isVisible(), WAIT).toBe(false);
  await close();
  gateway.commitments.sales.set(SALE, { ...STATES.openUntimed, revision: 3n });
  const still = await openWatchedPage(browser, { baseURL: gateway.origin, javaScriptEnabled: false });
  await still.page.goto(`/sales/${SALE}`);
  expect(await still.page.locator("#what-if").isVisible()).toBe(false);
  await still.close();
});
