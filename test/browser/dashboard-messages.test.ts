import { randomBytes } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { uuidFromBytes } from "../../common/platform/encoding/uuid.ts";
import { openStore } from "../../services/auth/base/open-store.ts";
import { jpegFrame, jpegOf, jpegScan, pngImage } from "../../services/auth/testing/images.ts";
import { givePasskey } from "../../services/auth/testing/passkey-holder.ts";
import { auctionCalls, deployAuctionSale, deployVersionedSale } from "../support/chains/sale-contract.ts";
import { launchChromium } from "../support/pages/browser.ts";
import {
  type DashboardSite,
  type DashboardSiteOnChain,
  FounderVisitor,
  startDashboardSite,
  startDashboardSiteOnChain,
} from "../support/pages/dashboard-site.ts";
import { messageModules, messageSections, NOT_SHOWN } from "../support/pages/message-modules.ts";
import { proseOf, proseOfTexts } from "../support/pages/prose.ts";

const TOKEN = `0x${"a1".repeat(20)}`;
const SVM_ADDRESS = "4Nd1mYvLqkK9oXHvXvhXvhXvhXvhXvhXvhXvhXvhXvhX";
const MAX_URIS = 20;
const MAX_MEMBERS = 100;
const MAX_CHECKS = 20;

type Entries = Readonly<Record<string, string>>;

/** A form that the services accept. Tests add other entries to it. */
const SALE: Entries = {
  name: "Harbour Token",
  tenancy: "test",
  kind: "fixed",
  price: "0.25",
  tick: "",
  floor: "",
  increment: "",
  amount: "",
  token_address_0: TOKEN,
  token_decimals_0: "6",
  token_address_1: "",
  token_decimals_1: "6",
  offered_decimals: "18",
  payment_decimals: "",
  source: "none",
  chain: "",
  address: "",
  contract_version: "",
  extra_data: "",
};
const AUCTION = { kind: "auction", floor: "0.1", increment: "0.1", amount: "1000" };
const ON_CHAIN = { source: "chain", chain: "harbour", address: TOKEN };
const OTHER_TOKEN = `0x${"b2".repeat(20)}`;

