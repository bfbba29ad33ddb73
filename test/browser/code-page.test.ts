import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type AuthGateway, startAuthGateway } from "../../gateway/testing/auth-gateway.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { isFirefox, launchBrowser } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";

const PAUSE_S = 30;

let browser: Browser;
let gateway: AuthGateway;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([launchBrowser(), startAuthGateway()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});
beforeEach(() => void gateway.auth.time.advanceToNextHour());

/** Asks for a code, for an address of its own. */
async function askForCode(email: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await openWatchedPage(browser, { baseURL: gateway.origin, ...options });
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("Code", { exact: true }).waitFor();
  return page;
}

it("counts down to the next code, and announces only that the time has come", async () => {
  const page = await askForCode("countdown@example.org");
  const again = page.getByRole("button", { name: "Send a new code" });
  const line = page.locator("#next-code");
  const status = page.locator("[data-next-code] [role=status]");
  await page.clock.install();
  await page.reload();
  expect(await again.isDisabled()).toBe(true);
  expect(await line.textContent()).toMatch(/^You can ask for a new code in 0:\d\d\.$/);
  expect(await line.evaluate((element) => element.closest("[aria-live], [role=status], [role=alert]"))).toBeNull();
  expect(await status.textContent()).toBe("");
  await page.clock.runFor(PAUSE_S * 1_000);
  expect(await status.textContent()).toBe("You can ask for a new code now.");
  expect([await line.count(), await again.isDisabled()]).toEqual([0, false]);
  gateway.auth.time.advance(PAUSE_S * 1_000);
  await again.click();
  await line.waitFor();
  expect(gateway.auth.people.outbox.mails.filter(({ to }) => to === "countdown@example.org")).toHaveLength(2);
  await page.context().close();
});

it.skipIf(isFirefox)("says the times without script too, and an early click is answered with them", async () => {
  const page = await askForCode("scriptless@example.org", { javaScriptEnabled: false });
  const from = /^You can ask for a new code from \d\d:00:30 UTC on\.$/;
  expect(await page.locator("#next-code").textContent()).toMatch(from);
  await page.getByRole("button", { name: "Send a new code" }).click();
  await page.getByLabel("Code", { exact: true }).waitFor();
  expect(await page.locator("#next-code").textContent()).toMatch(from);
  await page.context().close();
});

it("sends the code however a keyboard or a mail program has written it", async () => {
  const page = await askForCode("typed@example.org");
  if (!isFirefox) expect(await violationsOf(page)).toEqual([]);
  const [first = "", second = ""] = gateway.auth.mailedCode().toLowerCase().split("-");
  const wide = Array.from(second, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)).join("");
  await page.getByLabel("Code", { exact: true }).fill(`\u2068“${first}−${wide}.”\u2069${" ".repeat(100)}`);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  await page.context().close();
});
