import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isFirefox } from "../support/pages/browser.ts";
import { authorizationRequest } from "../support/pages/sign-in-visitor.ts";
import { signInVisits } from "../support/pages/sign-in-visits.ts";

const { site, visitor } = signInVisits();

/** Takes down the forms that a page sends from now on, and keeps each back until it is released. */
async function holdForms(page: Page): Promise<{ readonly sent: string[]; readonly release: () => void }> {
  const sent: string[] = [];
  const waiting: (() => void)[] = [];
  await page.route("**/*", async (route, request) => {
    // The page's script asks about passkeys whenever it has come; a form is sent by going to its answer.
    if (request.method() !== "POST" || !request.isNavigationRequest()) return route.continue();
    sent.push(new URL(request.url()).pathname);
    await new Promise<void>((resolve) => waiting.push(resolve));
    // A browser that was stopped takes no answer.
    await route.continue().catch(() => undefined);
  });
  const release = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { sent, release };
}

/** Clicks where a button is, as often as said, without waiting for what comes of it. */
async function click(page: Page, name: string, clickCount: number): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (box === null) throw new Error(`no button ${name}`);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount });
}

describe("two clicks while the answer to the first is on its way", () => {
  it("send each form once, and the application gets its one code", async () => {
    const ann = await visitor();
    const { url, codeVerifier } = authorizationRequest(site());
    await ann.page.goto(url);
    const { sent, release } = await holdForms(ann.page);
    const sendsOnce = async (name: string, path: string) => {
      await click(ann.page, name, 2);
      await ann.page.keyboard.press("Enter");
      await expect.poll(() => sent).toStrictEqual([path]);
      release();
    };
    await ann.page.getByLabel("E-mail address").fill(ann.email);
    await sendsOnce("Send me a code", "/sign-in");
    await ann.sees("Check your e-mail");
    sent.length = 0;
    await ann.page.getByLabel("Code").fill(await ann.mailedCode());
    await sendsOnce("Sign in", "/sign-in/code");
    await ann.sees("An application asks for access");
    sent.length = 0;
    await sendsOnce("Allow", "/oauth/consent");
    const { code } = await ann.arrival();
    expect(await ann.exchange(code, codeVerifier)).toHaveProperty("access_token");
    expect(sent).toStrictEqual(["/oauth/consent"]);
  });

  it.skipIf(isFirefox)("are two where the browser was stopped between them", async () => {
    const ben = await visitor();
    await ben.page.goto(authorizationRequest(site()).url);
    const { sent, release } = await holdForms(ben.page);
    await ben.page.getByLabel("E-mail address").fill(ben.email);
    const devtools = await ben.page.context().newCDPSession(ben.page);
    await click(ben.page, "Send me a code", 1);
    await expect.poll(() => sent).toHaveLength(1);
    await devtools.send("Page.stopLoading");
    await click(ben.page, "Send me a code", 1);
    await expect.poll(() => sent).toHaveLength(2);
    release();
    await ben.sees("Check your e-mail");
  });
});

describe.skipIf(isFirefox)("an answer that the application has not got, without script", () => {
  it("has the way on to it, with another code of the same request", async () => {
    const cleo = await visitor({ javaScriptEnabled: false });
    const { url, codeVerifier } = authorizationRequest(site());
    await cleo.page.goto(url);
    await cleo.signIn();
    await cleo.press("Allow");
    const first = await cleo.arrival();
    await cleo.page.goBack();
    await cleo.sees("You have already answered");
    await cleo.page.getByRole("link", { name: /^Go on to / }).click();
    const { code, ...others } = await cleo.arrival();
    expect(others).toStrictEqual({ state: "a state", iss: site().origin });
    expect(code).not.toBe(first.code);
    expect(await cleo.exchange(code, codeVerifier)).toHaveProperty("access_token");
  });
});
