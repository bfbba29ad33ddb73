import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { startAnvil } from "../chains/anvil.ts";
import { TestChain } from "../chains/test-chain.ts";
import { startEmbedded } from "../processes/embedded.ts";
import { anvilChain } from "../processes/indexer-process.ts";
import { nextCode } from "../processes/mail-folder.ts";
import { temporaryFolder } from "../processes/temporary-folder.ts";
import { openWatchedPage, type WatchedPage } from "./watched-page.ts";

const DASHBOARD = /founder dashboard: (http:\/\/localhost:\d+)\/dashboard/;

/** All services in one process with an empty database, where everybody may be a founder. */
export interface DashboardSite {
  readonly origin: string;
  readonly mailFolder: string;
  /** `DATA_DIR` of the process. */
  readonly dataFolder: string;
  stop(): Promise<void>;
}

/** @param env further settings */
export async function startDashboardSite(env: Readonly<Record<string, string>> = {}): Promise<DashboardSite> {
  const folder = await temporaryFolder();
  const tidemark = await startEmbedded("node", { DATA_DIR: folder.path, DEMO: "off", ...env });
  const [, origin = ""] = await tidemark.process.waitForLine(DASHBOARD);
  return {
    origin,
    mailFolder: join(folder.path, "mail"),
    dataFolder: folder.path,
    stop: async () => {
      await tidemark.stop();
      await folder.remove();
    },
  };
}

/** A site with a chain of its own, which sales may name as `harbour`. */
export interface DashboardSiteOnChain extends DashboardSite {
  readonly chain: TestChain;
}

export async function startDashboardSiteOnChain(): Promise<DashboardSiteOnChain> {
  const anvil = await startAnvil({ mining: "auto" });
  const chains = { harbour: anvilChain(anvil.url, anvil.chainId) };
  const site = await startDashboardSite({ CHAINS: JSON.stringify(chains) });
  const chain = await TestChain.connect(anvil);
  return {
    ...site,
    chain,
    stop: async () => {
      await site.stop();
      await anvil.stop();
    },
  };
}

/** Somebody at the dashboard, with a browser and an e-mail address. */
export class FounderVisitor {
  readonly page: Page;
  readonly email = `${randomBytes(6).toString("hex")}@example.com`;
  readonly #site: DashboardSite;
  readonly #watched: WatchedPage;
  readonly #read = new Set<string>();

  private constructor(site: DashboardSite, watched: WatchedPage) {
    this.#site = site;
    this.#watched = watched;
    this.page = watched.page;
  }

  static async open(site: DashboardSite, browser: Browser, options: BrowserContextOptions = {}) {
    const watched = await openWatchedPage(browser, { baseURL: site.origin, ...options });
    return new FounderVisitor(site, watched);
  }

  /** Opens the dashboard as somebody new. */
  async signIn(): Promise<void> {
    await this.page.goto("/dashboard");
    await this.confirm();
    await this.sees("My sales");
  }

  /** Goes through the sign-in that is shown. */
  async confirm(): Promise<void> {
    await this.page.getByLabel("E-mail address").fill(this.email);
    await this.press("Send me a code");
    await this.page.getByLabel("Code").fill(await this.mailedCode());
    await this.press("Sign in");
  }

  async press(button: string): Promise<void> {
    await this.page.getByRole("button", { name: button, exact: true }).click();
  }

  /** Follows a link of the page, or of the sale's menu, which phones show folded. */
  async follow(link: string): Promise<void> {
    const target = this.page.getByRole("link", { name: link, exact: true }).first();
    const folded = this.page.locator(".sale-menu details:not([open]) > summary").filter({ visible: true });
    await target.or(folded).first().waitFor();
    if (!(await target.isVisible())) await folded.click();
    await target.click();
  }

  async fill(entries: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(entries)) {
      await this.page.getByLabel(label, { exact: true }).fill(text);
    }
  }

  /** Waits for the page with a heading, until all of it is there. */
  async sees(heading: string): Promise<void> {
    await this.page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
    await this.page.waitForLoadState();
  }

  /** Waits for a page with a text, until all of it is there. */
  async seesText(text: string): Promise<void> {
    await this.page.getByText(text).first().waitFor();
    await this.page.waitForLoadState();
  }

  /** Leaves, having met nothing that the browser complained of; an application that a test visits may have no icon. */
  async leave(): Promise<void> {
    await this.#watched.close();
    const complaints = this.#watched.complaints.filter((text) => !text.includes("/favicon.ico:"));
    expect(complaints).toStrictEqual([]);
  }

  /** The code of the next mail to this person. */
  mailedCode(): Promise<string> {
    return nextCode(this.#site.mailFolder, this.email, this.#read);
  }
}
