import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SignInOptions } from "../../../test/support/processes/auth-in-process.ts";
import { type AuthGateway, startAuthGateway } from "../../testing/auth-gateway.ts";
import { PageBrowser } from "../../testing/page-browser.ts";

const OLD_MS = 3_600_000;
const WAIT_MS = 73 * 3_600_000;
const RECOVERY = "/account/recovery";
const BY_PASS = "/sign-in/recovery";

let gateway: AuthGateway;
let browser: PageBrowser;
/** Somebody new in each test, with a passkey. */
let user: string;
beforeAll(async () => {
  gateway = await startAuthGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.auth.faults.reset();
  user = newEmail();
  await gateway.auth.addPasskey("Laptop", user);
  browser = new PageBrowser(gateway.origin);
});

const newEmail = () => `${randomUUID()}@example.org`;

/** Gives the browser a session. */
async function haveSession(options: Omit<SignInOptions, "email"> = {}): Promise<void> {
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email: user, ...options }));
}

/** The account's own calls, in a session that began with the passkey. */
async function asOwner() {
  const sessionToken = await gateway.auth.signIn({ email: user, by: "passkey" });
  return { ...gateway.auth.people, sessionToken, proof: proofOf(sessionToken) };
}

const proofOf = (value: string) => ({ proof: { case: "sessionToken" as const, value } });

/** The state of the recovery of the user's account, as auth says it. */
async function rules() {
  const { accounts, proof } = await asOwner();
  return accounts.getSignInRules({ proof });
}

async function requirePasskey(required: boolean): Promise<void> {
  const { accounts, sessionToken } = await asOwner();
  await accounts.setPasskeyRequired({ sessionToken, required });
}

async function removePasskeys(): Promise<void> {
  const { accounts, sessionToken } = await asOwner();
  const { passkeys } = await accounts.listPasskeys({ sessionToken });
  for (const { uuid } of passkeys) await accounts.removePasskey({ sessionToken, passkeyUuid: uuid });
}

/** Does something before the 72 hours of a recovery. */
async function longAgo(work: () => Promise<unknown>): Promise<void> {
  gateway.auth.time.advance(-WAIT_MS);
  await work();
  gateway.auth.time.advance(WAIT_MS);
}

/** Begins a recovery with a code. */
async function beginRecovery(): Promise<void> {
  const proof = proofOf(await gateway.auth.signIn({ email: user }));
  await gateway.auth.people.accounts.beginRecovery({ proof });
}

const operatorBegins = () => gateway.auth.as("operator").accounts.recoverAccount({ email: user });

async function enterCode() {
  const start = await browser.send(await browser.open("/sign-in"), {
    action: "/sign-in",
    fields: { email: user },
  });
  return browser.send(start, { action: "/sign-in/code", fields: { code: gateway.auth.mailedCode() } });
}

describe("with a session that began with a code, where the account has a passkey,", () => {
  it.each(["/account/email", "/account/delete", "/account/passkeys", "/account/passkey-rule"])(
    "%s asks for the passkey and nothing else, and leads to the recovery",
    async (path) => {
      await haveSession();
      const page = await browser.open(path);
      expect(page.path).toMatch(/^\/sign-in\?next=[a-z-]+&again=1&passkey=1$/);
      expect(page.html).toContain("Sign in with your passkey");
      expect(page.html).not.toContain('name="email"');
      expect(page.html).toContain(`href="${RECOVERY}"`);
      expect(page.html).toContain('<a href="/account">Back to your account</a>');
    },
  );

  it("a form that was open before is refused, too", async () => {
    await removePasskeys();
    await haveSession();
    const page = await browser.open("/account/email");
    await gateway.auth.addPasskey("New", user);
    const sent = await browser.send(page, { action: "/account/email", fields: { email: "b@example.org" } });
    expect(sent.path).toContain("passkey=1");
    expect(gateway.auth.faults.asked("BeginEmailChange")).toHaveLength(0);
  });

  it("the account offers the recovery, other than with a session that began with a passkey", async () => {
    await haveSession();
    expect((await browser.open("/account")).html).toContain("All passkeys lost?");
    await haveSession({ by: "passkey" });
    const { html } = await browser.open("/account");
    expect(html).toContain("Require a passkey…");
    expect(html).not.toContain("All passkeys lost?");
  });
});

