import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { refusedByRule } from "../../../common/platform/errors/service-error.ts";
import { toConnectError } from "../../../common/platform/rpc/errors.ts";
import { AuthenticationMethod } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { RIGHT_CODE } from "../../testing/fake-accounts.ts";
import { type FakeAuthGateway, startFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { PageBrowser } from "../../testing/page-browser.ts";

const OLD_MS = 3_600_000;
const RECOVERY = "/account/recovery";
const BY_PASS = "/sign-in/recovery";

let gateway: FakeAuthGateway;
let browser: PageBrowser;
beforeAll(async () => {
  gateway = await startFakeAuthGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  const { passkeys, recovery, sessions } = accounts();
  sessions.clear();
  passkeys.passkeys = [];
  passkeys.add("Laptop");
  recovery.recovery = undefined;
  recovery.passkeyRequired = false;
  browser = new PageBrowser(gateway.origin);
});

const accounts = () => gateway.fake.accounts;
const haveSession = (options: Parameters<FakeAuthGateway["fake"]["accounts"]["addSession"]>[0] = {}) =>
  browser.cookies.set("tidemark-session", accounts().addSession(options));

async function enterCode() {
  const start = await browser.send(await browser.open("/sign-in"), {
    action: "/sign-in",
    fields: { email: "alice@example.org" },
  });
  return browser.send(start, { action: "/sign-in/code", fields: { code: RIGHT_CODE } });
}

describe("with a session that began with a code, where the account has a passkey,", () => {
  it.each(["/account/email", "/account/delete", "/account/passkeys", "/account/passkey-rule"])(
    "%s asks for the passkey and nothing else, and leads to the recovery",
    async (path) => {
      haveSession();
      const page = await browser.open(path);
      expect(page.path).toMatch(/^\/sign-in\?next=[a-z-]+&again=1&passkey=1$/);
      expect(page.html).toContain("Sign in with your passkey");
      expect(page.html).not.toContain('name="email"');
      expect(page.html).toContain(`href="${RECOVERY}"`);
      expect(page.html).toContain('<a href="/account">Back to your account</a>');
    },
  );

  it("a form that was open before is refused, too", async () => {
    accounts().passkeys.passkeys = [];
    haveSession();
    const page = await browser.open("/account/email");
    accounts().passkeys.add("New");
    const sent = await browser.send(page, { action: "/account/email", fields: { email: "b@example.org" } });
    expect(sent.path).toContain("passkey=1");
    expect(gateway.fake.asked("BeginEmailChange")).toHaveLength(0);
  });

  it("the account offers the recovery, other than with a session that began with a passkey", async () => {
    haveSession();
    expect((await browser.open("/account")).html).toContain("All passkeys lost?");
    haveSession({ authenticatedBy: AuthenticationMethod.PASSKEY });
    const { html } = await browser.open("/account");
    expect(html).toContain("Require a passkey…");
    expect(html).not.toContain("All passkeys lost?");
  });
});

describe("the recovery", () => {
  it("is begun and stopped", async () => {
    haveSession();
    const begun = await browser.send(await browser.open(RECOVERY), { action: RECOVERY });
    expect(begun.html).toMatch(/role="status">The recovery has begun\..*The recovery waits/s);
    expect((await browser.open("/account")).html).toContain("See what you can do");
    const stopped = await browser.send(begun, { action: RECOVERY });
    expect(stopped.html).toContain("The recovery is stopped. Your passkeys stay.");
    expect(accounts().recovery.recovery).toBeUndefined();
    const again = await browser.send(begun, { action: RECOVERY });
    expect(again.html).toContain("The recovery is stopped.");
  });

  it("is completed with another session, in which no passkey is left", async () => {
    haveSession();
    accounts().recovery.begin(true);
    const page = await browser.open(RECOVERY);
    const done = await browser.send(page, { action: RECOVERY });
    expect([done.path, done.html]).toStrictEqual([
      "/account?done=recovered",
      expect.stringContaining("Your account is recovered."),
    ]);
    expect(accounts().passkeys.passkeys).toHaveLength(0);
  });

  it("says why it can't be completed", async () => {
    haveSession();
    accounts().recovery.begin(true);
    const page = await browser.open(RECOVERY);
    accounts().recovery.begin(false);
    const refused = await browser.send(page, { action: RECOVERY });
    expect([refused.status, refused.html]).toStrictEqual([422, expect.stringContaining("the 72 hours aren’t over")]);
  });

  it("is begun only after a recent code, but stopped by any session", async () => {
    haveSession({ ageMs: OLD_MS });
    const begun = await browser.send(await browser.open(RECOVERY), { action: RECOVERY });
    expect(begun.path).toBe("/sign-in?next=recovery&again=1");
    accounts().recovery.begin();
    const stopped = await browser.send(await browser.open(RECOVERY), { action: RECOVERY });
    expect(stopped.html).toContain("The recovery is stopped.");
  });

  it("can only be stopped by whoever has a passkey", async () => {
    haveSession({ authenticatedBy: AuthenticationMethod.PASSKEY });
    expect((await browser.open(RECOVERY)).html).toContain("You have signed in with a passkey");
    accounts().recovery.begin(true);
    const page = await browser.open(RECOVERY);
    expect(page.html).not.toContain("Remove all passkeys");
    expect(page.html).toContain("Stop the recovery");
  });

  it("that the operator has begun is said to be the operator's, and has nothing to press until it is ready", async () => {
    haveSession();
    accounts().recovery.begin().byOperator = true;
    for (const path of [RECOVERY, "/account"]) {
      const { html } = await browser.open(path);
      expect(html).toContain("The operator of this service has begun a recovery");
      expect(html).not.toContain("Somebody with a code");
      expect(html).not.toContain(`action="${RECOVERY}"`);
    }
    accounts().recovery.begin(true).byOperator = true;
    const { html } = await browser.open(RECOVERY);
    expect(html).toContain("Remove all passkeys");
    expect(html).not.toContain("Stop the recovery");
  });

  it.each([
    ["EndSession", "/account", "/account/sessions/end"],
    ["EndOtherSessions", "/account", "/account/sessions/end-others"],
    ["SetPasskeyRequired", "/account/passkey-rule", "/account/passkey-rule"],
  ])("that the operator has begun is shown to whoever is refused %s until it is over", async (method, path, action) => {
    accounts().addSession({});
    haveSession({ authenticatedBy: AuthenticationMethod.PASSKEY });
    accounts().recovery.begin().byOperator = true;
    const refusal = refusedByRule("account.operator_recovery", "the operator's recovery comes first");
    gateway.fake.failures.set(
      method,
      toConnectError(refusal, () => {}),
    );
    const page = await browser.send(await browser.open(path), { action });
    gateway.fake.failures.delete(method);
    expect([page.status, page.path]).toEqual([200, RECOVERY]);
    expect(page.html).toContain("The operator of this service has begun a recovery");
  });

  it("has nothing to do without passkeys", async () => {
    accounts().passkeys.passkeys = [];
    haveSession();
    expect((await browser.open(RECOVERY)).html).toContain("Your account has no passkey");
  });
});

describe("an account that requires a passkey", () => {
  beforeEach(() => {
    accounts().recovery.passkeyRequired = true;
  });

  it("is not signed in to with a code, which leads to the recovery", async () => {
    const page = await enterCode();
    expect([page.path, browser.cookies.has("tidemark-session")]).toStrictEqual([BY_PASS, false]);
    expect(page.html).toContain("Your account requires a passkey");
    const begun = await browser.send(page, { action: BY_PASS });
    expect(begun.html).toContain("The recovery waits");
    accounts().recovery.begin(true);
    const done = await browser.send(await browser.open(BY_PASS), { action: BY_PASS });
    expect([done.path, browser.cookies.has("tidemark-recovery")]).toStrictEqual(["/account?done=recovered", false]);
  });

  it("shows nothing without a code, or after ten minutes, and leaves a session of the browser alone", async () => {
    haveSession();
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
    accounts().recovery.passkeyRequired = false;
    haveSession({ authenticatedBy: AuthenticationMethod.PASSKEY });
    const page = await browser.open("/account/passkey-rule");
    expect(page.html).toContain("You have only one passkey.");
    const on = await browser.send(page, { action: "/account/passkey-rule" });
    expect([on.path, accounts().recovery.passkeyRequired]).toStrictEqual(["/account?done=passkey-required", true]);
    const off = await browser.send(await browser.open("/account/passkey-rule"), { action: "/account/passkey-rule" });
    expect([off.path, accounts().recovery.passkeyRequired]).toStrictEqual([
      "/account?done=passkey-not-required",
      false,
    ]);
  });

  it("needs a passkey first", async () => {
    accounts().recovery.passkeyRequired = false;
    accounts().passkeys.passkeys = [];
    haveSession();
    expect((await browser.open("/account/passkey-rule")).html).toContain("Your account has no passkey yet.");
  });
});
