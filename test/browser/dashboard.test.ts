import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { type DashboardSite, FounderVisitor, startDashboardSite } from "../support/pages/dashboard-site.ts";
import { PAGES_OF_SALE } from "../support/pages/founder-pages.ts";
import { holdScripts } from "../support/pages/watched-page.ts";

const NAME = "Harbour Token";
const PRICE = {
  "Price of one token": "0.25 USDC per token",
  "Address of the token": "0x1000000000000000000000000000000000000001",
};
const SQUARE_LOGO = "services/demo/logos/square.png";
const WIDE_LOGO = "services/demo/logos/wide.png";

let browser: Browser;
let site: DashboardSite;
beforeAll(async () => {
  browser = await launchChromium();
  site = await startDashboardSite();
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

/** Somebody new who is signed in. */
async function founder(options?: BrowserContextOptions): Promise<FounderVisitor> {
  const visitor = await FounderVisitor.open(site, browser, options);
  onTestFinished(() => visitor.leave());
  await visitor.signIn();
  return visitor;
}

async function createSale(visitor: FounderVisitor, name = NAME): Promise<void> {
  await visitor.follow("New sale");
  await visitor.sees("New sale");
  await goOn(visitor, 2);
  await visitor.fill(PRICE);
  await goOn(visitor, 3);
  await visitor.fill({ "Name of the sale": name });
  await goOn(visitor, 4);
  await visitor.press("Create the sale");
  await visitor.sees(name);
}

/** Goes to the next step of a new sale. */
async function goOn(visitor: FounderVisitor, step: number): Promise<void> {
  await visitor.press("Continue");
  await visitor.seesText(`Step ${step} of 4`);
}

async function addApplication(visitor: FounderVisitor, redirectUri: string): Promise<void> {
  await visitor.follow("Add an application");
  await visitor.sees("New application");
  await visitor.fill({ Name: "Harbour Portal" });
  await visitor.press("Add the application");
  await visitor.sees("Harbour Portal");
  await visitor.fill({ "Another redirect URI": redirectUri });
  await visitor.press("Add");
  await visitor.seesText("The redirect URIs are saved");
  await visitor.page.getByLabel("Square logo").setInputFiles(SQUARE_LOGO);
  await visitor.page.getByLabel("Wide logo").setInputFiles(WIDE_LOGO);
  await visitor.press("Upload");
  await visitor.seesText("The logos are saved");
}

async function openTheSale(visitor: FounderVisitor): Promise<void> {
  await visitor.follow("Harbour Token");
  await visitor.seesText("It can open");
  await visitor.follow("Open the sale…");
  await visitor.sees("Open the sale?");
  await visitor.press("Open the sale");
  await visitor.seesText("The sale is open.");
}

describe("a founder", () => {
  it("needs no script", async () => {
    const bob = await founder({ javaScriptEnabled: false });
    await createSale(bob);
    await addApplication(bob, "https://app.example/callback");
    await openTheSale(bob);
    await bob.follow("Settle…");
    await bob.press("Settle the sale");
    await bob.seesText("Name of the sale: Type the name of the sale exactly as it is shown");
    await bob.fill({ "Name of the sale": "Harbour Token" });
    await bob.press("Settle the sale");
    await bob.seesText("The sale is settled.");
    await bob.follow("Copy as live");
    await bob.sees("Copy of a sale");
    for (const step of [2, 3, 4]) await goOn(bob, step);
    await bob.press("Create the sale");
    await bob.seesText("The copy is created");
    expect(await bob.page.getByText("There is an application: Harbour Portal").count()).toBe(1);
    // The button, and the step that it is for.
    expect(await bob.page.getByRole("link", { name: "Add a redirect URI" }).count()).toBe(2);
  });

  it("sees exact figures and faults as they are typed", async () => {
    const carol = await founder();
    await carol.follow("New sale");
    await goOn(carol, 2);
    await carol.fill(PRICE);
    await carol.page.locator("#exact").getByText("0.25 dollars per token").first().waitFor();
    await carol.fill({ "Price of one token": "1/3" });
    await carol.page.locator("#exact").getByText("1/3 dollars per token").first().waitFor();
    await carol.fill({ "Price of one token": "0,25" });
    await carol.page.locator("#exact").getByText("Price of one token: Write 0.25 with a point").waitFor();
    await carol.fill(PRICE);
    await goOn(carol, 3);
    await carol.fill({ "Name of the sale": "<b>Harbour</b>" });
    await carol.page.locator("#exact").getByText("Name of the sale: must not contain < or >").waitFor();
    expect(await carol.page.locator(".preview-name").textContent()).toBe("<b>Harbour</b>");
    // The script keeps what is typed: another visit shows it.
    await carol.page.goto("/dashboard/new-sale");
    await carol.seesText("You began this sale before");
    expect(await carol.page.locator("#name").inputValue()).toBe("<b>Harbour</b>");
    await carol.press("Empty the form");
    await carol.sees("New sale");
    expect(await carol.page.locator("#name").inputValue()).toBe("");
  });

  it("sees what was typed before the script was there", async () => {
    const fred = await founder();
    await fred.follow("New sale");
    await goOn(fred, 2);
    const release = await holdScripts(fred.page);
    await fred.page.goto("/dashboard/new-sale?step=2", { waitUntil: "commit" });
    await fred.fill(PRICE);
    release();
    await fred.page.locator("#exact").getByText("0.25 dollars per token").first().waitFor();
  });

  it("has names as long as can be on a phone, and nothing goes beyond its edge", async () => {
    const dan = await founder({ viewport: { width: 360, height: 740 } });
    const { page } = dan;
    const [saleName, name] = ["Harbour".repeat(28), "Portal".repeat(16)];
    await createSale(dan, saleName);
    const sale = page.url().replace(/\?.*/, "");
    await dan.follow("Add an application");
    await dan.fill({ Name: name });
    await dan.press("Add the application");
    await dan.sees(name);
    const application = page.url().replace(/\?.*/, "");
    await dan.fill({ "Another redirect URI": `https://app.example/${"callback".repeat(30)}` });
    await dan.press("Add");
    await dan.seesText("The redirect URIs are saved");
    await page.goto(`${sale}/members`);
    await dan.fill({ "E-mail address": `${"a".repeat(64)}@${"subdomain.".repeat(12)}example.com` });
    await dan.press("Invite");
    await dan.seesText("The member is saved");
    const pages = [
      "/dashboard",
      application,
      `${application}/preview`,
      `${application}/security`,
      ...PAGES_OF_SALE.map((path) => sale + path),
    ];
    for (const path of [...pages, `/dashboard/new-sale?from=${sale.split("/").at(-1)}`]) {
      await page.goto(path);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path).toBe(true);
    }
  });
});

describe.each([
  [360, "light"],
  [1280, "dark"],
] as const)("the dashboard at %i px, %s", (width, colorScheme) => {
  it("is accessible and fits, errors and all", async () => {
    const erin = await founder({ viewport: { width, height: 740 }, colorScheme });
    const { page } = erin;
    const check = async (name: string) => {
      expect(await violationsOf(page), name).toStrictEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name).toBe(true);
    };
    await check("empty");
    await erin.follow("New sale");
    await check("first step");
    await goOn(erin, 2);
    await check("second step");
    await erin.press("Continue");
    await page.getByRole("alert").waitFor();
    for (const words of ["Enter the address of the payment token", "Enter a number"]) {
      expect(await page.getByRole("alert").getByText(words).count(), words).toBe(1);
    }
    await check("refused entries");
    await erin.fill(PRICE);
    await goOn(erin, 3);
    await check("third step");
    await erin.press("Continue");
    await page.getByRole("alert").getByText("Enter a name").waitFor();
    await erin.fill({ "Name of the sale": "A <b>bold</b> sale" });
    await erin.press("Continue");
    await page.getByRole("alert").getByText("must not contain < or >").waitFor();
    await page.goto("/dashboard/new-sale");
    await erin.seesText("You began this sale before");
    await check("kept entries");
    await goOn(erin, 2);
    await goOn(erin, 3);
    await erin.fill({ "Name of the sale": NAME });
    await goOn(erin, 4);
    await check("last step");
    await erin.press("Create the sale");
    await erin.sees(NAME);
    await check("draft");
    await addApplication(erin, "https://app.example/callback");
    await check("application");
    await erin.fill({ "Another redirect URI": "https://app.example/#x" });
    await erin.press("Add");
    await page.getByRole("alert").getByText("must not have a fragment").waitFor();
    await check("refused redirect URI");
    const svg = {
      name: "logo.png",
      mimeType: "image/png",
      buffer: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    };
    await page.getByLabel("Square logo").setInputFiles(svg);
    await erin.press("Upload");
    await page.getByRole("alert").getByText("must be a PNG, JPEG or WebP image").waitFor();
    await erin.follow("See the consent page");
    await erin.sees("Preview");
    await check("preview");
    await erin.follow("Back to the application");
    await erin.follow("Security settings");
    await check("security");
    await page.getByLabel("With its own key (private_key_jwt)").check();
    await erin.fill({ "Addresses after a sign-out": "http://app.example/" });
    await erin.press("Save");
    await page.getByRole("alert").getByText("Public keys: must have a key").waitFor();
    await check("refused security");
    await erin.follow("Harbour Token");
    await erin.follow("Members");
    await erin.fill({ "E-mail address": "guest@example.com" });
    await erin.press("Invite");
    await erin.seesText("The member is saved");
    await check("members");
    await erin.press("Leave the sale");
    await page.getByRole("alert").getByText("without an owner").waitFor();
    await erin.follow("Harbour Token");
    await erin.follow("What was done");
    await erin.seesText("guest@example.com became viewer");
    await check("log");
    await erin.follow("Harbour Token");
    await erin.follow("Open the sale…");
    await erin.sees("Open the sale?");
    await check("opening");
    await erin.press("Open the sale");
    await erin.seesText("The sale is open.");
    await check("open sale");
    await erin.follow("Settings");
    await erin.sees("Settings");
    await check("settings");
    await erin.follow("Harbour Token");
    await erin.follow("About the sale");
    await erin.fill({ "Your site": "founder.example" });
    await erin.press("Save");
    await page.getByRole("alert").getByText("must be an address that begins with https://").waitFor();
    await check("refused presentation");
    await erin.fill({ "Your site": "https://founder.example", Description: "Much to read. ".repeat(100) });
    await erin.press("Save");
    await erin.seesText("It is saved.");
    await page.getByLabel("Logo").setInputFiles("services/demo/logos/square.png");
    await erin.press("Upload");
    await erin.seesText("The logo is saved.");
    await check("presentation");
    await erin.follow("Harbour Token");
    await erin.follow("Webhooks");
    await erin.fill({ URL: "http://founder.example/hook" });
    await erin.press("Add it");
    await page.getByRole("alert").getByText("must begin with https://").waitFor();
    await check("refused webhook");
    await erin.fill({ URL: `https://founder.example/${"hook".repeat(100)}` });
    await erin.press("Add it");
    await erin.seesText("Put it into your server now");
    await check("secret of a webhook");
    await page.getByRole("button", { name: "Send a test event" }).click();
    await erin.seesText("The test event is on its way");
    await erin.seesText("webhook.test");
    await check("webhooks");
    await erin.follow("Harbour Token");
    await erin.follow("Import commitments");
    const csv = "commitment_id,entity_id,created_at,wallet,token,amount\n0x01,0x02,today,0x03,0x04,5\n";
    await page
      .getByLabel("File", { exact: true })
      .setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await check("import");
    await erin.press("Check it first");
    await erin.seesText("Nothing was imported");
    await check("refused import");
    await page.goto("/dashboard");
    await erin.sees("My sales");
    await check("sales");
    await erin.follow("Account");
    await erin.sees("Your account");
    await check("account");
    await erin.follow("My sales");
    await erin.follow("Guide");
    await erin.sees("For founders");
    for (const name of ["sales", "sign-in", "public-read", "embed", "webhooks"]) {
      await page.goto(`/dashboard/guide/${name}`);
      await check(`guide: ${name}`);
    }
    for (const [path, name] of [
      ["/dashboard/nothing", "There is no such page"],
      ["/account/nothing", "There is no such page"],
      ["/", "Tidemark"],
    ] as const) {
      await page.goto(path);
      await erin.sees(name);
      await check(path);
    }
  });
});
