import { join } from "node:path";
import type { Page } from "playwright-core";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { DemoVisitor, openLivePage } from "../support/applications/demo-visitor.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { type EmbeddedTidemark, startEmbedded } from "../support/processes/embedded.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { type BenchTable, median } from "./support/bench-table.ts";
import { amount } from "./support/quick.ts";

const BIDS = amount(15, 1);
const BLOCK_SECONDS = 1;
const MOST_MEDIAN_MS = 1_500;
const FIRST_TOTAL = 300;
const PRICE = "420";
const CHAIN = /local chain: (http:\/\/127\.0\.0\.1:\d+), with/;

/** Takes down when a text is first in the list of commitments, by the clock of this machine. */
const RECORD_ARRIVALS = `window.arrivals = {};
new MutationObserver(() => {
  for (const { textContent } of document.querySelectorAll("#latest td:nth-child(3)")) window.arrivals[textContent] ??= Date.now();
}).observe(document.querySelector("#latest td:nth-child(3)").closest("tbody"), { childList: true, subtree: true, characterData: true })`;

/**
 * Bids at the demo's application, whose chain makes a block a second, and takes the time from the confirmation of each bid, at
 * the application's server, to its row on the live page in Chromium. About a minute and a half.
 *
 * @throws Error if a process can't be started
 */
export async function bidToPageBench(): Promise<BenchTable> {
  if (findAnvil() === undefined) throw new Error("anvil isn't installed here");
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const tidemark = await startEmbedded("node", { DATA_DIR: folder.path });
  stack.defer(() => tidemark.stop());
  const browser = await launchChromium();
  stack.defer(() => browser.close());
  const bidder = await DemoVisitor.open(browser, tidemark, join(folder.path, "mail"));
  await bidder.signIn();
  await bidder.createEntity("Approved");
  await bidder.page.getByText("10 to 25000 dollars in all").waitFor();
  const live = await openLivePage(browser, tidemark);
  await live.evaluate(RECORD_ARRIVALS);
  await mineEverySecond(tidemark);
  const times: number[] = [];
  for (let bid = 0; bid < BIDS; bid++) times.push(await timeOf(bidder, live, FIRST_TOTAL + bid));
  return tableOf(times);
}

/** Makes the chain, which mines each transaction at once, mine a block a second. */
async function mineEverySecond({ process }: EmbeddedTidemark): Promise<void> {
  const [, url = ""] = await process.waitForLine(CHAIN);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "evm_setIntervalMining", params: [BLOCK_SECONDS] });
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { error } = await answer.json();
  if (error !== undefined) throw new Error(`anvil refuses blocks of a second: ${JSON.stringify(error)}`);
}

/** Bids, and returns the time from the confirmation to the row, in milliseconds. @param total in dollars, of no other bid */
async function timeOf(bidder: DemoVisitor, live: Page, total: number): Promise<number> {
  await bidder.bid(String(total), PRICE);
  await bidder.page.locator(".now dd", { hasText: `${total} USDX` }).waitFor();
  const confirmed = (await bidder.page.locator("#confirmed").getAttribute("datetime")) ?? "";
  const shown = `$${total}.00`;
  await live.locator("#latest td:nth-child(3)", { hasText: shown }).first().waitFor();
  return Number(await live.evaluate(`window.arrivals[${JSON.stringify(shown)}]`)) - Date.parse(confirmed);
}

function tableOf(times: readonly number[]): BenchTable {
  const middle = median(times);
  return {
    title: `From a confirmed bid to the live page in Chromium, with a block every ${BLOCK_SECONDS} s`,
    columns: ["bids", "median ms", "fastest ms", "slowest ms"],
    rows: [[String(times.length), middle.toFixed(0), Math.min(...times).toFixed(0), Math.max(...times).toFixed(0)]],
    notes: [`The median must be at most ${MOST_MEDIAN_MS} ms. Browser, chain and all services share the machine.`],
    required: [{ name: "median ms", value: middle, atMost: MOST_MEDIAN_MS }],
  };
}
