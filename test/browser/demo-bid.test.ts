import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { DemoVisitor, openLivePage } from "../support/applications/demo-visitor.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { type EmbeddedTidemark, startEmbedded } from "../support/processes/embedded.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";

let folder: TemporaryFolder;
let tidemark: EmbeddedTidemark;
let browser: Browser;
beforeAll(async () => {
  folder = await temporaryFolder();
  [tidemark, browser] = await Promise.all([startEmbedded("node", { DATA_DIR: folder.path }), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await tidemark?.stop();
  await folder?.remove();
});

describe.skipIf(findAnvil() === undefined)("the demo's application", () => {
  it("leads from sign-in to a bid without script, and the bid arrives on the live page", async () => {
    const alice = await DemoVisitor.open(browser, tidemark, join(folder.path, "mail"));
    await alice.signIn();
    const { page } = alice;
    await page.getByText("You have no entity that this application sees.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await alice.createEntity("Begun", "Alice");
    await page.getByText("The identity check waits for the user.").first().waitFor();
    await alice.press("Ask for a permit");
    await page.getByText("No permit for Alice. The identity check isn’t complete").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await alice.chooseResult("Approved");
    await page.getByText("For Alice: 10 to 25000 dollars in all").waitFor();
    const live = await openLivePage(browser, tidemark);
    await alice.bid("260", "411");
    await page.getByText("Confirmed in block").waitFor();
    const wallet = await alice.wallet();
    const row = live.locator("tr", { has: live.getByTitle(wallet) });
    await row.getByText("$260.00").waitFor();
    const position = page.locator(".now dl");
    expect(await position.textContent()).toContain("411 ticks");
    expect(await position.textContent()).toMatch(/In: its price|Out: its price|At the margin/);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.locator("script, [onclick], [onsubmit]").count()).toBe(0);
    await alice.bid("250", "411");
    await page.getByText("the contract refuses: BidAmountCannotBeLowered(250000000, 260000000)").first().waitFor();
    await page.getByRole("link", { name: "See the other states" }).click();
    expect(await violationsOf(page)).toEqual([]);
    await alice.leave();
  });
});