/** Entries, and what the list of errors above the form then says; the form's own rules first, then the services'. */
const SALE_CASES: readonly (readonly [entries: Entries, ...said: string[]])[] = [
  [{ name: "" }, "Name of the sale: Enter a name"],
  [{ price: "" }, "Price of one token: Enter a number"],
  [{ price: "much" }, "Price of one token: Write a number such as 0.25, 1,000,000 or 1/3"],
  [{ price: "1".repeat(201) }, "Price of one token: Write at most 200 characters"],
  [{ price: "-1" }, "Price of one token: It can’t be negative"],
  [{ price: "1/0" }, "Price of one token: The number after / can’t be 0"],
  [{ price: "0,25" }, "Price of one token: Write 0.25 with a point if that is meant"],
  [{ price: "0" }, "Price of one token: It must be more than 0"],
  [{ tick: "0.1" }, "Price of one token: 0.25 is no whole number of price ticks of 0.1"],
  [{ price: "9".repeat(30), tick: "1" }, "Price of one token: This is more price ticks than a contract can count"],
  [{ kind: "" }, "How the price is found: Choose how the price is found"],
  [{ offered_decimals: "37" }, "Decimals of your token: Enter decimals from 0 to 36"],
  [
    { ...AUCTION, amount: "0.5", offered_decimals: "0" },
    "Tokens for sale: The token has 0 decimals: use at most that many",
  ],
  [{ ...AUCTION, floor: "x", increment: "y" }, "Lowest price: Write a number such as", "Price step: Write a number"],
  [{ token_address_0: "" }, "Address of the token: Enter the address of the payment token"],
  [{ source: "" }, "Where commitments are read from: Choose where commitments are read from"],
  [{ source: "chain" }, "Chain: Choose the chain", "Contract: Enter the address of the contract"],
  [{ ...ON_CHAIN, address: "harbour" }, "Contract: Write 0x and 40 hexadecimal digits"],
  [{ ...ON_CHAIN, chain: "elsewhere", address: "short" }, "Contract: Write the public key of the sale account"],
  [{ ...ON_CHAIN, contract_version: "3" }, "Stages of the contract: Choose one of the list"],
  [{ name: "Harbour\u200fToken" }, "must not contain control, invisible or direction-changing characters"],
  [{ name: "<b>Harbour</b>" }, "Name of the sale: must not contain < or >"],
  [{ name: "Log in at www.harbour.example" }, "Name of the sale: must not contain ://, www., @ or /"],
  [{ name: "\u00ad" }, "Name of the sale: must have a visible character"],
  [{ token_address_1: TOKEN }, "Address of the token (2): must not occur twice"],
  [{ token_address_0: "nonsense" }, "must be 0x and 40 hexadecimal digits, or on Solana 32 bytes in base58"],
  [{ ...ON_CHAIN, token_address_0: "nonsense" }, "must be an EVM address: 0x and 40 hexadecimal digits"],
  [
    { token_address_0: "0x5FbDB2315678afecb367f032d93F642f64180aA4" },
    "must carry a right EIP-55 checksum, or be all lower case",
  ],
  [
    { source: "chain", chain: "elsewhere", address: SVM_ADDRESS, token_address_0: SVM_ADDRESS, token_address_1: TOKEN },
    "must be one token: a sale on an SVM chain has one payment mint",
  ],
  [
    { token_address_1: OTHER_TOKEN, token_decimals_1: "18" },
    "Common decimals: Enter them, since those of the tokens differ",
  ],
  [{ token_address_1: OTHER_TOKEN, payment_decimals: "7" }, "Common decimals: must be 6, as all tokens have"],
  [{ price: `1${"0".repeat(150)}` }, "Price tick: must be 1 to 2^256-1"],
  [{ extra_data: "uint64" }, "Extra data: every parameter must have a name"],
  [{ extra_data: "uint64 tier, (" }, "Extra data: not a list of ABI parameters"],
  [{ extra_data: "uint64 __proto__" }, "Extra data: a parameter can't be named __proto__"],
  [{ extra_data: "uint64 a, uint64 a" }, "Extra data: names must not repeat"],
  [{ extra_data: `uint64 ${"a".repeat(2_000)}` }, "Extra data: must be at most 2000 characters"],
  [{ name: "x".repeat(201) }, "Name of the sale: must be at most 200 characters"],
  [{ extra_data: `uint8${"[1]".repeat(9)} a` }, "Extra data: types may nest in 8 levels at most"],
  [{ extra_data: "uint8[100000] a" }, "Extra data: a type must fit into 64 KiB"],
  [{ extra_data: "uint8[0] a" }, "Extra data: an array must have elements"],
  [{ extra_data: "uint7 a" }, "Extra data: not a list of ABI parameters: Unknown type"],
];

const URI_CASES = [
  ["", "Enter a redirect URI"],
  ["callback", "must be an absolute URL"],
  [`https://app.example/${"x".repeat(1_024)}`, "must be at most 1024 characters"],
  ["ftp://app.example/", "must begin with https:, or for test sales with http://localhost"],
  ["https://app.example/#", "must not have a fragment, not even an empty one"],
  ["https://me:secret@app.example/", "must not contain a user or password"],
  ["https://app.example/*", "must not contain a wildcard: it is compared exactly"],
  [
    "https://APP.example",
    "must be written as browsers write it: lower-case host, no default port, no `..`, a path, encoded as needed." +
      " That is https://app.example/",
  ],
  [`https://${"a.".repeat(130)}example/`, "must have a host of at most 253 characters"],
  ["http://app.example/", "must begin with https:; test sales may also use http://localhost"],
  [
    "https://app.example/?code=1",
    "must not have a parameter of OAuth responses in its query, such as code, state or error",
  ],
] as const;

const NAME_CASES = [
  ["", "Name: Enter a name"],
  ["Portal\u200b", "Name: must not contain control, invisible or direction-changing characters"],
  ["<i>Portal</i>", "Name: must not contain < or >"],
  ["help@harbour.example", "Name: must not contain ://, www., @ or /"],
  ["Tide mark", "Name: must not be, or look like, Tidemark, the name of this service"],
  ["\u0301", "Name: must have a visible character"],
  ["x".repeat(101), "Name: must be at most 100 characters"],
] as const;

