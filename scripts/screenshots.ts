import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { launchChromium } from "../test/support/pages/browser.ts";
import { DEMO_SALE_UUID, startEmbedded } from "../test/support/processes/embedded.ts";
import { REPOSITORY_ROOT } from "../test/support/repository/repository.ts";

const FOLDER = join(REPOSITORY_ROOT, "docs", "pictures");

/**
 * Takes the pictures of the documentation, from the demo that `npm start` runs.
 *
 * @param biddingMs how long the simulated bidders bid before, so that the charts have data
 */
async function takeDocumented(biddingMs: number): Promise<void> {
  const tidemark = await startEmbedded("node", { DEMO_BID_INTERVAL: "300ms" });
  const browser = await launchChromium();
  try {
    await mkdir(FOLDER, { recursive: true });
    const { origin } = new URL(tidemark.publicReadUrl);
    const page = await browser.newPage({ viewport: { width: 1040, height: 1190 } });
    await page.goto(`${origin}/sales/${DEMO_SALE_UUID}`);
    await page.waitForSelector('#state[data-state="live"]');
    await page.waitForTimeout(biddingMs);
    await page.screenshot({ path: join(FOLDER, "live-page.png") });
  } finally {
    await browser.close();
    await tidemark.stop();
  }
}

// `npm run screenshots -- [--seconds NUMBER]`, or `npm run screenshots -- states …` for the pictures of all states.
if (process.argv[2] === "states") await import("./screenshots/states.ts");
else {
  const { values } = parseArgs({ options: { seconds: { type: "string", default: "45" } } });
  await takeDocumented(Number(values.seconds) * 1_000);
}
