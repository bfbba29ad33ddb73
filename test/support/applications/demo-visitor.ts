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

  /**
   * Adds the user as an entity by the application's link, and chooses the result of the identity check.
   *
   * @param label a name of the user's own, where the usual one won't do
   */
  async createEntity(result: string, label?: string): Promise<void> {
    await this.page.getByRole("link", { name: "Add yourself at Tidemark" }).click();
    if (label !== undefined) {
      await this.page.getByText("An organization, or another name").click();
      await this.page.getByRole("textbox", { name: "Name", exact: true }).fill(label);
    }
    await this.#choose(result, "Add");
  }

  /** Chooses the result of the entity's identity check, on its page at Tidemark. */
  async chooseResult(result: string): Promise<void> {
    await this.page.getByRole("link", { name: "Your account at Tidemark" }).click();
    await this.page.getByRole("link", { name: /^Open / }).click();
    await this.#choose(result, "Choose this result");
  }

  /** Chooses a result and comes back to the application: an approval leads there. */
  async #choose(result: string, button: string): Promise<void> {
    await this.page.getByLabel("Result").selectOption(result);
    await this.page.getByLabel("Country").fill("DE");
    await this.press(button);
    if (result === "Approved") return;
    await this.page.getByRole("heading", { name: `Identity check: ${result}` }).waitFor();
    await this.page.getByRole("link", { name: "Back to Demo application" }).click();
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

  async press(button: string): Promise<void> {
    await this.page.getByRole("button", { name: button, exact: true }).click();
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