const EMAIL_CASES = [
  ["nobody", "Enter an e-mail address such as name@example.org"],
  ["jürgen@example.com", "only ASCII letters, digits and symbols are allowed before the @, without spaces"],
  [`${"a".repeat(65)}@example.com`, "at most 254 characters, 64 of them before the @"],
  [".a@example.com", "expected an address such as name@example.com"],
  ["a@localhost", "expected a domain such as example.com after the @"],
] as const;

const LOGO_CASES: readonly (readonly [file: Buffer, said: string])[] = [
  [Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "Square logo: must be a PNG, JPEG or WebP image"],
  [pngImage(5_000, 4_000), "Square logo: must have 1 to 2048 pixels a side, not 5000 × 4000"],
  [pngImage(64, 32), "Square logo: must be as wide as high, not 64 × 32 pixels"],
  [pngImage(64, 64).subarray(0, 40), "Square logo: ends too early; a whole, still image is expected"],
  [
    jpegOf(jpegFrame(64, 64), jpegFrame(64, 64), jpegScan()),
    "has more than one frame; a whole, still image is expected",
  ],
];

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

/** Everything that pages have shown so far. */
const seen = new Set<string>();

/** A founder who looks at every page. */
class Reader {
  readonly visitor: FounderVisitor;

  constructor(visitor: FounderVisitor) {
    this.visitor = visitor;
  }

  static async come(at: DashboardSite = site): Promise<Reader> {
    const reader = new Reader(await FounderVisitor.open(at, browser));
    await reader.visitor.signIn();
    await reader.look();
    return reader;
  }

  get path(): string {
    return new URL(this.visitor.page.url()).pathname;
  }

  async look(): Promise<void> {
    const { page } = this.visitor;
    await page.waitForLoadState("domcontentloaded");
    const text: string = await page.evaluate("document.title + '\\n' + document.body.innerText");
    for (const line of text.split("\n")) seen.add(line.trim());
    seen.add(text);
  }

  async open(path: string): Promise<void> {
    await this.visitor.page.goto(path);
    await this.look();
  }

  /** Changes what a form would send, by its fields' names, also what a browser wouldn't let people change. */
  async enter(entries: Entries, form = "form"): Promise<void> {
    await this.visitor.page.evaluate(`(([entries, selector]) => {
      const form = document.querySelector(selector);
      for (const [name, value] of Object.entries(entries)) {
        const fields = [...form.elements].filter((field) => field.name === name);
        for (const field of fields) {
          field.disabled = false;
          if (field.type === "radio") field.checked = field.value === value;
          else {
            if (field.tagName === "SELECT") field.add(new Option(value, value));
            field.value = value;
          }
        }
      }
    })(${JSON.stringify([entries, form])})`);
  }

  /** Sends a form, and reads the page that comes. */
  async send(form: string): Promise<void> {
    const { page } = this.visitor;
    const loaded = page.waitForEvent("load");
    await page.evaluate(`document.querySelector(${JSON.stringify(form)}).submit()`);
    await loaded;
    await this.look();
  }

  async press(button: string): Promise<void> {
    const loaded = this.visitor.page.waitForEvent("load");
    await this.visitor.press(button);
    await loaded;
    await this.look();
  }

  /** Expects texts in the list of errors above a form. */
  async expectSaid(...said: readonly string[]): Promise<void> {
    const alert = "document.querySelector('[role=alert]')";
    const summary = await this.visitor.page.evaluate(`${alert}?.textContent ?? document.title`);
    for (const words of said) expect(summary).toContain(words);
  }

  async upload(square: Buffer, form = formOf("/logos")): Promise<void> {
    const file = { name: "logo.png", mimeType: "image/png", buffer: square };
    await this.visitor.page.getByLabel("Square logo").setInputFiles(file);
    await this.send(form);
  }
}

/** The form that is sent to an address with this end. */
function formOf(end: string): string {
  return `form[action$="${end}"]`;
}

const SALE_FORM_SELECTOR = "form[data-check]";

/** Sends the form with the value of a button, such as that which creates or saves, without the page for review in between. */
async function decide(reader: Reader, entries: Entries, step: string): Promise<void> {
  await reader.enter({ ...entries }, SALE_FORM_SELECTOR);
  await reader.visitor.page.evaluate(`{
    const button = document.querySelector("${SALE_FORM_SELECTOR} button[name=do]");
    button.value = "${step}";
    button.type = "submit";
  }`);
  const loaded = reader.visitor.page.waitForEvent("load");
  await reader.visitor.page.evaluate(
    `(() => { const form = document.querySelector("${SALE_FORM_SELECTOR}"); form.requestSubmit(form.querySelector("button[name=do]")); })()`,
  );
  await loaded;
  await reader.look();
}

