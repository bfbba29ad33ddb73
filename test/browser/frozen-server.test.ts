import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type EmptySite, launchChromium, serveEmptySite } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";
import { DEMO_SALE_UUID, type EmbeddedTidemark, startEmbedded } from "../support/processes/embedded.ts";

/** Ends what hangs. */
const WAIT = { timeout: 120_000 };
const NOT_LIVE = /^lost: Not live since \d\d:\d\d: trying again$/;
const FROZEN_MS = 140_000;
/** Later than the first silence is noticed, with a request given up meanwhile. */
const NOTICED_MS = 31_000;

describe("a server that hangs", () => {
  let tidemark: EmbeddedTidemark;
  let site: EmptySite;
  let browser: Browser;

  beforeAll(async () => {
    [tidemark, site, browser] = await Promise.all([startEmbedded("node"), serveEmptySite(), launchChromium()]);
  });
  afterAll(() => Promise.all([browser?.close(), site?.close(), tidemark?.stop()]));

  it("is noticed by the page and the element, which come back by themselves", async () => {
    const { origin } = new URL(tidemark.publicReadUrl);
    const { page, close } = await openWatchedPage(browser, {});
    await page.clock.install();
    const givenUp: string[] = [];
    page.on("requestfailed", (request) => givenUp.push(`${request.method()} ${request.url()}`));
    const embedding = await page.context().newPage();
    await page.goto(`${origin}/sales/${DEMO_SALE_UUID}`);
    await embedding.goto(site.origin);
    await embedding.setContent(`<script type="module" src="${origin}/svc/v1/public/tidemark-sale.js"></script>
      <tidemark-sale sale="${DEMO_SALE_UUID}"></tidemark-sale>`);
    const states = async () => [
      await stateOf(page, "#state"),
      await stateOf(embedding, 'tidemark-sale [part="state"]'),
    ];
    await expect.poll(states, WAIT).toStrictEqual(["live: Live", "live: Live"]);

    tidemark.process.signal("SIGSTOP");
    try {
      // Somebody who comes back to the page makes it ask for the time.
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
      await page.clock.runFor(NOTICED_MS);
      await expect.poll(states, WAIT).toStrictEqual([NOT_LIVE, NOT_LIVE].map((text) => expect.stringMatching(text)));
      await page.clock.runFor(FROZEN_MS - NOTICED_MS);
      expect(await states()).toStrictEqual([NOT_LIVE, NOT_LIVE].map((text) => expect.stringMatching(text)));
      await expect.poll(() => givenUp, WAIT).toContain(`HEAD ${origin}/svc/v1/public/sales/${DEMO_SALE_UUID}`);
    } finally {
      tidemark.process.signal("SIGCONT");
    }

    const before = await page.locator("#total").getAttribute("value");
    await vi.waitFor(async () => {
      await page.clock.runFor(1_000);
      expect(await states()).toStrictEqual(["live: Live", "live: Live"]);
    }, WAIT);
    await expect.poll(() => page.locator("#total").getAttribute("value"), WAIT).not.toBe(before);
    await close();
  });
});

/** The state that a page shows, as a name for its colour and in words. */
async function stateOf(page: Page, selector: string): Promise<string> {
  const line = page.locator(selector);
  return `${await line.getAttribute("data-state")}: ${await line.textContent()}`;
}
