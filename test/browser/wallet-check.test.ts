import type { Browser } from "playwright-core";
import { encodeAbiParameters, parseAbi } from "viem/utils";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { SALE_FUNCTIONS } from "../../common/contracts/reference/evm/abi.ts";
import { READ_SELECTORS } from "../../common/contracts/reference/evm/read-selectors.ts";
import { type AuthGateway, startAuthGateway } from "../../gateway/testing/auth-gateway.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { BIDDER, SALE_LOGO, saleStates } from "../../gateway/testing/sale-states.ts";
import { pngImage } from "../../services/auth/testing/images.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";
import { freePort } from "../support/processes/free-port.ts";

const WAIT = { timeout: 120_000 };
const TOKEN = `0x${"a0".repeat(20)}` as const;
const OTHER = `0x${"cd".repeat(20)}` as const;
const BLOCK_HASH = `0x${"07".repeat(32)}`;
const id = (index: number) => new Uint8Array(32).fill(index);
const hexId = (index: number) => `0x${Buffer.from(id(index)).toString("hex")}` as const;
const [rowsType] = parseAbi(SALE_FUNCTIONS).flatMap((each) =>
  each.type === "function" && each.name === "readCommitmentDataIn" ? each.outputs : [],
);

let browser: Browser;
let gateway: AuthGateway;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  gateway = await startAuthGateway({ CACHE_MAX_STALE: "250ms", GATEWAY_PORT: String(await freePort()) });
});
afterEach(() => gateway.stop());

const price = { numerator: "131250", denominator: String(10n ** 18n) };
const commitment = (index: number, wallet: string, amount: bigint) => ({
  ...{ commitmentId: id(index), entityId: new Uint8Array(16).fill(index), price, createdAtSeconds: 1_790_000_000n },
  amounts: [{ wallet, token: TOKEN, amount: String(amount) }],
});

/** A sale with two commitments, one of them the reader's. */
function setSale(): void {
  gateway.commitments.logos.set(SALE_LOGO, pngImage(64, 64));
  const { sale, feedState } = saleStates(1_800_000_000n).cleared;
  const [own, other] = [commitment(1, BIDDER, 7_000_000n), commitment(2, OTHER, 5_000_000n)];
  const tick = { numerator: "1", denominator: String(10n ** 18n) };
  gateway.commitments.sales.set(SALE, {
    ...{ generation: 1n, revision: 1n, sale: { ...sale, priceTick: tick }, ...(feedState && { feedState }) },
    data: {
      ...{ commitments: [own, other], totalAmount: "12000000", commitmentCount: 2n, paymentTokenDecimals: 6 },
      ...{ offeredTokenDecimals: 18, clearingPrice: { price, microUsd: "131250" } },
    },
    position: { wallet: BIDDER, commitments: [{ commitment: own }], paymentTokenDecimals: 6 },
  });
}

/** Script of a wallet whose node has these amounts of the two commitments, and perhaps no state of the page's block. */
function walletScript(amounts: readonly [own: bigint, other: bigint], hasState = true): string {
  const row = (index: number, wallet: string, amount: bigint) => ({
    ...{ commitmentID: hexId(index), saleSpecificEntityID: `0x${"01".repeat(16)}`, timestamp: 1_790_000_000n },
    ...{
      price: 131_250n,
      lockup: false,
      refunded: false,
      amounts: [{ wallet, token: TOKEN, amount }],
      extraData: "0x",
    },
  });
  const rows = [row(1, BIDDER, amounts[0]), row(2, OTHER, amounts[1])];
  const answers = {
    eth_requestAccounts: [BIDDER],
    eth_chainId: "0x1",
    eth_getBlockByNumber: { hash: BLOCK_HASH },
    count: `0x${(2).toString(16).padStart(64, "0")}`,
    rows: encodeAbiParameters([rowsType] as never[], [rows] as never),
  };
  return `window.asked = [];
window.ethereum = { request: async ({ method, params }) => {
  const answers = ${JSON.stringify(answers)};
  window.asked.push(method);
  if (method !== "eth_call") return answers[method];
  if (!${hasState} && params[1] !== "latest") throw new Error("missing trie node");
  return answers[params[0].data === "${READ_SELECTORS.numCommitments}" ? "count" : "rows"];
} };`;
}

async function checked(script: string) {
  setSale();
  const { page, complaints, close } = await openWatchedPage(browser, {
    ...{ baseURL: gateway.origin, viewport: { width: 360, height: 900 } },
  });
  onTestFinished(close);
  await page.addInitScript(script);
  await page.goto(`/sales/${SALE}`);
  await page.locator('#state[data-state="live"]').waitFor(WAIT);
  await page.locator("#look-up").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Check with the browser’s wallet" }).click(WAIT);
  const lines = () => page.locator("#wallet-check li").allTextContents();
  return { page, complaints, lines, state: page.locator("#wallet-check-state") };
}

it("says what a wallet's node has found the same, and asks it to sign and send nothing", async () => {
  const { page, complaints, lines, state } = await checked(walletScript([7_000_000n, 5_000_000n]));
  await state.getByText(/^The same, at block 19,000,000 of the chain with ID 1, /).waitFor(WAIT);
  expect(await lines()).toEqual([
    "Committed: 12, on this page and in the contract.",
    "Commitments: 2, on this page and in the contract.",
    "1 commitment of 0xabab…abab: its amount and price are the same on this page and in the contract.",
  ]);
  const asked = await page.evaluate<string[]>("[...new Set(window.asked)]");
  expect(asked.toSorted()).toEqual(["eth_call", "eth_chainId", "eth_getBlockByNumber", "eth_requestAccounts"]);
  expect(await violationsOf(page)).toStrictEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect(complaints).toStrictEqual([]);
});

it("says each difference plainly where page and contract disagree", async () => {
  const { lines, state } = await checked(walletScript([6_000_000n, 5_000_000n]));
  await state.getByText(/^Not the same, at block 19,000,000 /).waitFor(WAIT);
  expect(await state.getAttribute("class")).toBe("notice");
  expect(await lines()).toEqual([
    "Committed: 12 on this page, 11 in the contract.",
    "Commitments: 2, on this page and in the contract.",
    "Commitment 0x0101…0101: 7 on this page, 6 in the contract.",
  ]);
});

it("says that a node no longer has the state of the page's block", async () => {
  const { lines, state } = await checked(walletScript([7_000_000n, 5_000_000n], false));
  await state.getByText(/^Nothing is compared: your wallet’s node no longer has /).waitFor(WAIT);
  expect(await lines()).toEqual([]);
});
