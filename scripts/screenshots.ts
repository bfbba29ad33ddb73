import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launchChromium } from "../test/support/pages/browser.ts";
import { DEMO_SALE_UUID, startEmbedded } from "../test/support/processes/embedded.ts";
import { REPOSITORY_ROOT } from "../test/support/repository/repository.ts";

const FOLDER = join(REPOSITORY_ROOT, "docs", "pictures");

// `npm run screenshots -- [--seconds NUMBER]` takes the pictures of the documentation, from the demo that `npm start` runs. The
// simulated bidders bid for so many seconds before, so that the charts have data.
const { values } = parseArgs({ options: { seconds: { type: "string", default: "45" } } });
const biddingMs = Number(values.seconds) * 1_000;
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
