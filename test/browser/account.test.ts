import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isFirefox } from "../support/pages/browser.ts";
import { AUTH_HOST } from "../support/pages/sign-in-site.ts";
import { authorizationRequest, type Visitor } from "../support/pages/sign-in-visitor.ts";
import { signInVisits } from "../support/pages/sign-in-visits.ts";
import { POLL_TIMEOUT_MS } from "../support/repository/polling.ts";

const ONE_HOUR_MS = 3_600_000n;

const { site, visitor } = signInVisits();

/** Somebody who is signed in and sees their account. */
async function member(options: Parameters<typeof visitor>[0] = {}): Promise<Visitor> {
  const opened = await visitor(options);
  await opened.page.goto("/account");
  await opened.signIn();
  await opened.sees("Your account");
  return opened;
}

/** Lets the application in, and goes back to the account. */
async function letIn(somebody: Visitor) {
  const { url, codeVerifier } = authorizationRequest(site());
  await somebody.page.goto(url);
  await somebody.press("Allow");
  const tokens = await somebody.exchange((await somebody.arrival()).code, codeVerifier);
  await somebody.page.goto("/account");
  return tokens;
}

/** Replaces what stands in a field as a person does: Firefox, driven from outside, adds to it where it is filled. */
async function retype(field: Locator, value: string): Promise<void> {
  await field.press("ControlOrMeta+a");
  await field.pressSequentially(value);
}

describe("signing in", () => {
  it("sets cookies that only this host gets, by TLS and without script", async () => {
    const alice = await member();
    const cookies = await alice.page.context().cookies();
    expect(cookies.map(({ name }) => name).toSorted()).toStrictEqual([
      "__Host-tidemark-browser",
      "__Host-tidemark-known",
      "__Host-tidemark-session",
    ]);
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ domain: AUTH_HOST, path: "/", secure: true, httpOnly: true, sameSite: "Lax" });
    }
  });

  it("counts wrong codes, then wants a new one", async () => {
    const bob = await visitor();
    await bob.page.goto("/account");
    await bob.askForCode();
    const code = await bob.mailedCode();
    for (const left of ["4 tries left", "3 tries left", "2 tries left", "one try left"]) {
      await bob.enterCode("BBBB-BBBB");
      await bob.page.getByRole("alert").getByText(left).waitFor();
    }
    await bob.enterCode("BBBB-BBBB");
    await bob.sees("Get a new code");
    await bob.press("Send a new code");
    await bob.sees("Check your e-mail");
    await bob.enterCode(code);
    await bob.page.getByText("4 tries left").first().waitFor();
    await bob.enterCode(await bob.mailedCode());
    await bob.sees("Your account");
  });

  it("has the focus in the field that a page is for, and no error where its field is mended", async () => {
    const ann = await visitor();
    const { page } = ann;
    await page.goto("/account");
    const focused = () => page.evaluate("document.activeElement.id");
    await expect.poll(focused).toBe("email");
    await page.getByLabel("E-mail address").fill("nobody");
    await page.keyboard.press("Enter");
    const summary = page.getByRole("alert");
    await summary.waitFor();
    const field = page.getByLabel("E-mail address");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await retype(field, "nobody@example.com");
    expect([await summary.isVisible(), await field.getAttribute("aria-invalid")]).toEqual([false, null]);
    await retype(field, "nobody");
    expect([await summary.isVisible(), await field.getAttribute("aria-invalid")]).toEqual([true, "true"]);
    await ann.askForCode();
    await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
    await expect.poll(focused).toBe("code");
    await ann.enterCode("BBBB-BBBB");
    await summary.waitFor();
    expect(await page.locator("#code-error").isVisible()).toBe(true);
    await page.getByLabel("Code").fill("B");
    expect([await summary.isVisible(), await page.locator("#code-error").isVisible()]).toEqual([false, false]);
  });

  it("sends a code that works only in the browser that asked", async () => {
    const [carol, mallory] = [await visitor(), await visitor()];
    await carol.page.goto("/account");
    await carol.askForCode();
    await carol.sees("Check your e-mail");
    await mallory.page.goto("/sign-in");
    await mallory.page.goto(carol.page.url());
    await mallory.sees("Get a new code");
    expect(await mallory.page.getByLabel("Code").count()).toBe(0);
    await carol.enterCode(await carol.mailedCode());
    await carol.sees("Your account");
  });
});