/** @returns its path */
async function newSale(reader: Reader, entries: Entries = {}): Promise<string> {
  await reader.open("/dashboard/new-sale");
  await decide(reader, { ...SALE, ...entries }, "create");
  return reader.path;
}

/** @returns its path */
async function readyApplication(reader: Reader, sale: string): Promise<string> {
  await reader.open(`${sale}/applications/new`);
  await reader.enter({ name: "Portal" });
  await reader.press("Add the application");
  const application = reader.path;
  await reader.enter({ redirect_uri: "https://app.example/" }, formOf("/add"));
  await reader.press("Add");
  const { page } = reader.visitor;
  await page.getByLabel("Square logo").setInputFiles("services/demo/logos/square.png");
  await page.getByLabel("Wide logo").setInputFiles("services/demo/logos/wide.png");
  await reader.press("Upload");
  return application;
}

/** Makes a sale as full of members as it can be, as a hundred invitations would. */
async function fillWithMembers(sale: string): Promise<void> {
  const database = await openStore({ sqliteFile: `${site.dataFolder}/auth.sqlite` });
  const uuid = Buffer.from(sale.split("/").at(-1)?.replaceAll("-", "") ?? "", "hex");
  const accounts = Array.from({ length: MAX_MEMBERS - 1 }, () => randomBytes(16));
  const created_at_ms = BigInt(Date.now());
  await database.write(async (query) => {
    const people = accounts.map((account) => ({
      account,
      email: `${account.toString("hex")}@example.com`,
      created_at_ms,
    }));
    await query.insertInto("account").values(people).execute();
    const members = accounts.map((account) => ({ sale: uuid, account, role: "viewer" as const }));
    await query.insertInto("member").values(members).execute();
  });
  await database.close();
}

