import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { monogramOf } from "../../gateway/sale-page/browser/monogram.js";
import { type AuthGateway, startAuthGateway } from "../../gateway/testing/auth-gateway.ts";
import { type FakeSale, SALE } from "../../gateway/testing/fake-commitments.ts";
import { worstSale } from "../../gateway/testing/worst-sale.ts";
import {
  ClearingOutcome,
  NotCountedReason,
  type PositionCommitmentSchema,
} from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStage, SaleStatus } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";

const PAGE = `/sales/${SALE}`;
const WALLET = `0x${"ab".repeat(20)}`;
const OTHER = `0x${"cd".repeat(20)}`;
const ONE = "1000000000000000000";
/** Moves the browser's clock on by more than the pace of reads, for a page whose timers the test has taken over. */
const PACE_MS = 16_000;

let browser: Browser;
let gateway: AuthGateway;
let revision = 1n;
let nextPageToken = "";
beforeAll(async () => {
  browser = await launchChromium();
  gateway = await startAuthGateway({ CACHE_MAX_STALE: "250ms" });
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});
beforeEach(() => {
  gateway.commitments.recover();
  gateway.commitments.positions.length = 0;
  nextPageToken = "";
  setPosition(bid(ClearingOutcome.IN), bid(ClearingOutcome.AT_MARGIN, 2), {
    ...bid(ClearingOutcome.UNSPECIFIED, 3),
    notCountedReason: NotCountedReason.REFUNDED,
  });
});

type Bid = MessageInitShape<typeof PositionCommitmentSchema>;

function bid(clearingOutcome: ClearingOutcome, id = 1, amount = ONE) {
  const commitment = {
    commitmentId: new Uint8Array(32).fill(id),
    entityId: new Uint8Array(16),
    price: { numerator: "5", denominator: "10" },
    amounts: [{ wallet: WALLET, token: "0xa1", amount }],
    createdAtSeconds: 1_800_000_000n,
  };
  return { commitment, clearingOutcome } satisfies Bid;
}

/** Sets the answer to every look-up, and changes the sale. */
function setPosition(...commitments: Bid[]): void {
  setSale({ commitments });
}

/** @param figures others than those of `worstSale`, with which an auction of 100 tokens has its offer */
function setSale(position: FakeSale["position"], figures?: object): void {
  revision += 1n;
  const { data: worst, ...rest } = worstSale(revision);
  const data = { ...worst, ...figures } as FakeSale["data"];
  const offeredAmount = figures === undefined ? "" : `100${ONE.slice(1)}`;
  const auction = { floorPrice: { numerator: "1", denominator: "10" }, offeredAmount };
  const sale = {
    name: "Harbour",
    amountsAreDollars: true,
    auction,
    paymentTokens: [{ address: "0xa1", decimals: 18, usdStablecoin: true }],
  };
  const answer = { wallet: WALLET, paymentTokenDecimals: 18, nextPageToken, ...position };
  gateway.commitments.sales.set(SALE, { ...rest, data, sale, position: answer });
}

async function open(path = PAGE, options: BrowserContextOptions = {}, script?: string): Promise<Page> {
  const watched = await openWatchedPage(browser, { baseURL: gateway.origin, ...options });
  onTestFinished(async () => {
    await watched.close();
    expect(watched.complaints).toStrictEqual([]);
  });
  if (script !== undefined) await watched.page.addInitScript(script);
  await watched.page.goto(path);
  return watched.page;
}

const summary = (page: Page) => page.locator("#position-summary");
/** Waits for what the page says of a wallet, until all of the page is there. */
async function says(page: Page, text: string): Promise<void> {
  await summary(page).getByText(text, { exact: true }).waitFor();
  await page.waitForLoadState();
}

describe.each([
  [360, "light"],
  [768, "dark"],
  [1440, "light"],
] as const)("the look-up of a wallet at %i px, %s", (width, colorScheme) => {
  it("shows all commitments, keeps the wallet in the address bar only, is accessible and fits", async () => {
    const page = await open(PAGE, { viewport: { width, height: 900 }, colorScheme });
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url(), request.headers()["referer"] ?? ""));
    await page.getByLabel("Address of the wallet").fill(` ${WALLET} `);
    await page.keyboard.press("Enter");
    await says(page, "3 commitments: 1 in, 1 at the margin, 1 refunded");
    // The page's script may come later than the answer to its form, which a hasty reader has sent.
    await expect.poll(() => new URL(page.url()).hash).toBe(`#wallet=${WALLET}`);
    expect(await page.locator("#bids .badge").allTextContents()).toStrictEqual(["In", "At the margin", "Refunded"]);
    expect(await violationsOf(page)).toStrictEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(addresses.join()).not.toContain(WALLET);
  });
});

