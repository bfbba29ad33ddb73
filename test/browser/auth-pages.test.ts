import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import type axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AuthGateway, startAuthGateway } from "../../gateway/testing/auth-gateway.ts";
import { RIGHT_CODE } from "../../gateway/testing/fake-accounts.ts";
import { CLIENT_ID } from "../../gateway/testing/fake-auth.ts";
import { launchChromium } from "../support/browser.ts";

const AUTHORIZE = `/oauth/authorize?client_id=${CLIENT_ID}&code_challenge=c`;
const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const MAX_PAGE_BYTES = 50 * 1024;
const NO_SCRIPT = { javaScriptEnabled: false };

let browser: Browser;
let application: Application;
let gateway: AuthGateway;
beforeAll(async () => {
  [browser, application] = await Promise.all([launchChromium(), serveApplication()]);
});
afterAll(() => Promise.all([browser?.close(), application?.close()]));
beforeEach(async () => {
  gateway = await startAuthGateway();
  gateway.fake.client.loopbackRedirect = true;
  gateway.fake.redirectUri = `${application.origin}/callback`;
});
afterEach(() => gateway.stop());

async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: gateway.origin, ...options });
  return context.newPage();
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("E-mail address").fill("alice@example.org");
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("Code").fill(RIGHT_CODE.toLowerCase());
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function consentPage(page: Page): Promise<void> {
  await page.goto(AUTHORIZE);
  await signIn(page);
}

type Application = Awaited<ReturnType<typeof serveApplication>>;

/** A site that sends its callback on to another page of its own, as applications do. */
async function serveApplication() {
  const server = createServer((request, response) => {
    const isCallback = request.url?.startsWith("/callback") === true;
    if (isCallback) response.writeHead(302, { location: `/arrived${new URL(request.url ?? "", "http://x").search}` });
    response.end("<!doctype html><title>Arrived</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

describe("consent in a browser", () => {
  it.each([
    ["with script", {}],
    ["without script", NO_SCRIPT],
  ])("returns to an application that redirects on, %s", async (_, options) => {
    const page = await openPage(options);
    await consentPage(page);
    await page.getByLabel("Share your e-mail address").check();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${application.origin}/arrived?code=the-code`);
    expect(gateway.fake.asked("DecideConsent")[0]).toMatchObject({
      scopes: ["read_entities", "sale_eligibility_check", "contact_email"],
    });
    await page.context().close();
  });

  it("lets required scopes not be unticked, and cancels", async () => {
    const page = await openPage();
    await consentPage(page);
    expect(await page.getByLabel("See your entities").isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.waitForURL(`${application.origin}/arrived?error=access_denied`);
    await page.context().close();
  });

  it("works by keyboard alone", async () => {
    const page = await openPage(NO_SCRIPT);
    await page.goto(AUTHORIZE);
    await page.keyboard.press("Tab");
    await page.keyboard.type("alice@example.org");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sign-in/code?*");
    await page.keyboard.press("Tab");
    await page.keyboard.type(RIGHT_CODE);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/oauth/continue?*");
    // "Not you?", the optional scope, Allow.
    for (let i = 0; i < 2; i++) await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${application.origin}/arrived?code=the-code`);
    expect(gateway.fake.asked("DecideConsent")[0]).toMatchObject({ scopes: expect.arrayContaining(["contact_email"]) });
    await page.context().close();
  });

  it("survives the back button", async () => {
    const page = await openPage();
    await consentPage(page);
    await page.goBack();
    await page.waitForURL("**/oauth/continue?*");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${application.origin}/arrived?code=the-code`);
    await page.goBack();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("You have already answered");
    await page.context().close();
  });
});

it("gives the focus to the error, without script", async () => {
  const page = await openPage(NO_SCRIPT);
  await page.goto(AUTHORIZE);
  await page.getByLabel("E-mail address").fill("alice@nowhere.invalid");
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByRole("alert").waitFor();
  expect(await page.locator(":focus").textContent()).toContain("There is a problem");
  await page.context().close();
});

/** Every page, by the way to it; each goes on from where the one before left the browser. */
const PAGES: readonly [name: string, reach: (page: Page) => Promise<unknown>][] = [
  ["sign-in", (page) => page.goto("/sign-in")],
  ["repeated sign-in", (page) => page.goto("/sign-in?again=1")],
  ["sign-in to an application", (page) => page.goto(AUTHORIZE)],
  [
    "sign-in with an error",
    async (page) => {
      await page.getByLabel("E-mail address").fill("alice@nowhere.invalid");
      await page.getByRole("button", { name: "Send me a code" }).click();
    },
  ],
  [
    "code",
    async (page) => {
      await page.getByLabel("E-mail address").fill("alice@example.org");
      await page.getByRole("button", { name: "Send me a code" }).click();
    },
  ],
  ["wrong code", (page) => enterCode(page, "wrong")],
  [
    "code that is over",
    (page) => {
      gateway.fake.accounts.triesLeft = 1;
      return enterCode(page, "wrong");
    },
  ],
  [
    "consent",
    async (page) => {
      await page.getByRole("button", { name: "Send a new code" }).click();
      await enterCode(page, RIGHT_CODE);
    },
  ],
  [
    "consent for a test sale and a long name",
    async (page) => {
      Object.assign(gateway.fake.client, { testTenancy: true, name: "unbreakable".repeat(9) });
      await page.reload();
    },
  ],
  ["account", (page) => page.goto("/account")],
  ["account with news", (page) => page.goto("/account?done=withdrawn")],
  ["new address", (page) => page.goto("/account/email")],
  [
    "code for it",
    async (page) => {
      await page.getByLabel("New e-mail address").fill("bob@example.org");
      await page.getByRole("button", { name: "Send me a code" }).click();
    },
  ],
  ["deletion", (page) => page.goto("/account/delete")],
  ["signed out", (page) => page.goto("/signed-out")],
  ["error of an unknown application", (page) => page.goto("/oauth/authorize?client_id=x")],
  ["error with a way back", (page) => page.goto(`/oauth/authorize?client_id=${CLIENT_ID}`)],
  ["expired authorization", (page) => page.goto("/oauth/continue?authorization=x")],
  ["no such page", (page) => page.goto("/oauth/consent")],
  [
    "fault",
    (page) => {
      gateway.fake.failure = new ConnectError("fault", Code.Internal);
      return page.goto(AUTHORIZE);
    },
  ],
];

describe.each([
  [360, "light"],
  [1280, "dark"],
] as const)("pages at %i px, %s", (width, colorScheme) => {
  it("are accessible, fit and are small", async () => {
    // Axe comes by script, which the pages' policy doesn't let in.
    const page = await openPage({ viewport: { width, height: 740 }, colorScheme, bypassCSP: true });
    for (const [name, reach] of PAGES) {
      await reach(page);
      expect(await violationsOf(page), name).toStrictEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name).toBe(true);
      expect((await page.content()).length, name).toBeLessThan(MAX_PAGE_BYTES);
      expect(await page.title(), name).toMatch(/ · Tidemark$/);
    }
    await page.context().close();
  });
});

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const results = await page.evaluate<axe.AxeResults>("axe.run()");
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}