describe("what the dashboard says", () => {
  it("of a sale's form", async () => {
    const reader = await Reader.come();
    await reader.open("/dashboard/new-sale");
    await decide(reader, SALE, "add-token");
    for (const [entries, ...said] of SALE_CASES) {
      await decide(reader, { ...SALE, ...entries }, "create");
      await reader.expectSaid(...said);
    }
    await decide(reader, SALE, "step-4");
    await reader.visitor.seesText("Step 4 of 4");
    for (const step of [3, 2, 1]) {
      await reader.press("Back");
      await reader.visitor.seesText(`Step ${step} of 4`);
    }
    await reader.enter({ sale: "none" }, SALE_FORM_SELECTOR);
    await reader.press("Continue");
    await reader.visitor.sees("This form can’t be read");
    await reader.visitor.leave();
  });

  it("of a contract", async () => {
    const reader = await Reader.come();
    const { page } = reader.visitor;
    const contract = await deployAuctionSale(site.chain, { tokens: [`0x${"c3".repeat(20)}`] });
    const check = page.locator("#source-check");
    const typed = async (entries: Entries, said: string) => {
      await reader.enter(entries, SALE_FORM_SELECTOR);
      await reader.enter({ name: `Harbour ${randomBytes(4).toString("hex")}` }, SALE_FORM_SELECTOR);
      await page.evaluate("document.querySelector('#name').dispatchEvent(new Event('input', { bubbles: true }))");
      await check.getByText(said).waitFor();
      await reader.look();
    };
    await reader.open("/dashboard/new-sale");
    await typed({ ...SALE, ...AUCTION, ...ON_CHAIN, address: "" }, "Enter chain and address");
    await typed({ address: "0".repeat(65) }, "This is no address of such a chain");
    await typed(
      { address: contract },
      "The contract belongs to another sale: it holds the ID 0x0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    );
    await typed(
      { address: contract },
      `The contract takes the payment token 0x${"c3".repeat(20)}, which this sale doesn’t list`,
    );
    const shown = await page.locator(".copyable code").first().textContent();
    const saleUuid = (shown ?? "") as `0x${string}`;
    const own = await deployAuctionSale(site.chain, { tokens: [TOKEN as `0x${string}`], saleUuid });
    const [first, second] = [
      await deployVersionedSale(site.chain, 1, saleUuid, [TOKEN as `0x${string}`]),
      await deployVersionedSale(site.chain, 2, saleUuid, [TOKEN as `0x${string}`]),
    ];
    await typed({ address: first }, "and the sale says otherwise: tick “Cancelled commitments keep");
    await page.getByText("Extra data and older contracts").click();
    const keepsAmounts = page.getByLabel("Cancelled commitments keep their amounts");
    await keepsAmounts.check();
    await typed({ address: second }, "and the sale says otherwise: remove the tick");
    await keepsAmounts.uncheck();
    await typed({ address: own }, "A sale that can be read: 0 commitments, stage: before opening");
    await decide(reader, {}, "create");
    const sale = reader.path;
    await readyApplication(reader, sale);
    await site.chain.send(auctionCalls.setStage(own, 1));
    await reader.open(`${sale}/open`);
    await reader.press("Open the sale");
    const isRead = async () => {
      await reader.open(sale);
      return page.getByText("Read and shown, up to date").count();
    };
    await expect.poll(isRead, { interval: 250 }).toBe(1);
    await reader.open(`${sale}/settle`);
    const typedName = (await page.locator("#typed_name-hint bdi").textContent()) ?? "";
    await reader.enter({ typed_name: typedName }, formOf("/settle"));
    await reader.press("Settle the sale");
    await reader.expectSaid("The sale's contract decides when it is settled");
    const isTaking = async () => {
      await reader.open(`${sale}/contract`);
      return page.getByText("stage: taking commitments").count();
    };
    await expect.poll(isTaking, { interval: 2_000 }).toBe(1);
    // At once, as the checks of one minute count.
    await Promise.all(Array.from({ length: MAX_CHECKS }, () => page.request.get(`${sale}/contract`)));
    await reader.open(`${sale}/contract`);
    await reader.visitor.seesText("You have checked many contracts");
    await reader.visitor.leave();
  });

  it("of what people read about a sale", async () => {
    const reader = await Reader.come();
    const sale = await newSale(reader, AUCTION);
    await reader.open(`${sale}/presentation`);
    await reader.enter({ supply: "999" }, formOf("/presentation"));
    await reader.press("Save");
    await reader.expectSaid("Total supply of your token: the total supply must be at least the offered amount");
    await reader.visitor.leave();
  });

  it("of an application, its logos and where it returns to", async () => {
    const reader = await Reader.come();
    const sale = await newSale(reader);
    await reader.open(`${sale}/applications/new`);
    for (const [name, said] of NAME_CASES) {
      await reader.enter({ name });
      await reader.press("Add the application");
      await reader.expectSaid(said);
    }
    await reader.enter({ name: "Portal", scope_read_entities: "off", scope_sale_eligibility_check: "optional" });
    await reader.press("Add the application");
    const application = reader.path;
    await reader.open(sale);
    await reader.open(`${application}/preview`);
    await reader.open(application);
    await reader.enter({ scope_sale_eligibility_check: "off" }, `form[action="${application}"]`);
    await reader.press("Save");
    await reader.open(application);
    for (const [redirect_uri, said] of URI_CASES) {
      await reader.enter({ redirect_uri }, formOf("/add"));
      await reader.press("Add");
      await reader.expectSaid(`Redirect URI: ${said}`);
    }
    for (let number = 0; number < MAX_URIS; number++) {
      await reader.enter({ redirect_uri: `https://app.example/${number}` }, formOf("/add"));
      await reader.press("Add");
      if (number > 0) continue;
      await reader.enter({ redirect_uri: "https://app.example/0" }, formOf("/add"));
      await reader.press("Add");
      await reader.expectSaid("Redirect URI: is there twice");
    }
    await reader.open(reader.path);
    expect(reader.path, "the address of a form leads to its page").toBe(application);
    await reader.enter({ redirect_uri: "https://app.example/20" }, formOf("/add"));
    await reader.press("Add");
    await reader.expectSaid("There are already 20, the most that an application can have: remove one first");
    await reader.press("Upload");
    await reader.expectSaid("Choose a file");
    for (const [image, said] of LOGO_CASES) {
      await reader.upload(image);
      await reader.expectSaid(said);
    }
    await reader.visitor.page.getByLabel("Wide logo").setInputFiles({
      name: "logo.png",
      mimeType: "image/png",
      buffer: pngImage(64, 64),
    });
    await reader.press("Upload");
    await reader.expectSaid("Wide logo: must be 2 to 6 times as wide as high, not 64 × 64 pixels");
    await reader.upload(Buffer.alloc(600_000));
    await reader.visitor.sees("These files are too large");
    await reader.open(application);
    await reader.visitor.page.evaluate(`document.querySelector('${formOf("/logos")}').enctype = "text/plain"`);
    await reader.send(formOf("/logos"));
    await reader.visitor.seesText("It has a content type that our pages don’t send.");
    await reader.open(application);
    await reader.visitor.page.evaluate(`{
      const form = document.querySelector('${formOf("/logos")}');
      for (let part = 0; part < 9; part++) form.append(Object.assign(document.createElement("input"), { name: "part" }));
    }`);
    await reader.send(formOf("/logos"));
    await reader.visitor.seesText("It has more than 8 parts.");
    await reader.open(application);
    await reader.enter({ version: "1", name: "Portal" }, `form[action="${application}"]`);
    await reader.press("Save");
    await reader.expectSaid("Somebody else has changed the application in the meantime");
    await reader.open(`${application.replace(/[^/]+$/, "")}${crypto.randomUUID()}`);
    await reader.visitor.sees("There is no such application");
    await reader.visitor.leave();
  });

  it("of a live sale, and of the copy of a sale", async () => {
    const reader = await Reader.come();
    const sale = await newSale(reader, { tenancy: "live", source: "chain", chain: "elsewhere", address: TOKEN });
    await reader.open(`${sale}/settings`);
    await reader.open(`${sale}/applications/new`);
    await reader.enter({ name: "Portal" });
    await reader.press("Add the application");
    await reader.enter({ redirect_uri: "http://localhost:3000/" }, formOf("/add"));
    await reader.press("Add");
    await reader.expectSaid(
      "Redirect URI: must not be an address of the user's own machine; only test sales may use those",
    );
    await reader.enter({ redirect_uri: "https://intranet/" }, formOf("/add"));
    await reader.press("Add");
    await reader.expectSaid("must not be a private or reserved address, or a host without a dot");
    const test = await newSale(reader, { ...AUCTION, offered_decimals: "" });
    await reader.open(`${test}/settings`);
    await reader.press("Check and continue");
    await reader.visitor.sees("Is this right?");
    await readyApplication(reader, test);
    await reader.open(`/dashboard/new-sale?from=${test.split("/").at(-1)}`);
    for (const step of [2, 3, 4]) {
      await reader.press("Continue");
      await reader.visitor.seesText(`Step ${step} of 4`);
    }
    await reader.press("Create the sale");
    await reader.visitor.seesText("The copy is created");
    await reader.visitor.leave();
  });

  it("of an open sale", async () => {
    const reader = await Reader.come();
    const { page } = reader.visitor;
    const sale = await newSale(reader, { token_address_1: "" });
    await reader.open(`${sale}/open`);
    const application = await readyApplication(reader, sale);
    await reader.open(sale);
    await reader.open(`${sale}/open`);
    const other = await page.context().newPage();
    await other.goto(application);
    await other.getByRole("button", { name: "Disable the application" }).click();
    await other.getByText("The application is disabled").waitFor();
    await other.locator("#scope-read_entities-optional").check();
    await other.getByRole("button", { name: "Save" }).click();
    await other.getByText("Name and scopes are saved").waitFor();
    await reader.press("Open the sale");
    await reader.expectSaid(
      "can't be opened without a client that is ready: Portal is disabled and doesn't require the scope read_",
    );
    await reader.open(sale);
    await reader.open(application);
    await reader.press("Enable the application");
    await other.close();
    await reader.open(application);
    await reader.press("Disable the application");
    await reader.press("Enable the application");
    const details = { name: "Harbour Portal", scope_contact_email: "optional", scope_read_entities: "required" };
    await reader.enter(details, `form[action="${application}"]`);
    await reader.press("Save");
    await reader.open(`${sale}/open`);
    await reader.press("Open the sale");
    await reader.open(application);
    await reader.press("Disable the application");
    await reader.expectSaid("The sale is open and needs this client");
    await reader.enter({ scope_read_entities: "optional" }, `form[action="${application}"]`);
    await reader.press("Save");
    await reader.open(`${sale}/settings`);
    await decide(reader, { payment_decimals: "7" }, "save");
    await reader.expectSaid("Common decimals: must be 6, as the sale is no longer a draft");
    await reader.open(`${sale}/settings`);
    await decide(reader, { ...AUCTION, tick: "" }, "save");
    await reader.expectSaid("How the price is found: can't change: the sale is no longer a draft");
    await reader.open(`${sale}/settings`);
    await decide(reader, { token_address_0: OTHER_TOKEN }, "save");
    await reader.expectSaid(`must keep ${TOKEN}: the sale is no longer a draft`);
    await reader.open(`${sale}/settings`);
    await reader.press("Add another token");
    await decide(reader, { token_address_1: OTHER_TOKEN, token_decimals_1: "18" }, "save");
    await reader.open(`${sale}/settings`);
    await decide(reader, { version: "1", name: "Harbour" }, "save");
    await reader.expectSaid("Somebody else has changed the settings in the meantime");
    await reader.open(`${sale}/settle`);
    await reader.press("Settle the sale");
    await reader.expectSaid("Name of the sale: Type the name of the sale exactly as it is shown");
    await reader.enter({ typed_name: "Harbour Token" }, formOf("/settle"));
    await reader.press("Settle the sale");
    const wrong = await newSale(reader, { source: "chain", chain: "elsewhere", address: TOKEN });
    await readyApplication(reader, wrong);
    await reader.open(`${wrong}/open`);
    await reader.press("Open it anyway");
    await reader.expectSaid("Name of the sale: Type the name of the sale exactly as it is shown");
    await reader.enter({ typed_name: "Harbour Token" }, formOf("/open"));
    await reader.press("Open it anyway");
    await reader.open(`${wrong}/settings`);
    await reader.open(`${wrong}/remove`);
    await reader.press("Withdraw the sale");
    await reader.expectSaid("Name of the sale: Type the name of the sale exactly as it is shown");
    await reader.enter({ typed_name: "Harbour Token" }, formOf("/remove"));
    await reader.press("Withdraw the sale");
    await reader.open(`${wrong}/remove`);
    await reader.open(`${wrong}/settings`);
    await reader.visitor.sees("The sale is withdrawn");
    await reader.open(`${wrong}/log`);
    const draft = await newSale(reader);
    await reader.open(draft);
    await reader.open(`${draft}/remove`);
    await reader.enter({ typed_name: "Harbour Token" }, formOf("/remove"));
    await reader.press("Delete the draft");
    await reader.open(`${sale}/log`);
    await reader.open("/dashboard");
    await reader.visitor.leave();
  });

  it("of members, and to those whose role doesn't allow it", async () => {
    const reader = await Reader.come();
    const guest = await Reader.come();
    const sale = await newSale(reader, { extra_data: "uint64 tier", keeps_amounts: "yes" });
    await reader.open(`${sale}/settings`);
    await reader.open(`${sale}/members`);
    const invite = `#invite + form`;
    for (const [email, said] of EMAIL_CASES) {
      await reader.enter({ email, role: "viewer" }, invite);
      await reader.press("Invite");
      await reader.expectSaid(said);
    }
    await reader.enter({ email: guest.visitor.email, role: "nobody" }, invite);
    await reader.press("Invite");
    await reader.expectSaid("Choose a role");
    await reader.press("Leave the sale");
    await reader.expectSaid("The sale would be left without an owner");
    await reader.enter({ email: guest.visitor.email, role: "viewer" }, invite);
    await reader.press("Invite");
    await guest.open(sale);
    await guest.open(`${sale}/settings`);
    await guest.visitor.sees("Your role doesn’t allow this");
    await expireSignIns();
    await guest.open(`${sale}/members`);
    await reader.open(`${sale}/members?change=1`);
    await reader.visitor.confirm();
    await reader.visitor.sees("Members");
    await reader.press(`Remove ${guest.visitor.email}`);
    await guest.open(sale);
    await guest.visitor.sees("There is no such sale");
    await fillWithMembers(sale);
    await reader.open(`${sale}/members`);
    await reader.enter({ email: guest.visitor.email, role: "viewer" }, invite);
    await reader.press("Invite");
    await reader.expectSaid("A sale has at most 100 members");
    await expireSignIns();
    await reader.open(`${sale}/members`);
    await reader.visitor.leave();
    await guest.visitor.leave();
  });

  it("of passkeys", async () => {
    const reader = await Reader.come();
    const sale = await newSale(reader);
    await reader.open(`${sale}/members`);
    await reader.visitor.page.getByText("To change this, sign in with a passkey first.").waitFor();
    await signedInBy("passkey", reader.visitor.email);
    await reader.open(`${sale}/members`);
    await reader.press("Require passkeys");
    await reader.visitor.page.getByText("need a passkey from now on").waitFor();
    await reader.look();
    for (const hasPasskey of [true, false]) {
      await signedInBy("code", reader.visitor.email, hasPasskey);
      await reader.open(sale);
      await reader.visitor.sees("This sale requires a passkey");
    }
    await reader.open("/dashboard");
    await signedInBy("passkey", reader.visitor.email);
    await reader.open(`${sale}/members`);
    await reader.press("No longer require passkeys");
    await reader.visitor.page.getByText("Nobody needs a passkey any more").waitFor();
    await reader.look();
    await reader.open(`${sale}/log`);
    await reader.visitor.leave();
  });

  it("where only invited people are founders, and no chain is set up", async () => {
    const invited = await startDashboardSite({ FOUNDERS: "invited" });
    try {
      const reader = await Reader.come(invited);
      await reader.open("/dashboard/new-sale");
      await reader.visitor.sees("You can’t create sales here yet");
      await invite(invited, reader.visitor.email);
      await reader.open("/dashboard/new-sale");
      await reader.visitor.page.getByLabel("A contract on a chain").check();
      await reader.look();
      await reader.visitor.leave();
    } finally {
      await invited.stop();
    }
  });

  it("has all been seen: each sentence of its modules and of the rules behind them, or it is listed why not", () => {
    const prose = [
      ...messageModules().flatMap((path) => proseOf(path).map((one) => ({ path, ...one }))),
      ...messageSections().flatMap((section) => proseOfTexts(section).map((one) => ({ path: "en.ts", ...one }))),
    ];
    const excused = new Set(Object.values(NOT_SHOWN).flat());
    const lines = [...seen];
    const unseen = prose.filter(({ text, pattern }) => !excused.has(text) && !lines.some((line) => pattern.test(line)));
    expect(unseen.map(({ path, text }) => `${path}: ${text}`)).toStrictEqual([]);
    const known = new Set(prose.map(({ text }) => text));
    expect([...excused].filter((text) => !known.has(text))).toStrictEqual([]);
  });
});

/** Makes somebody a founder, as the operator's command does. */
async function invite(site: DashboardSite, email: string): Promise<void> {
  const database = await openStore({ sqliteFile: `${site.dataFolder}/auth.sqlite` });
  await database.write(async (query) => {
    const person = query.selectFrom("account").select("account").where("email", "=", email);
    const { account } = await person.executeTakeFirstOrThrow();
    await query.insertInto("founder").values({ account, invited_at_ms: 0n }).execute();
  });
  await database.close();
}

/** Makes all sessions those of sign-ins of a kind. @param hasPasskey whether the person has a passkey from now on */
async function signedInBy(authenticated_by: "code" | "passkey", email: string, hasPasskey = true): Promise<void> {
  const database = await openStore({ sqliteFile: `${site.dataFolder}/auth.sqlite` });
  await database.write((query) => query.updateTable("session").set({ authenticated_by }).execute());
  const { account } = await database.query
    .selectFrom("account")
    .select("account")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  await database.query.deleteFrom("passkey").where("account", "=", account).execute();
  const dependencies = { database, clock: () => BigInt(Date.now()) };
  if (hasPasskey) await givePasskey(dependencies, uuidFromBytes(account));
  await database.close();
}

async function expireSignIns(): Promise<void> {
  const database = await openStore({ sqliteFile: `${site.dataFolder}/auth.sqlite` });
  const set = { authenticated_at_ms: BigInt(Date.now()) - 3_600_000n };
  await database.write((query) => query.updateTable("session").set(set).execute());
  await database.close();
}