describe("the look-up of a wallet", () => {
  it("finds the wallet of the address bar, follows it at its pace, and speaks only when a state changes", async () => {
    const page = await openWithClock(`${PAGE}#wallet=${WALLET}`);
    await says(page, "3 commitments: 1 in, 1 at the margin, 1 refunded");
    await page.evaluate(`window.spoken = [];
      new MutationObserver(() => window.spoken.push(document.querySelector("#position-summary").textContent))
        .observe(document.querySelector("#position-summary"), { childList: true, characterData: true, subtree: true })`);
    setPosition(bid(ClearingOutcome.OUT, 1, `2${ONE.slice(1)}`));
    await follow(page);
    await says(page, "1 commitment: 1 out");
    expect(await page.locator('[data-field="amount"]').first().textContent()).toBe("$2.00");
    setPosition(bid(ClearingOutcome.OUT, 1, `3${ONE.slice(1)}`));
    await follow(page);
    await page.locator('[data-field="amount"]').getByText("$3.00").waitFor();
    expect(await page.evaluate("window.spoken")).toStrictEqual(["1 commitment: 1 out"]);
  });

  it("is beside a floor until the demand pays for the offer, and then beside a clearing price and the floor", async () => {
    const figures = (dollars: number, below: number, denominator: string) => ({
      totalAmount: `${dollars}${ONE.slice(1)}`,
      belowFloorAmount: below === 0 ? "0" : `${below}${ONE.slice(1)}`,
      clearingPrice: { price: { numerator: "1", denominator } },
    });
    const tiles = async () => {
      const shown = await page.locator(".tile:visible").locator("dt, data, .note span").allTextContents();
      return shown.filter((text) => /price|Floor|\$0|offer/.test(text) && !/value/.test(text)).join(", ");
    };
    const commitments = [bid(ClearingOutcome.BELOW_FLOOR)];
    setSale({ commitments, undersubscribed: true }, figures(12, 7, "10"));
    const page = await openWithClock(`${PAGE}#wallet=${WALLET}`);
    await says(page, "1 commitment: 1 below the floor");
    expect(await tiles()).toMatch(/^50% of the offer is bid, Floor per token, \$0\.10$/);
    setSale({ commitments }, figures(57, 7, "4"));
    await expect.poll(tiles).toBe("2 times the offer is bid, Clearing price per token, $0.25, Floor per token, $0.10");
  });

  it("says what was accepted once the sale is settled, and nothing of bids that move", async () => {
    setPosition(bid(ClearingOutcome.OUT));
    const page = await openWithClock(`${PAGE}#wallet=${WALLET}`);
    await says(page, "1 commitment: 1 out");
    const note = page.locator("#position-note");
    expect(await note.textContent()).toContain("can change with every bid");
    const allocations = [
      { entityId: new Uint8Array(16), token: "0xa1", accepted: `3${ONE.slice(2)}`, refunded: `7${ONE.slice(2)}` },
    ];
    const settled = { status: SaleStatus.SETTLED, stage: SaleStage.DONE, saleAllocations: {} };
    const clearingPrice = { price: { numerator: "1", denominator: "4" } };
    setSale({ commitments: [bid(ClearingOutcome.OUT)], ...settled, allocations, clearingPrice });
    await follow(page);
    await says(page, "1 commitment: 1 accepted in part. Accepted: $0.30");
    expect(await note.textContent()).toBe("The sale is settled: none of this changes any more.");
    const outcomes = await page.locator("#outcome > div").allTextContents();
    expect(outcomes.map((text) => text.replaceAll("\u00a0", " "))).toStrictEqual([
      "Accepted$0.30",
      "Not accepted$0.70",
      "Refunded$0.70",
      expect.stringMatching(/^Clearing price per /),
      expect.stringMatching(/^Tokens at this price/),
    ]);
    expect(await violationsOf(page)).toStrictEqual([]);
  });

  it("says that it was refused, keeps what it has, and comes back by itself", async () => {
    const page = await openWithClock(`${PAGE}#wallet=${WALLET}`);
    await says(page, "3 commitments: 1 in, 1 at the margin, 1 refunded");
    gateway.commitments.fail();
    setPosition();
    await page.evaluate('document.dispatchEvent(new Event("tidemark:drawn"))');
    await page.clock.fastForward(PACE_MS);
    await page.getByText("Wallets can’t be looked up at the moment. Trying again shortly.").waitFor();
    expect(await page.locator("#bids li").count()).toBe(3);
    gateway.commitments.recover();
    await page.clock.fastForward(PACE_MS);
    await says(page, "No commitments");
    await page.getByText("This wallet has committed nothing to this sale.").waitFor();
    expect(await page.locator("#position-trouble").textContent()).toBe("");
    expect(await violationsOf(page)).toStrictEqual([]);
  });

  it("goes back to the wallet before, forgets it when asked to, and says what is wrong with an entry", async () => {
    const page = await open(`${PAGE}#wallet=${WALLET}`);
    await says(page, "3 commitments: 1 in, 1 at the margin, 1 refunded");
    const input = page.getByLabel("Address of the wallet");
    await input.fill(OTHER);
    await page.getByRole("button", { name: "Look up" }).click();
    await expect.poll(() => gateway.commitments.positions.at(-1)?.wallet).toBe(OTHER);
    await page.goBack();
    await expect.poll(() => input.inputValue()).toBe(WALLET);
    await says(page, "3 commitments: 1 in, 1 at the margin, 1 refunded");
    await input.fill("0x12");
    await page.keyboard.press("Enter");
    await page
      .getByText("This isn’t the address of a wallet on this sale’s chain: enter 0x and 40 hexadecimal digits.")
      .waitFor();
    expect(await input.getAttribute("aria-invalid")).toBe("true");
    expect(await violationsOf(page)).toStrictEqual([]);
    await page.getByRole("button", { name: "Forget it" }).click();
    expect([new URL(page.url()).hash, await page.locator("#bids").isVisible()]).toStrictEqual(["", false]);
  });

  it("shows further commitments by the keyboard, and marks the wallet's bids in the demand until it is forgotten", async () => {
    nextPageToken = "page-2";
    setPosition(bid(ClearingOutcome.IN));
    const page = await open(`${PAGE}#wallet=${WALLET}`);
    await says(page, "1 commitment: 1 in");
    await page.getByText("The wallet has more commitments than are shown.").waitFor();
    nextPageToken = "";
    setPosition(bid(ClearingOutcome.OUT));
    await page.getByRole("button", { name: "Show the next ones" }).press("Enter");
    await says(page, "1 commitment: 1 out");
    expect(gateway.commitments.positions.at(-1)).toMatchObject({ wallet: WALLET, pageToken: "page-2" });
    expect(await page.locator(":focus").getAttribute("id")).toBe("position-wallet");
    const readout = page.locator('[data-chart="demand"] .readout');
    await readout.scrollIntoViewIfNeeded();
    await readout.getByText(/^Clears at \$\S+ · Floor \$0\.10 · Bid \$0\.50$/).waitFor();
    await page.getByRole("button", { name: "Forget it" }).click();
    await readout.getByText(/^Clears at \$\S+ · Floor \$0\.10$/).waitFor();
  });

  it("takes the address from a wallet in the browser", async () => {
    const page = await open(
      PAGE,
      {},
      `addEventListener("eip6963:requestProvider", () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: {
        info: { uuid: "u", name: "Harbour <b>Wallet" },
        provider: { request: async ({ method }) => (method === "eth_chainId" ? "0x1" : ["${WALLET}"]) },
      } })))`,
    );
    await page.getByRole("heading", { name: "Am I in?" }).scrollIntoViewIfNeeded();
    await page.getByRole("button", { name: "Use Harbour <b>Wallet", exact: true }).click();
    await says(page, "3 commitments: 1 in, 1 at the margin, 1 refunded");
    expect(new URL(page.url()).hash).toBe(`#wallet=${WALLET}`);
  });

  it("is a form without script, and its answer the same page", async () => {
    const page = await open(PAGE, { javaScriptEnabled: false });
    await page.getByLabel("Address of the wallet").fill(WALLET);
    await page.getByRole("button", { name: "Look up" }).click();
    await says(page, "3 commitments: 1 in, 1 at the margin, 1 refunded");
    expect(page.url()).not.toContain(WALLET);
    expect(await page.locator("#latest tbody tr").count()).toBe(100);
    expect(await page.getByRole("button").count()).toBe(1);
  });
});

