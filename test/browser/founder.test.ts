import type { Browser, Page, Request } from "playwright-core";
import { getAddress, getContractAddress, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { auctionCalls, deployAuctionSale } from "../support/chains/sale-contract.ts";
import { tokenCode } from "../support/chains/token-code.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import {
  type DashboardSiteOnChain,
  FounderVisitor,
  startDashboardSiteOnChain,
} from "../support/pages/dashboard-site.ts";
import { Keyboard } from "../support/pages/keyboard.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { freePort } from "../support/processes/free-port.ts";

const TOKEN: Hex = `0x${"a1".repeat(20)}`;
const ENTITY: Hex = `0x${"e1".repeat(16)}`;
/** An address without a contract. */
const NOWHERE: Hex = `0x${"d4".repeat(20)}`;
const COMMITMENT_STAGE = 1;
/** Interval at which the script looks at a contract again. */
const LOOK_MS = 30_000;
const SQUARE_LOGO = "services/demo/logos/square.png";
const WIDE_LOGO = "services/demo/logos/wide.png";
const AUTHORIZE_LINK = /open (http\S+)/;

let browser: Browser;
let site: DashboardSiteOnChain;
beforeAll(async () => {
  browser = await launchChromium();
  site = await startDashboardSiteOnChain();
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

/** Somebody with a browser of their own and no mouse. */
class Person {
  readonly visitor: FounderVisitor;
  readonly keyboard: Keyboard;

  constructor(visitor: FounderVisitor) {
    this.visitor = visitor;
    this.keyboard = new Keyboard(visitor.page);
  }

  static async come(javaScriptEnabled: boolean): Promise<Person> {
    const visitor = await FounderVisitor.open(site, browser, { javaScriptEnabled });
    onTestFinished(() => visitor.leave());
    return new Person(visitor);
  }

  async signIn(): Promise<void> {
    await this.keyboard.write("E-mail address", this.visitor.email);
    await this.keyboard.press("button", "Send me a code");
    await this.keyboard.write("Code", await this.visitor.mailedCode());
    await this.keyboard.press("button", "Sign in");
  }
}

/** The ID that a contract must hold, as the form of its sale shows it. */
async function idToDeploy({ visitor: { page } }: Person): Promise<Hex> {
  const shown = page.locator(".copyable").filter({ hasText: "ID in the contract" }).getByRole("code");
  return (await shown.textContent()) as Hex;
}

/** @returns the address as explorers show it, its checksum in its case */
async function deploy(saleUuid?: Hex): Promise<Hex> {
  const contract = await deployAuctionSale(site.chain, { tokens: [TOKEN], ...(saleUuid && { saleUuid }) });
  await site.chain.send(auctionCalls.setStage(contract, COMMITMENT_STAGE));
  return getAddress(contract);
}

async function enterAuction({ keyboard }: Person, amount: string): Promise<void> {
  await keyboard.choose("Auction");
  await keyboard.write("Lowest price", "0.10");
  await keyboard.write("Price step", "0.01");
  await keyboard.write("Tokens for sale", amount);
}

/** Takes the last two steps of a new sale. */
async function finishSale({ visitor, keyboard }: Person, name: string): Promise<void> {
  await visitor.seesText("Step 3 of 4");
  await keyboard.write("Name of the sale", name);
  await visitor.page.keyboard.press("Enter");
  await visitor.seesText("Step 4 of 4");
  await keyboard.reach(visitor.page.getByLabel(/^Redirect URI/), "Redirect URI");
  await visitor.page.keyboard.press("Enter");
  await visitor.sees(name);
}

/** @returns the contract of the sale that is created */
async function createSale(founder: Person, hasScript: boolean): Promise<Hex> {
  const { visitor, keyboard } = founder;
  const foreign = await deploy();
  await keyboard.press("link", "New sale");
  await visitor.sees("New sale");
  const contract = await deploy(await idToDeploy(founder));
  await keyboard.write("Contract", foreign);
  const status = visitor.page.getByRole("status");
  if (hasScript) await status.getByText("The contract belongs to another sale").waitFor();
  await visitor.page.keyboard.press("Enter");
  await visitor.seesText("Step 2 of 4");
  await visitor.seesText("The contract belongs to another sale");
  await keyboard.press("button", "Back");
  await visitor.seesText("Step 1 of 4");
  await keyboard.write("Contract", contract);
  if (hasScript) await status.getByText("A sale that can be read: 0 commitments").waitFor();
  await visitor.page.keyboard.press("Enter");
  await visitor.seesText("Step 2 of 4");
  await visitor.seesText("A sale that can be read: 0 commitments");
  await enterAuction(founder, "1,000,000");
  // The contract says which token it takes; what stands at its address here says no decimals.
  await keyboard.write("Decimals", "6");
  await keyboard.tick("One token is one US dollar");
  await visitor.page.keyboard.press("Enter");
  await finishSale(founder, "Harbour Token");
  return contract;
}

/** @returns the program that the page of the application shows */
async function addApplication({ visitor, keyboard }: Person, sale: string, redirectUri: string): Promise<string> {
  await keyboard.press("link", "Add an application");
  await visitor.sees("New application");
  await keyboard.write("Name", "Harbour Portal");
  await visitor.page.keyboard.press("Enter");
  await visitor.sees("Harbour Portal");
  await keyboard.press("link", sale);
  await keyboard.press("link", "Add a redirect URI");
  await keyboard.write("Another redirect URI", redirectUri);
  await visitor.page.keyboard.press("Enter");
  await visitor.seesText("The redirect URIs are saved");
  await keyboard.chooseFile("Square logo", SQUARE_LOGO);
  await keyboard.chooseFile("Wide logo", WIDE_LOGO);
  await keyboard.press("button", "Upload");
  await visitor.seesText("The logos are saved");
  return (await visitor.page.getByRole("region", { name: "Sign a user in" }).textContent()) ?? "";
}

async function openSale({ visitor, keyboard }: Person): Promise<void> {
  await keyboard.press("link", "Harbour Token");
  await visitor.seesText("It can open");
  await keyboard.press("link", "Open the sale…");
  await visitor.sees("Open the sale?");
  await visitor.seesText("A sale that can be read: 0 commitments");
  await keyboard.press("button", "Open the sale");
  await visitor.seesText("The sale is open.");
}

async function bidAt(contract: Hex): Promise<void> {
  const added = [{ wallet: site.chain.account, token: TOKEN, amount: 2_500_000n }];
  await site.chain.send(
    auctionCalls.bid(contract, { entity: ENTITY, price: 12n, lockup: false, added, extraData: "0x" }),
  );
}

/** Loads a page until it shows a text, as somebody without script does. */
async function reloadedUntil(page: Page, text: string | RegExp): Promise<void> {
  const shown = async () => {
    await page.reload();
    return page.getByText(text).count();
  };
  await expect.poll(shown, { interval: 250 }).toBeGreaterThan(0);
}

/** A user of the application signs in at it, by the program that the founder was shown. */
async function signUserIn(program: string, hasScript: boolean): Promise<void> {
  const application = await startProcess({
    command: "node",
    args: ["--input-type=module", "--eval", program],
    env: {},
    ready: AUTHORIZE_LINK,
  });
  onTestFinished(async () => void (await application.kill()));
  const [, link = ""] = await application.waitForLine(AUTHORIZE_LINK);
  const user = await Person.come(hasScript);
  await user.visitor.page.goto(link);
  await user.signIn();
  await user.visitor.sees("Harbour Portal asks for access");
  await user.keyboard.press("button", "Allow");
  await user.visitor.page.getByText(/^Hello \S{43}/).waitFor();
}

/** The address that the next contract gets. */
async function nextAddress(): Promise<Hex> {
  const { client, account } = site.chain;
  const nonce = BigInt(await client.getTransactionCount({ address: account }));
  return getContractAddress({ from: account, nonce });
}

/** @returns the path of a draft with a contract that isn't there, its name and its ID in contracts */
async function draftWithContract(founder: Person, address: Hex) {
  const { visitor, keyboard } = founder;
  const name = "Pier Token";
  await keyboard.press("link", "New sale");
  await visitor.sees("New sale");
  const id = await idToDeploy(founder);
  await keyboard.write("Contract", address);
  await visitor.page.keyboard.press("Enter");
  await visitor.seesText("Step 2 of 4");
  await enterAuction(founder, "1,000");
  await keyboard.write("Address of the token", TOKEN);
  await visitor.page.keyboard.press("Enter");
  await finishSale(founder, name);
  return { sale: new URL(visitor.page.url()).pathname, name, id };
}

describe("a founder whose contract is wrong", () => {
  it("sees it on the sale's page, which notices by itself that it is right, and opens with it only by the sale's name", async () => {
    const founder = await Person.come(true);
    const { visitor, keyboard } = founder;
    const { page } = visitor;
    await page.goto("/dashboard");
    await founder.signIn();
    const { sale, name, id } = await draftWithContract(founder, await nextAddress());
    const state = page.locator("[data-contract]");
    await expect.poll(() => state.getAttribute("data-state")).toBe("bad");
    await addApplication(founder, name, `http://localhost:${await freePort()}/oauth/callback`);
    await page.goto(`${sale}/open`);
    expect(await violationsOf(page)).toStrictEqual([]);
    await keyboard.press("button", "Open it anyway");
    await page.getByRole("alert").getByText("Type the name of the sale exactly").waitFor();
    await keyboard.write("Name of the sale", "Pier");
    await keyboard.press("button", "Open it anyway");
    await page.getByRole("alert").getByText("Type the name of the sale exactly").waitFor();
    await page.clock.install();
    await page.goto(sale);
    await visitor.seesText("Before it can open");
    expect(await state.getAttribute("data-state")).toBe("bad");
    const watched = await state.getAttribute("data-contract");
    const isLook = (request: Request) => new URL(request.url()).pathname === watched;
    // The server that doesn't answer is given up, before the next look.
    await page.route(`**${watched}`, () => {}, { times: 1 });
    const [look] = await Promise.all([page.waitForRequest(isLook), page.clock.fastForward(LOOK_MS)]);
    await Promise.all([
      page.waitForEvent("requestfailed", (request) => request === look),
      page.clock.fastForward(25_000),
    ]);
    await deploy(id);
    // Each round is the script's next look; the indexer may answer from what it read seconds ago. An account has twenty checks
    // a minute, and a look that isn't answered until the next round is given up.
    const next = async () => {
      await page.clock.fastForward(LOOK_MS);
      return state.getAttribute("data-state");
    };
    await expect.poll(next, { interval: 2_500 }).toBe("good");
    expect(await state.textContent()).toContain("A sale that can be read: 0 commitments");
  });
});

describe("a sale that was opened with a wrong contract", () => {
  it("gets the right one, as long as nothing of it was shown, and is withdrawn by its name; a draft is deleted by its own", async () => {
    const founder = await Person.come(true);
    const { visitor, keyboard } = founder;
    const { page } = visitor;
    await page.goto("/dashboard");
    await founder.signIn();
    const { sale, name, id } = await draftWithContract(founder, NOWHERE);
    await addApplication(founder, name, `http://localhost:${await freePort()}/oauth/callback`);
    await page.goto(`${sale}/open`);
    await keyboard.write("Name of the sale", name);
    await keyboard.press("button", "Open it anyway");
    await visitor.seesText("The sale is open.");
    const right = await deploy(id);
    await page.goto(`${sale}/settings`);
    await visitor.seesText("an owner can still change everything");
    expect(await violationsOf(page)).toStrictEqual([]);
    await keyboard.write("Contract", right);
    await page.keyboard.press("Enter");
    await visitor.sees("Is this right?");
    await keyboard.press("button", "Save");
    await visitor.seesText("The settings are saved.");
    await reloadedUntil(page, "Read and shown");
    const uuid = sale.split("/").at(-1) ?? "";
    expect((await page.request.get(`/sales/${uuid}`)).status()).toBe(200);
    await page.goto(sale);
    await keyboard.press("link", "Withdraw the sale…");
    await visitor.sees("Withdraw the sale?");
    expect(await violationsOf(page)).toStrictEqual([]);
    await keyboard.press("button", "Withdraw the sale");
    await page.getByRole("alert").getByText("Type the name of the sale exactly").waitFor();
    await keyboard.write("Name of the sale", name);
    await keyboard.press("button", "Withdraw the sale");
    await visitor.seesText("The sale is withdrawn.");
    expect(await violationsOf(page)).toStrictEqual([]);
    expect(await page.getByRole("link", { name: "Settings" }).count()).toBe(0);
    await keyboard.press("link", "For developers");
    await visitor.sees("For developers");
    expect(await page.getByText("Show them on your own page").count()).toBe(0);
    await page.goto(sale);
    await page.goto(`${sale}/open`);
    await visitor.seesText("It isn’t a draft any more.");
    await page.goto(sale);
    await expect.poll(async () => (await page.request.get(`/sales/${uuid}`)).status()).toBe(404);
    await keyboard.press("link", "What was done");
    await visitor.seesText("The sale was withdrawn");
    await visitor.seesText("The sale was opened, although the contract was found wrong or couldn’t be checked");
    await page.goto("/dashboard");
    const draft = await draftWithContract(founder, NOWHERE);
    await keyboard.press("link", "Delete the draft…");
    await visitor.sees("Delete the draft?");
    await keyboard.write("Name of the sale", draft.name);
    await keyboard.press("button", "Delete the draft");
    await visitor.seesText("The draft is deleted.");
    await page.goto(draft.sale);
    await visitor.sees("There is no such sale");
  });
});

describe.each([
  ["with script", true],
  ["without script", false],
])("the decimals of a payment token, %s", (_, hasScript) => {
  it("are those of the chain", async () => {
    const address: Hex = `0x${hasScript ? "c5" : "c6"}${"0".repeat(38)}`;
    await site.chain.client.setCode({ address, bytecode: tokenCode({ decimals: 18, symbol: "HARB" }) });
    const founder = await Person.come(hasScript);
    const { visitor, keyboard } = founder;
    const { page } = visitor;
    await page.goto("/dashboard");
    await founder.signIn();
    await keyboard.press("link", "New sale");
    await visitor.sees("New sale");
    await keyboard.write("Contract", address);
    await page.keyboard.press("Enter");
    await visitor.seesText("Step 2 of 4");
    await keyboard.write("Price of one token", "0.25");
    await keyboard.write("Address of the token", address);
    const decimals = page.getByLabel("Decimals", { exact: true });
    if (hasScript) {
      await page.getByText("On the chain: HARB, 18 decimals.").waitFor();
      await expect.poll(() => decimals.inputValue()).toBe("18");
      expect(await violationsOf(page)).toStrictEqual([]);
      await keyboard.write("Decimals", "6");
      await page.locator("#exact").getByText("Decimals: On the chain this token").waitFor();
      expect(await decimals.inputValue()).toBe("6");
    }
    await page.keyboard.press("Enter");
    const reason = "On the chain this token, which calls itself HARB, has 18 decimals";
    await page.getByRole("alert").getByText(reason).waitFor();
    await page.locator("#token_decimals_0-error").getByText(reason).waitFor();
    await keyboard.write("Decimals", "18");
    await page.keyboard.press("Enter");
    await visitor.seesText("Step 3 of 4");
    await visitor.seesText(`HARB, ${address}`);
  });
});

describe.each([
  ["with script", true],
  ["without script", false],
])("a founder without a mouse, %s", (_, hasScript) => {
  it("opens a sale that is read from its contract, and a user signs in at its application", async () => {
    const founder = await Person.come(hasScript);
    const { page } = founder.visitor;
    await page.goto("/dashboard");
    await founder.signIn();
    await founder.visitor.sees("My sales");
    const contract = await createSale(founder, hasScript);
    const program = await addApplication(
      founder,
      "Harbour Token",
      `http://localhost:${await freePort()}/oauth/callback`,
    );
    await openSale(founder);
    await bidAt(contract);
    await reloadedUntil(page, "Read and shown");
    await founder.keyboard.press("link", "Public page");
    await page.waitForURL(({ pathname }) => pathname.startsWith("/sales/"));
    await reloadedUntil(page, /^\$2\.50?$/);
    await signUserIn(program, hasScript);
  });
});