describe("the account", () => {
  it("lists sessions and ends another one", async () => {
    const dave = await member();
    const phone = await visitor({ userAgent: "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0" });
    await phone.page.goto("/account");
    await phone.signIn(dave.email);
    await phone.sees("Your account");
    await dave.page.reload();
    await dave.press("End session: Firefox on Android");
    await dave.page.getByText("The session is ended.").waitFor();
    expect(await dave.page.getByText("Firefox on Android").count()).toBe(0);
    await phone.page.reload();
    await phone.sees("Sign in");
  });

  it.skipIf(isFirefox)("signs out with the access of all applications, without script", async () => {
    const gwen = await member({ javaScriptEnabled: false });
    const { access_token } = await letIn(gwen);
    await gwen.page.goto("/account");
    await gwen.press("Sign out, and end the access of all applications");
    await gwen.sees("You are signed out");
    await gwen.page.getByText("No application has access").waitFor();
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await fetch(`${site().gatewayUrl}/oauth/userinfo`, { headers })).status).toBe(401);
  });

  it("takes an application's access back, and so its tokens", async () => {
    const erin = await member();
    const { access_token } = await letIn(erin);
    const userInfo = () =>
      fetch(`${site().gatewayUrl}/oauth/userinfo`, { headers: { authorization: `Bearer ${access_token}` } });
    expect((await userInfo()).status).toBe(200);
    await erin.press("Remove access of An application");
    await erin.page.getByText("None so far.").waitFor();
    expect((await userInfo()).status).toBe(401);
    await erin.page.goto(authorizationRequest(site()).url);
    await erin.sees("An application asks for access");
  });

  it("changes its e-mail address, and notifies the old one", async () => {
    const frank = await member();
    const [name, old] = [`new-${frank.email.split("@")[0]}`, frank.email];
    const address = `${name}@xn--bcher-kva.example`;
    // Chromium's own check refuses the marks around it; the mail server shows the domain in Unicode.
    await frank.page.getByRole("link", { name: "Change" }).click();
    await frank.page.getByLabel("New e-mail address").fill(`\u2068${name}@bücher.example\u2069`);
    await frank.press("Send me a code");
    await frank.page.getByLabel("Code").fill(await frank.mailedCode(`${name}@bücher.example`));
    await frank.press("Change the address");
    await frank.page.getByText("Your e-mail address is changed, and all other browsers are signed out.").waitFor();
    await frank.page.getByText(address, { exact: true }).waitFor();
    const toOld = () =>
      site()
        .mails.filter(({ recipients }) => recipients.includes(old))
        .at(-1)?.message.subject;
    await expect.poll(toOld, { timeout: POLL_TIMEOUT_MS }).toBe("The e-mail address of your account was changed");
  });

  it("wants a sign-in anew before it is deleted, then begins anew with the same address", async () => {
    const grace = await member();
    await letIn(grace);
    await site().database.write((query) =>
      query
        .updateTable("session")
        .set(({ eb }) => ({ authenticated_at_ms: eb("authenticated_at_ms", "-", ONE_HOUR_MS) }))
        .execute(),
    );
    await grace.page.getByRole("link", { name: "Delete…" }).click();
    await grace.sees("Confirm that it’s you");
    await grace.signIn();
    await grace.sees("Delete your account?");
    await grace.page.getByLabel("I want to delete my account").check();
    await grace.press("Delete account");
    await grace.sees("Your account is deleted");
    await grace.page.goto("/account");
    await grace.signIn();
    await grace.page.getByText("None so far.").waitFor();
  });

  it("is not to be seen after signing out, by the back button neither", async () => {
    const heidi = await member();
    await heidi.press("Sign out of this browser");
    await heidi.sees("You are signed out");
    await heidi.page.goBack();
    await heidi.sees("Sign in");
    expect(await heidi.page.getByText(heidi.email).count()).toBe(0);
  });

  it("is signed out once more in a tab whose session another one has ended", async () => {
    const ivan = await member();
    const other = await ivan.openTab("/account");
    await ivan.press("Sign out of this browser");
    await ivan.sees("You are signed out");
    await ivan.press("Sign out of this browser", other);
    await ivan.sees("You are signed out", other);
  });
});
