import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { POLL_TIMEOUT_MS } from "../repository/polling.ts";
import { isFirefox } from "./browser.ts";

/** A tab of a browser with cookies of its own, whose complaints are taken down. */
export interface WatchedPage {
  readonly page: Page;
  /** Messages on the console about any page so far, such as violations of a policy, or a script's errors. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** Expression for a page: resolves in the second frame after its HTML was parsed, when all of that has been painted. */
export const WHOLE_PAGE_PAINTED = `new Promise((done) => {
  const inTwoFrames = () => requestAnimationFrame(() => requestAnimationFrame(done));
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", inTwoFrames);
  else inTwoFrames();
})`;

/**
 * Script for `Page.addInitScript` that reports content that moves on the console, where the other complaints are. A busy
 * browser paints a page while it still parses it: centred items and balanced lines then move as others come. Such shifts
 * don't count; those by late images and scripts do.
 */
export const REPORT_LAYOUT_SHIFTS = `{
  let paintedAt = Infinity;
  ${WHOLE_PAGE_PAINTED}.then((time) => { paintedAt = time; });
  new PerformanceObserver((list) => {
    const late = list.getEntries().filter(({ startTime }) => startTime >= paintedAt);
    for (const { value } of late) console.error("layout shift of " + value);
  }).observe({ type: "layout-shift", buffered: true });
}`;

/** The network's own word for a page that is shown with an error status, as it should be. */
const STATUS = /^Failed to load resource: the server responded with a status of [45]\d\d/;
/** Whoever has focused something by then keeps it; a test is quicker than people are. */
const LATE_AUTOFOCUS = /^Autofocus processing was blocked because a document already has a focused element/;
/** Files that pages load, which must exist. */
const LOADED = /\/(?:assets|logos)\//;

/** Keeps back all scripts that a page asks for from now on, as a slow connection does. @returns what lets them through */
export async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Opens a tab in a new context. */
export async function openWatchedPage(browser: Browser, options: BrowserContextOptions): Promise<WatchedPage> {
  if (isFirefox && options.javaScriptEnabled === false) throw new Error("Firefox can't be told to run no scripts");
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  context.setDefaultTimeout(POLL_TIMEOUT_MS);
  const complaints: string[] = [];
  context.on("console", (message) => {
    const { url } = message.location();
    const isPage = STATUS.test(message.text()) && !LOADED.test(url);
    if (!isPage && !LATE_AUTOFOCUS.test(message.text()))
      complaints.push(`${url}: ${message.type()}: ${message.text()}`);
  });
  context.on("weberror", (event) => complaints.push(`script: ${event.error().message}`));
  return { page: await context.newPage(), complaints, close: () => context.close() };
}