describe("the image of a sale for other sites", () => {
  it("is a picture for a browser, in the colours that were drawn", async () => {
    const page = await open();
    const colours = await page.evaluate(`(async () => {
      const image = Object.assign(new Image(), { src: "${PAGE}/share.png" });
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
      const context = canvas.getContext("2d", { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      const at = (x, y) => context.getImageData(x, y, 1, 1).data.slice(0, 3).join();
      const { data } = context.getImageData(80, 200, 600, 100);
      const bright = data.filter((part, index) => index % 4 === 0 && part > 200).length;
      return [canvas.width, canvas.height, at(5, 5), at(90, 110), at(1199, 629), bright > 1000];
    })()`);
    const accent = Buffer.from(monogramOf("Harbour").accent.slice(1), "hex").join();
    expect(colours).toStrictEqual([1200, 630, "12,20,23", accent, "12,20,23", true]);
  });
});

async function openWithClock(path: string): Promise<Page> {
  const page = await open("about:blank");
  await page.clock.install();
  await page.goto(path);
  return page;
}

/** Lets a page that has the present figures look for the wallet again. */
async function follow(page: Page): Promise<void> {
  await page.evaluate('document.dispatchEvent(new Event("tidemark:drawn"))');
  await page.clock.fastForward(PACE_MS);
}
