import { createHash, randomBytes } from "node:crypto";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import type { TakenMail } from "../processes/smtp-sink.ts";
import { POLL_TIMEOUT_MS } from "../repository/polling.ts";
import type { SignInSite } from "./sign-in-site.ts";
import { openWatchedPage, type WatchedPage } from "./watched-page.ts";

const CODE = /^ *([A-Z]{4}-[A-Z]{4}) *$/m;

const read = new WeakSet<TakenMail>();

/** An authorization request as an application makes it. */
export interface SentRequest {
  readonly url: string;
  readonly codeVerifier: string;
}

/** Somebody with a browser and an e-mail address. */
export class Visitor {
  readonly page: Page;
  readonly email = `${randomBytes(6).toString("hex")}@example.com`;
  readonly #site: SignInSite;
  readonly #watched: WatchedPage;

  constructor(site: SignInSite, watched: WatchedPage) {
    this.#site = site;
    this.#watched = watched;
    this.page = watched.page;
  }

  static async open(site: SignInSite, browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
    return new Visitor(site, await openWatchedPage(browser, { baseURL: site.origin, ...options }));
  }

  /** Enters the address and the code from the mail on the sign-in page that is shown. */
  async signIn(email = this.email): Promise<void> {
    await this.askForCode(email);
    await this.enterCode(await this.mailedCode(email));
  }

  async askForCode(email = this.email): Promise<void> {
    const address = this.page.getByLabel("E-mail address");
    // Firefox, driven from outside, adds to what stands there already.
    await address.evaluate((field) => field.setAttribute("value", ""));
    await address.fill(email);
    await this.press("Send me a code");
  }

  async enterCode(code: string): Promise<void> {
    await this.page.getByLabel("Code").fill(code);
    await this.press("Sign in");
  }

  async press(button: string, page = this.page): Promise<void> {
    await page.getByRole("button", { name: button, exact: true }).click();
  }

  /** The code of the next mail to an address, once it is there; each mail is read once. */
  async mailedCode(email = this.email): Promise<string> {
    const next = () =>
      this.#site.mails.find((mail) => !read.has(mail) && mail.recipients.includes(email) && codeIn(mail) !== undefined);
    await expect.poll(next, { timeout: POLL_TIMEOUT_MS }).toBeDefined();
    const mail = next();
    if (mail !== undefined) read.add(mail);
    return (mail && codeIn(mail)) ?? "";
  }

  /** Waits for the page with a heading, until all of it is there. */
  async sees(heading: string, page = this.page): Promise<void> {
    await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
    await page.waitForLoadState();
  }

  /** Waits until the application has the browser back. @returns the parameters of the redirect */
  async arrival(at = this.#site.application.arrival): Promise<{ readonly code?: string }> {
    await this.page.waitForURL((url) => url.origin + url.pathname === at);
    return Object.fromEntries(new URL(this.page.url()).searchParams);
  }

  /** Takes a code to the token endpoint. */
  async exchange(
    code: string | undefined,
    codeVerifier: string,
  ): Promise<{ readonly scope?: string; readonly access_token?: string }> {
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: code ?? "",
      code_verifier: codeVerifier,
    });
    const answer = await fetch(`${this.#site.gatewayUrl}/oauth/token`, { method: "POST", body });
    expect(answer.status).toBe(200);
    return answer.json();
  }

  /** Another tab of the same browser. */
  async openTab(url: string): Promise<Page> {
    const tab = await this.page.context().newPage();
    await tab.goto(url);
    return tab;
  }

  /** Leaves, having met nothing that the browser complained of. */
  async leave(): Promise<void> {
    await this.#watched.close();
    expect(this.#watched.complaints).toStrictEqual([]);
  }
}

/** A request of one of the site's applications, some parameters changed. */
export function authorizationRequest(site: SignInSite, changes: Readonly<Record<string, string>> = {}): SentRequest {
  const codeVerifier = randomBytes(32).toString("base64url");
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: site.clientUuid,
    redirect_uri: site.application.callback,
    state: "a state",
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
    ...changes,
  });
  return { url: `${site.origin}/oauth/authorize?${parameters}`, codeVerifier };
}

function codeIn({ message }: TakenMail): string | undefined {
  return CODE.exec(message.text ?? "")?.[1];
}
