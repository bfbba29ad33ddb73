import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { REVIEWS_PATH } from "../../gateway/dashboard/base/dashboard-paths.ts";
import { FounderSite } from "../../gateway/testing/founder-site.ts";
import { addEntity } from "../../gateway/testing/own-entities.ts";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { DemoVisitor } from "../support/applications/demo-visitor.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { FounderVisitor, startDashboardSite } from "../support/pages/dashboard-site.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";
import { Way } from "../support/pages/way.ts";
import { USER } from "../support/processes/auth-in-process.ts";
import { startEmbedded } from "../support/processes/embedded.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";

const SQUARE_LOGO = "services/demo/logos/square.png";
const WIDE_LOGO = "services/demo/logos/wide.png";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

// Each screen and each field costs people who give up there. A way may become shorter; whoever makes one longer says why.
describe("from nothing to done, each screen and each field once", () => {
  it.skipIf(findAnvil() === undefined)("a bidder's way to a bid has 8 screens and 4 fields", async () => {
    const folder = await temporaryFolder();
    const tidemark = await startEmbedded("node", { DATA_DIR: folder.path });
    onTestFinished(async () => {
      await tidemark.stop();
      await folder.remove();
    });
    const alice = await DemoVisitor.open(browser, tidemark, join(folder.path, "mail"));
    const way = await Way.follow(alice.page.context());
    await alice.signIn();
    const { page } = alice;
    await page.getByRole("link", { name: "Add yourself at Tidemark" }).click();
    await page.getByLabel("Country").fill("DE");
    await alice.press("Add");
    await page.getByText("For Myself: 10 to 25000 dollars in all").waitFor();
    await page.getByLabel("Total, in whole dollars").fill("260");
    await alice.press("Bid");
    await page.getByText("Confirmed in block").waitFor();
    await page.locator(".now dl", { hasText: "In: its price" }).waitFor();
    expect(way.screens).toStrictEqual([
      ...["/", "/oauth/continue", "/sign-in/code", "/oauth/continue", "/"],
      ...["/account", "/", "/"],
    ]);
    expect(way.fields).toStrictEqual(["email", "code", "country", "amount"]);
    await alice.leave();
  });

  it("a founder's way to an open sale has 10 screens and 8 fields", async () => {
    const site = await startDashboardSite();
    onTestFinished(() => site.stop());
    const founder = await FounderVisitor.open(site, browser);
    const { page } = founder;
    const way = await Way.follow(page.context());
    await founder.signIn();
    await founder.follow("New sale");
    await founder.press("Continue");
    await founder.seesText("Step 2 of 4");
    await founder.fill({
      "Price of one token": "0.25 USDC per token",
      "Address of the token": "0x1000000000000000000000000000000000000001",
    });
    await founder.press("Continue");
    await founder.seesText("Step 3 of 4");
    await founder.fill({ "Name of the sale": "Harbour Token" });
    await founder.press("Continue");
    await founder.seesText("Step 4 of 4");
    await page.getByLabel("Square logo").setInputFiles(SQUARE_LOGO);
    await page.getByLabel("Wide logo").setInputFiles(WIDE_LOGO);
    await page.getByLabel(/^Redirect URI/).fill("https://app.example/callback");
    await founder.press("Create the sale");
    await founder.seesText("It can open");
    await founder.follow("Open the sale…");
    await founder.press("Open the sale");
    await founder.seesText("The sale is open.");
    const steps = Array.from({ length: 4 }, () => "/dashboard/new-sale");
    expect(way.screens).toStrictEqual([
      ...["/sign-in", "/sign-in/code", "/dashboard", ...steps],
      ...["/dashboard/sales/:id", "/dashboard/sales/:id/open", "/dashboard/sales/:id"],
    ]);
    expect(way.fields).toStrictEqual([
      ...["email", "code", "price", "token_address_0", "name", "square", "wide", "redirect_uri"],
    ]);
    await founder.leave();
  });

  it("a reviewer's way from the mail to a decision has 3 screens and 1 field", async () => {
    const site = await FounderSite.start(undefined, { REVIEWERS: USER });
    onTestFinished(() => site.stop());
    const waiting = { setupState: "ready_for_review", submittedAtMs: 1_000n, country: "AT" } as const;
    await addEntity(site.gateway, { label: "Harbour Holdings", ...waiting }, "bob@example.org");
    const { page, close } = await openWatchedPage(browser, { baseURL: site.gateway.origin });
    onTestFinished(close);
    const cookie = { name: "tidemark-session", value: site.sessionToken(), url: site.gateway.origin };
    await page.context().addCookies([cookie]);
    const way = await Way.follow(page.context());
    await page.goto(REVIEWS_PATH);
    await page.getByRole("link", { name: "Harbour Holdings" }).click();
    await page.getByRole("textbox", { name: "Reference" }).fill("K-17");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("The entity is approved.").waitFor();
    expect(way.screens).toStrictEqual([REVIEWS_PATH, `${REVIEWS_PATH}/:id`, REVIEWS_PATH]);
    expect(way.fields).toStrictEqual(["reference"]);
  });
});