describe("the recovery", () => {
  it("is begun and stopped", async () => {
    await haveSession();
    const begun = await browser.send(await browser.open(RECOVERY), { action: RECOVERY });
    expect(begun.html).toMatch(/role="status">The recovery has begun\..*The recovery waits/s);
    expect((await browser.open("/account")).html).toContain("See what you can do");
    const stopped = await browser.send(begun, { action: RECOVERY });
    expect(stopped.html).toContain("The recovery is stopped. Your passkeys stay.");
    expect((await rules()).recovery).toBeUndefined();
    const again = await browser.send(begun, { action: RECOVERY });
    expect(again.html).toContain("The recovery is stopped.");
  });

  it("is completed with another session, in which no passkey is left", async () => {
    await longAgo(beginRecovery);
    await haveSession();
    const page = await browser.open(RECOVERY);
    const done = await browser.send(page, { action: RECOVERY });
    expect([done.path, done.html]).toStrictEqual([
      "/account?done=recovered",
      expect.stringContaining("Your account is recovered."),
    ]);
    expect(await rules()).toMatchObject({ passkeys: 0, passkeyRequired: false });
  });

  it("says why it can't be completed", async () => {
    await beginRecovery();
    gateway.auth.time.advance(WAIT_MS);
    await haveSession();
    const page = await browser.open(RECOVERY);
    gateway.auth.time.advance(-WAIT_MS);
    const refused = await browser.send(page, { action: RECOVERY });
    expect([refused.status, refused.html]).toStrictEqual([422, expect.stringContaining("the 72 hours aren’t over")]);
  });

  it("is begun only after a recent code, but stopped by any session", async () => {
    await haveSession({ ageMs: OLD_MS });
    const begun = await browser.send(await browser.open(RECOVERY), { action: RECOVERY });
    expect(begun.path).toBe("/sign-in?next=recovery&again=1");
    await beginRecovery();
    const stopped = await browser.send(await browser.open(RECOVERY), { action: RECOVERY });
    expect(stopped.html).toContain("The recovery is stopped.");
  });

  it("can only be stopped by whoever has a passkey", async () => {
    await haveSession({ by: "passkey" });
    expect((await browser.open(RECOVERY)).html).toContain("You have signed in with a passkey");
    await longAgo(beginRecovery);
    const page = await browser.open(RECOVERY);
    expect(page.html).not.toContain("Remove all passkeys");
    expect(page.html).toContain("Stop the recovery");
  });

  it("that the operator has begun is said to be the operator's, and has nothing to press until it is ready", async () => {
    await haveSession();
    await operatorBegins();
    for (const path of [RECOVERY, "/account"]) {
      const { html } = await browser.open(path);
      expect(html).toContain("The operator of this service has begun a recovery");
      expect(html).not.toContain("Somebody with a code");
      expect(html).not.toContain(`action="${RECOVERY}"`);
    }
    await gateway.auth.as("operator").accounts.recoverAccount({ email: user, stop: true });
    await longAgo(operatorBegins);
    const { html } = await browser.open(RECOVERY);
    expect(html).toContain("Remove all passkeys");
    expect(html).not.toContain("Stop the recovery");
  });

  it.each([
    ["EndSession", "/account", "/account/sessions/end"],
    ["EndOtherSessions", "/account", "/account/sessions/end-others"],
    ["SetPasskeyRequired", "/account/passkey-rule", "/account/passkey-rule"],
  ])("that the operator has begun is shown to whoever is refused %s until it is over", async (method, path, action) => {
    await gateway.auth.signIn({ email: user });
    await haveSession({ by: "passkey" });
    const page = await browser.open(path);
    await operatorBegins();
    const refused = await browser.send(page, { action });
    expect(gateway.auth.faults.asked(method)).toHaveLength(1);
    expect([refused.status, refused.path]).toEqual([200, RECOVERY]);
    expect(refused.html).toContain("The operator of this service has begun a recovery");
  });

  it("has nothing to do without passkeys", async () => {
    await removePasskeys();
    await haveSession();
    expect((await browser.open(RECOVERY)).html).toContain("Your account has no passkey");
  });
});

describe("an account that requires a passkey", () => {
  beforeEach(() => requirePasskey(true));

  it("is not signed in to with a code, which leads to the recovery", async () => {
    const page = await enterCode();
    expect([page.path, browser.cookies.has("tidemark-session")]).toStrictEqual([BY_PASS, false]);
    expect(page.html).toContain("Your account requires a passkey");
    const begun = await browser.send(page, { action: BY_PASS });
    expect(begun.html).toContain("The recovery waits");
    gateway.auth.time.advance(WAIT_MS);
    const done = await browser.send(await enterCode(), { action: BY_PASS });
    gateway.auth.time.advance(-WAIT_MS);
    expect([done.path, browser.cookies.has("tidemark-recovery")]).toStrictEqual(["/account?done=recovered", false]);
  });

  it("shows nothing without a code, or after ten minutes, and leaves a session of the browser alone", async () => {
    await haveSession();
    expect((await browser.open(BY_PASS)).path).toBe("/sign-in?again=1");
    browser.cookies.set("tidemark-recovery", "x".repeat(43));
    expect((await browser.open(BY_PASS)).path).toBe("/sign-in?again=1");
    expect(browser.cookies.has("tidemark-session")).toBe(true);
  });

  it("takes no form from elsewhere", async () => {
    const page = await enterCode();
    const sent = await browser.send(page, { action: BY_PASS, headers: { "sec-fetch-site": "cross-site" } });
    expect(sent.status).toBe(403);
  });

  it("becomes one by its owner's choice, and is one no longer", async () => {
    await requirePasskey(false);
    await haveSession({ by: "passkey" });
    const page = await browser.open("/account/passkey-rule");
    expect(page.html).toContain("You have only one passkey.");
    const on = await browser.send(page, { action: "/account/passkey-rule" });
    expect([on.path, (await rules()).passkeyRequired]).toStrictEqual(["/account?done=passkey-required", true]);
    const off = await browser.send(await browser.open("/account/passkey-rule"), { action: "/account/passkey-rule" });
    expect([off.path, (await rules()).passkeyRequired]).toStrictEqual(["/account?done=passkey-not-required", false]);
  });

  it("needs a passkey first", async () => {
    await requirePasskey(false);
    await removePasskeys();
    await haveSession();
    expect((await browser.open("/account/passkey-rule")).html).toContain("Your account has no passkey yet.");
  });
});
