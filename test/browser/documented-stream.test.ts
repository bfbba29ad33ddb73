import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmptySite, launchChromium, serveEmptySite } from "../support/pages/browser.ts";
import { type EmbeddedTidemark, startEmbedded } from "../support/processes/embedded.ts";
import { codeBlocks } from "../support/repository/markdown.ts";
import { readRepository } from "../support/repository/repository.ts";

const [LIVE] = codeBlocks(readRepository("docs/public-read.md"), "js");

describe("the live page of docs/public-read.md", () => {
  let tidemark: EmbeddedTidemark;
  let site: EmptySite;
  let browser: Browser;

  beforeAll(async () => {
    [tidemark, site, browser] = await Promise.all([startEmbedded("node"), serveEmptySite(), launchChromium()]);
  });
  afterAll(() => Promise.all([browser?.close(), site?.close(), tidemark?.stop()]));

  it("shows the auction's figures, and goes on as they change", async () => {
    const page = await browser.newPage();
    await page.goto(site.origin);
    const errors: Error[] = [];
    page.on("pageerror", (error) => errors.push(error));
    const origin = new URL(tidemark.publicReadUrl).origin;
    const script = (LIVE?.code ?? "").replace("http://127.0.0.1:8080", origin);
    await page.addScriptTag({ type: "module", content: script });
    const texts: string[] = [];
    for (let change = 0; change < 3; change++) {
      await page.waitForFunction(
        (before) => ![undefined, "", before].includes(document.body.textContent),
        texts.at(-1) ?? "",
      );
      texts.push((await page.textContent("body")) ?? "");
    }
    for (const text of texts) expect(text).toMatch(/^[1-9]\d* in [1-9]\d* commitments$/);
    expect(errors).toEqual([]);
    await page.close();
  });
});
