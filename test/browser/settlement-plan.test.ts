import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { salePaths } from "../../gateway/dashboard/base/dashboard-paths.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { FounderSite, harbourAuction } from "../../gateway/testing/founder-site.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { isFirefox, launchBrowser } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";
import { freePort } from "../support/processes/free-port.ts";
import { amountOf, idBytes, record } from "../support/sales/sale-messages.ts";

/** Script that keeps when the page may send a form again. Its value is nothing, which isn't waited for. */
const KEEP_SENDABLE =
  'globalThis.sendable = new Promise((done) => addEventListener("sendable", () => done(), { once: true })); undefined';

const { settlement: path } = salePaths(SALE);
const REFUSED = `0x${Buffer.from(idBytes(2, 16)).toString("hex")}`;
const REFUSALS = { name: "refusals.csv", mimeType: "text/csv", buffer: Buffer.from(refusals()) };

let browser: Browser;
let site: FounderSite;
let origin: string;

beforeAll(async () => {
  browser = await launchBrowser();
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const definition = harbourAuction({
    ...{ source: { case: undefined }, priceTick: { numerator: "1", denominator: "1000" } },
  });
  site = await FounderSite.start(definition, { GATEWAY_PORT: String(port), AUTH_URL: origin });
  await site.open();
  const operator = site.gateway.sales.as("operator");
  const upserts = [record(1, { amounts: [amountOf(400n)] }), record(2, { amounts: [amountOf(900n)] })];
  await operator.commitments.applyCommitments({ saleUuid: SALE, requestId: crypto.randomUUID(), upserts });
  await operator.sales.settleSale({ saleUuid: SALE, confirmName: "Harbour Token" });
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

function refusals(): string {
  return `entity_id,wallet,reason\n${REFUSED},,failed the check\n`;
}

/** Presses a button as somebody does who has no mouse. */
async function press(page: Page, button: string): Promise<void> {
  await page.getByRole("button", { name: button }).focus();
  await page.keyboard.press("Enter");
}

async function downloaded(page: Page, button: string, hasScripts: boolean): Promise<Buffer> {
  if (hasScripts) await page.evaluate(KEEP_SENDABLE);
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, button)]);
  const file = await readFile(await download.path());
  if (hasScripts) await page.evaluate("globalThis.sendable");
  return file;
}

describe("the settlement plan in a browser", () => {
  it.for(isFirefox ? [true] : [true, false])(
    "is made and downloaded by keyboard, with the hash that the page shows; with scripts: %s",
    async (javaScriptEnabled) => {
      const { page, complaints, close } = await openWatchedPage(browser, {
        ...{ javaScriptEnabled, viewport: { width: 360, height: 800 }, colorScheme: "dark", acceptDownloads: true },
      });
      const cookie = { name: "tidemark-session", value: site.sessionToken(), url: origin };
      await page.context().addCookies([cookie]);
      await page.goto(origin + path);
      await page.getByLabel("Refusals").setInputFiles(REFUSALS);
      await press(page, "Make the plan");
      await page.getByRole("heading", { name: "The plan", level: 1 }).waitFor();
      if (javaScriptEnabled) expect(await violationsOf(page)).toEqual([]);
      const shown = (await page.locator("main .copyable code").first().textContent()) ?? "";
      expect(shown).toMatch(/^[0-9a-f]{64}$/);

      const plan = await downloaded(page, "Download plan.json", javaScriptEnabled);
      expect(createHash("sha256").update(plan).digest("hex")).toBe(shown);
      expect(JSON.parse(plan.toString()).refusals).toEqual([{ entityId: REFUSED, reason: "failed the check" }]);
      const archive = await downloaded(page, "Download all (ZIP)", javaScriptEnabled);
      expect(archive.indexOf(plan)).toBeGreaterThan(0);
      expect(complaints).toEqual([]);
      await close();
    },
  );
});
