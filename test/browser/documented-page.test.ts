import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AUCTION, FIXED_PRICE } from "../../services/demo/sales/demo-sales.ts";
import { type EmptySite, launchChromium, serveEmptySite } from "../support/pages/browser.ts";
import { type EmbeddedTidemark, startEmbedded } from "../support/processes/embedded.ts";
import { codeBlocks } from "../support/repository/markdown.ts";
import { readRepository } from "../support/repository/repository.ts";

const SCRIPT = codeBlocks(readRepository("docs/public-read.md"), "js").at(-1)?.code ?? "";

interface Answer {
  readonly Commitments: readonly { readonly Amounts: readonly { readonly Amount: string }[] }[];
  readonly TotalCommitmentAmount: string;
  readonly PaymentTokenDecimals: number;
}

describe("the page of docs/public-read.md", () => {
  let tidemark: EmbeddedTidemark;
  let site: EmptySite;
  let browser: Browser;

  beforeAll(async () => {
    [tidemark, site, browser] = await Promise.all([startEmbedded("node"), serveEmptySite(), launchChromium()]);
  });
  afterAll(() => Promise.all([browser?.close(), site?.close(), tidemark?.stop()]));

  // The amounts of the second sale have 18 decimals: no JavaScript number holds their sum.
  it.each([
    ["auction", AUCTION.uuid],
    ["fixed-price sale", FIXED_PRICE.uuid],
  ])("shows exactly what it read of the %s, and reads again", async (_, uuid) => {
    const page = await browser.newPage();
    await page.goto(site.origin);
    const answers = collectAnswers(page);
    const origin = new URL(tidemark.publicReadUrl).origin;
    const script = SCRIPT.replace("http://127.0.0.1:8080", origin).replace(AUCTION.uuid, uuid);
    await page.addScriptTag({ type: "module", content: script });
    const texts: string[] = [];
    for (let reading = 0; reading < 2; reading++) {
      await page.waitForFunction(
        (before) => ![undefined, "", before].includes(document.body.textContent),
        texts.at(-1) ?? "",
      );
      texts.push((await page.textContent("body")) ?? "");
    }
    expect((await answers()).map(textOf)).toEqual(expect.arrayContaining(texts));
    await page.close();
  });
});

/** Notes what the gateway answers the page from now on; the function returned gives it all. A 304 brings nothing new. */
function collectAnswers(page: Page): () => Promise<Answer[]> {
  const bodies: Promise<Answer | undefined>[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith("/commitment-data")) bodies.push(response.json().catch(() => undefined));
  });
  return async () => (await Promise.all(bodies)).filter((body) => body !== undefined);
}

/** The same text, worked out another way. */
function textOf(answer: Answer): string {
  const { PaymentTokenDecimals: decimals } = answer;
  let latest = 0n;
  for (const { Amounts } of answer.Commitments) for (const { Amount } of Amounts) latest += BigInt(Amount);
  const total = inUnits(BigInt(answer.TotalCommitmentAmount), decimals);
  return `${total} in all; the latest 100: ${inUnits(latest, decimals)}`;
}

function inUnits(amount: bigint, decimals: number): string {
  const one = 10n ** BigInt(decimals);
  return `${amount / one}.${(amount % one).toString().padStart(decimals, "0")}`;
}
