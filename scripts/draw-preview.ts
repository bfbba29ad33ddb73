import { readFile, writeFile } from "node:fs/promises";
import { launchChromium } from "../test/support/browser.ts";

// `node scripts/draw-preview.ts` draws the preview image of sale pages with Chromium.
const folder = new URL("../gateway/sale-page/", import.meta.url);
const drawing = await readFile(new URL("preview.svg", folder), "utf8");
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`);
await writeFile(new URL("preview.png", folder), await page.screenshot());
await browser.close();
