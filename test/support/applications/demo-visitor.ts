import { randomBytes } from "node:crypto";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { AUCTION } from "../../../services/demo/sales/demo-sales.ts";
import { openWatchedPage, type WatchedPage } from "../pages/watched-page.ts";
import type { EmbeddedTidemark } from "../processes/embedded.ts";
import { nextCode } from "../processes/mail-folder.ts";

const APPLICATION = /demo application: (http:\/\/localhost:\d+), which/;

/** Somebody with a browser at the demo's application. */
export class DemoVisitor {
  /** Tab of the demo's application. */
  readonly page: Page;
  /** Tab of the user's account at Tidemark, once there is an entity. */
  #account: Page | undefined;
  readonly #watched: WatchedPage;
  readonly #origin: string;
  readonly #mailFolder: string;

  private constructor(watched: WatchedPage, origin: string, mailFolder: string) {
    this.#watched = watched;
    this.page = watched.page;
    this.#origin = origin;
    this.#mailFolder = mailFolder;
  }

  /** Opens a browser for the application. */
  static async open(
    browser: Browser,
    { process }: EmbeddedTidemark,
    mailFolder: string,
    options: BrowserContextOptions = {},
  ): Promise<DemoVisitor> {
    const [, origin = ""] = await process.waitForLine(APPLICATION);
    return new DemoVisitor(await openWatchedPage(browser, options), origin, mailFolder);
  }

  /** Signs in, lets the application know everything, and comes back to it. */
  async signIn(): Promise<void> {
    const { page } = this;
    await page.goto(this.#origin);
    await page.getByRole("link", { name: "Sign in with Tidemark" }).click();
    const email = `${randomBytes(6).toString("hex")}@example.com`;
    await page.getByLabel("E-mail address").fill(email);
    await this.press("Send me a code");
    await page.getByLabel("Code").fill(await nextCode(this.#mailFolder, email));
    await this.press("Sign in");
    await this.press("Allow");
    await page.getByRole("heading", { level: 1, name: "From sign-in to a bid" }).waitFor();
  }

  /** Adds the user as an entity by the application's link, and chooses the result of the identity check. */
  async createEntity(label: string, result: string): Promise<void> {
    const opened = this.page.context().waitForEvent("page");
    await this.page.getByRole("link", { name: "Your account at Tidemark" }).click();
    this.#account = await opened;
    await this.#account.getByRole("textbox", { name: "Name", exact: true }).fill(label);
    await this.#choose(result, "Add", this.#account);
  }

  /** Chooses the result of the entity's identity check, on its page at Tidemark. */
  async chooseResult(result: string): Promise<void> {
    if (this.#account === undefined) throw new Error("there is no entity");
    await this.#choose(result, "Choose this result", this.#account);
  }

  async #choose(result: string, button: string, account: Page): Promise<void> {
    await account.getByLabel("Result").selectOption(result);
    await account.getByLabel("Country").fill("DE");
    await this.press(button, account);
    await account.getByRole("heading", { name: `Identity check: ${result}` }).waitFor();
  }

  /** Bids with the permit. @param total in whole dollars @param ticks price in tenths of a cent */
  async bid(total: string, ticks: string): Promise<void> {
    await this.page.getByLabel("Total, in whole dollars").fill(total);
    await this.page.getByLabel("Price of a token, in ticks").fill(ticks);
    await this.page.locator('form[action="/bid"] button').click();
  }

  /** Address of the test wallet, as live pages show it. */
  async wallet(): Promise<string> {
    const address = await this.page.locator('form[action="/permit"] code').textContent();
    return address?.toLowerCase() ?? "";
  }

  async press(button: string, page = this.page): Promise<void> {
    await page.getByRole("button", { name: button, exact: true }).click();
  }

  /** Leaves. @throws Error if the browser complained of anything */
  async leave(): Promise<void> {
    await this.#watched.close();
    const { complaints } = this.#watched;
    if (complaints.length > 0) throw new Error(`the browser complained of ${complaints.join("\n")}`);
  }
}

/** Opens the live page of the demo's auction, once it is live. */
export async function openLivePage(browser: Browser, { publicReadUrl }: EmbeddedTidemark): Promise<Page> {
  const { page } = await openWatchedPage(browser, {});
  await page.goto(new URL(`/sales/${AUCTION.uuid}`, publicReadUrl).href);
  await page.locator('#state[data-state="live"]').waitFor();
  return page;
}
