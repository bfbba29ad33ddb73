import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A tab of a browser with cookies of its own, whose complaints are taken down. */
export interface WatchedPage {
  readonly page: Page;
  /** Messages on the console about any page so far, such as violations of a policy, or a script's errors. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/**
 * For `Page.addInitScript`: content that moves while a page loads is told on the console, where the other complaints
 * are. Only for pages that come from this process: a browser may paint one of which a part is still on its way.
 */
export const TELL_LAYOUT_SHIFTS = `new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) console.error("layout shift of " + value);
}).observe({ type: "layout-shift", buffered: true })`;

/** The network's own word for a page that is shown with an error status, as it should be. */
const STATUS = /^Failed to load resource: the server responded with a status of [45]\d\d/;
/** Whoever has focused something by then keeps it; a test is quicker than people are. */
const LATE_AUTOFOCUS = /^Autofocus processing was blocked because a document already has a focused element/;
/** Files that pages load, which must exist. */
const LOADED = /\/(?:assets|logos)\//;

/** Opens a tab in a new context. */
export async function openWatchedPage(browser: Browser, options: BrowserContextOptions): Promise<WatchedPage> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
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
