import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { type AuthGateway, CLIENT_ID, startAuthGateway } from "../testing/auth-gateway.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { formEntries } from "../testing/form-entries.ts";
import { PageBrowser, type ShownPage } from "../testing/page-browser.ts";

let gateway: AuthGateway;
let browser: PageBrowser;
/** Somebody new in each test. */
let user: string;
beforeAll(async () => {
  gateway = await startAuthGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.auth.faults.reset();
  browser = new PageBrowser(gateway.origin);
  user = newEmail();
});

const WRONG_CODE = "BBBB-BBBB";
const newEmail = () => `${randomUUID()}@example.org`;
const enterEmail = (page: ShownPage, email = user) => browser.send(page, { action: "/sign-in", fields: { email } });
const enterCode = (page: ShownPage, code = gateway.auth.mailedCode()) =>
  browser.send(page, { action: "/sign-in/code", fields: { code } });
/** The box for the access of applications, ticked. */
const TICKED = /name="end_tokens"[^>]* checked/;

async function signIn(path = "/account"): Promise<ShownPage> {
  return enterCode(await enterEmail(await browser.open(path)));
}

/** A browser with a session that is an hour old. */
async function haveOldSession(): Promise<void> {
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email: user, ageMs: 3_600_000 }));
}

/** Gives the application access to the user's data, in another browser whose session then ends. */
async function allowAccess(): Promise<void> {
  const sessionToken = await gateway.auth.signIn({ email: user });
  await gateway.application.code(sessionToken);
  await gateway.auth.people.accounts.signOut({ sessionToken });
}

/** Ends the session of the browser elsewhere. */
async function endSession(): Promise<void> {
  await gateway.auth.people.accounts.signOut({ sessionToken: browser.cookies.get("tidemark-session") ?? "" });
}

describe("sign-in", () => {
  it("sends a code, takes it and starts the session", async () => {
    const page = await signIn();
    expect([page.status, page.path]).toStrictEqual([200, "/account"]);
    expect(page.headers.get("strict-transport-security")).toBeNull();
    expect(page.html).toContain(user);
    expect(browser.cookies.has("tidemark-sign-in")).toBe(false);
    const browserToken = browser.cookies.get("tidemark-browser");
    expect(gateway.auth.faults.asked("BeginSignIn")[0]).toMatchObject({ email: user, browserToken });
    expect(gateway.auth.faults.asked("CompleteSignIn")[0]).toMatchObject({
      code: gateway.auth.mailedCode(),
      browserToken,
    });
  });

  it.each(["", "alice", "alice@", "a@b c", `${"x".repeat(251)}@y.z`])(
    "shows that %j is no address, and keeps it",
    async (email) => {
      const page = await enterEmail(await browser.open("/sign-in"), email);
      expect(page.status).toBe(422);
      expect(page.html).toContain("<title>Error: Sign in");
      expect(page.html).toMatch(/aria-describedby="email-hint email-error" aria-invalid="true"/);
      expect(page.html).toContain(`value="${email}"`);
    },
  );

  it("counts the tries, and offers a new code when they are over", async () => {
    let page = await enterEmail(await browser.open("/sign-in"));
    for (const tries of ["4 tries left", "3 tries left", "2 tries left"]) {
      page = await enterCode(page, WRONG_CODE);
      expect([page.status, page.html]).toStrictEqual([422, expect.stringContaining(tries)]);
    }
    page = await enterCode(page, WRONG_CODE);
    expect(page.html).toContain("one try left");
    page = await enterCode(page, "x".repeat(1000));
    expect([page.status, page.html]).toStrictEqual([422, expect.stringContaining("This isn’t a code")]);
    page = await enterCode(page, WRONG_CODE);
    expect(page.html).toContain("Get a new code");
    page = await browser.send(page, { action: "/sign-in" });
    expect((await enterCode(page)).path).toBe("/account");
  });

  it("names the address of its own sign-in, not that of another tab's", async () => {
    const first = await enterEmail(await browser.open("/sign-in"));
    await enterEmail(await browser.open("/sign-in"), "bob@example.org");
    const page = await browser.open(first.path);
    expect(page.html).toContain(user);
    expect(page.html).not.toContain("bob@example.org");
  });

  it.each(["/sign-in", "/sign-in/code"])(
    "refuses the form of %s from elsewhere, or without the cookie",
    async (action) => {
      const page = await enterEmail(await browser.open("/sign-in"));
      const headers = { "sec-fetch-site": "cross-site" };
      expect((await browser.send(page, { action, headers, fields: { code: gateway.auth.mailedCode() } })).status).toBe(
        403,
      );
      browser.cookies.set("tidemark-browser", "x".repeat(43));
      expect((await browser.send(page, { action, fields: { code: gateway.auth.mailedCode() } })).status).toBe(403);
      browser.cookies.clear();
      expect((await browser.send(page, { action, fields: { code: gateway.auth.mailedCode() } })).html).toContain(
        "cookie",
      );
      expect(gateway.auth.faults.asked("CompleteSignIn")).toStrictEqual([]);
    },
  );

  it("makes the browser known, which it says with the next sign-in", async () => {
    await signIn();
    expect(gateway.auth.faults.asked("BeginSignIn")[0]).toMatchObject({ knownBrowser: "" });
    const known = browser.cookies.get("tidemark-known");
    expect(known).toMatch(/^[\w.-]{40,}$/);
    await signIn("/sign-in");
    expect(gateway.auth.faults.asked("BeginSignIn")[0]).toMatchObject({ knownBrowser: known });
    expect(gateway.auth.faults.asked("CompleteSignIn")[0]).toMatchObject({ knownBrowser: known });
    browser.cookies.set("tidemark-known", `${known}<`);
    await signIn("/sign-in");
    expect(gateway.auth.faults.asked("BeginSignIn")[0]).toMatchObject({ knownBrowser: "" });
  });

  it("ignores cookies that it can't have set", async () => {
    browser.cookies.set("tidemark-browser", "short").set("tidemark-session", "x".repeat(5000));
    expect((await signIn()).path).toBe("/account");
    expect(browser.cookies.get("tidemark-browser")).toMatch(/^[\w-]{43}$/);
  });
});

describe("the account", () => {
  it("wants a sign-in, also when the session has ended", async () => {
    expect((await browser.open("/account")).path).toBe("/sign-in");
    await signIn();
    await endSession();
    expect((await browser.open("/account")).path).toBe("/sign-in");
    expect(browser.cookies.has("tidemark-session")).toBe(false);
  });

  it("ends another session, but offers to sign out of its own", async () => {
    await gateway.auth.signIn({ email: user, userAgent: "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0" });
    const page = await signIn();
    expect(page.html).toContain("Firefox on Windows");
    expect(page.html.match(/action="\/account\/sessions\/end"/g)).toHaveLength(1);
    const after = await browser.send(page, { action: "/account/sessions/end" });
    expect(after.html).toContain("The session is ended.");
    expect(after.html).not.toContain("Firefox on Windows");
    const out = await browser.send(after, { action: "/sign-out" });
    expect([out.path, browser.cookies.has("tidemark-session")]).toStrictEqual(["/signed-out", false]);
  });

  it("ends all other sessions at once, while there are any", async () => {
    for (const userAgent of ["Firefox/140.0 (Windows NT 10.0)", "curl/8"])
      await gateway.auth.signIn({ email: user, userAgent });
    const page = await signIn();
    const after = await browser.send(page, { action: "/account/sessions/end-others" });
    expect(after.html).toContain("All other sessions are ended.");
    expect(after.html).not.toContain("/account/sessions/end");
  });

  it.each([
    ["yes", true, "No application has access"],
    ["", false, undefined],
  ])("signs out, with %j for the access of applications", async (ticked, endTokens, text) => {
    await allowAccess();
    const page = await signIn();
    const out = await browser.send(page, { action: "/sign-out", fields: { end_tokens: ticked } });
    expect(gateway.auth.faults.asked("SignOut")).toEqual([expect.objectContaining({ endTokens })]);
    expect(out.html).toContain("You are signed out");
    if (text === undefined) expect(out.html).not.toContain("access");
    else expect(out.html).toContain(text);
  });

  it("says that access wasn't ended where the session had ended before, unless by the first of two clicks", async () => {
    await allowAccess();
    const page = await signIn();
    await endSession();
    const out = await browser.send(page, { action: "/sign-out", fields: { end_tokens: "yes" } });
    expect(out.html).toContain("If you clicked twice, the access that you wanted to end has been ended");
  });

  it("says beneath the button that ends the access of all applications what it does", async () => {
    await allowAccess();
    expect((await signIn()).html).toMatch(/<button [^>]+>Sign out, and end[^<]+<\/button>\s*<p class="hint"/);
  });

  it("takes an application's access back, once or twice", async () => {
    await allowAccess();
    const page = await signIn();
    for (let time = 0; time < 2; time++) {
      const after = await browser.send(page, { action: "/account/applications/withdraw" });
      expect(after.html).toContain("None so far.");
      expect(after.html).not.toContain("end_tokens");
    }
    expect(gateway.auth.faults.asked("WithdrawConsent")[0]).toMatchObject({ clientUuid: CLIENT_ID });
  });

  it.each(["/account/sessions/end", "/account/sessions/end-others", "/account/applications/withdraw", "/sign-out"])(
    "refuses the form of %s from elsewhere, or of another session",
    async (action) => {
      await gateway.auth.signIn({ email: user });
      await allowAccess();
      const page = await signIn();
      const before = gateway.auth.faults.calls.length;
      expect((await browser.send(page, { action, headers: { "sec-fetch-site": "same-site" } })).status).toBe(403);
      browser.cookies.set("tidemark-session", "o".repeat(43));
      expect((await browser.send(page, { action })).status).toBe(403);
      expect(gateway.auth.faults.calls).toHaveLength(before);
    },
  );
});

describe("what wants a recent sign-in", () => {
  it.each(["/account/email", "/account/delete"])("leads from %s to a sign-in and back", async (path) => {
    await haveOldSession();
    const page = await browser.open(path);
    expect(page.html).toContain("Confirm that it’s you");
    expect((await enterCode(await enterEmail(page))).path).toBe(path);
  });

  it("begins with the address of whoever is signed in, and of nobody else", async () => {
    await haveOldSession();
    const address = async () =>
      formEntries((await browser.open("/sign-in?next=email&again=1")).html, "/sign-in")["email"];
    expect(await address()).toBe(user);
    browser.cookies.set("tidemark-session", "o".repeat(43));
    expect(await address()).toBe("");
    browser.cookies.delete("tidemark-session");
    expect(await address()).toBe("");
  });

  it("follows no other way back", async () => {
    expect((await signIn("/sign-in?next=https://evil.example")).path).toBe("/account");
    expect((await signIn("/sign-in?next=toString")).path).toBe("/account");
  });
});

describe("changing the e-mail address", () => {
  const change = async (email: string) => {
    browser.cookies.clear();
    await signIn();
    return browser.send(await browser.open("/account/email"), { action: "/account/email", fields: { email } });
  };
  const confirm = (page: ShownPage, code = gateway.auth.mailedCode()) =>
    browser.send(page, { action: "/account/email/code", fields: { code } });

  it("takes a domain of another script, and what was copied along, for the one spelling of the address", async () => {
    const [name] = newEmail().split("@");
    const page = await change(` \u2068${name}@bücher.example\u2069`);
    expect(page.html).toContain(`${name}@bücher.example`);
    expect((await confirm(page)).html).toContain(`${name}@xn--bcher-kva.example`);
    for (const form of [await browser.open("/account/email"), await browser.open("/sign-in")]) {
      expect(form.html).toMatch(/<form [^>]* novalidate>(?:(?!<\/form>)[\s\S])*type="email"/);
    }
  });

  it("takes the code that was sent to the new one", async () => {
    const email = newEmail();
    const page = await change(email);
    expect(page.html).toContain(email);
    const wrong = await confirm(page, WRONG_CODE);
    expect(wrong.html).toContain("4 tries left");
    const done = await confirm(wrong);
    expect(done.html).toContain("Your e-mail address is changed, and all other browsers are signed out.");
    expect(done.html).toContain(email);
    expect(gateway.auth.faults.asked("CompleteEmailChange").at(-1)).toMatchObject({ endTokens: false });
  });

  it("ends the access of applications where the box is ticked, which stays so after a wrong code", async () => {
    const action = "/account/email/code";
    await allowAccess();
    const page = await change(newEmail());
    expect(page.html).not.toMatch(TICKED);
    const wrong = await browser.send(page, { action, fields: { code: "wrong", end_tokens: "yes" } });
    expect(wrong.html).toMatch(TICKED);
    await browser.send(wrong, { action, fields: { code: gateway.auth.mailedCode(), end_tokens: "yes" } });
    expect(gateway.auth.faults.asked("CompleteEmailChange").at(-1)).toMatchObject({ endTokens: true });
  });

  it("offers no end of access where no application has any", async () => {
    const page = await change(newEmail());
    const pages = [page, await confirm(page, "wrong")];
    expect(pages.map(({ html }) => [html.includes('name="code"'), html.includes("end_tokens")])).toStrictEqual([
      [true, false],
      [true, false],
    ]);
  });

  it("refuses what is none, or taken", async () => {
    expect((await change("nothing")).status).toBe(422);
    const email = newEmail();
    await gateway.auth.signIn({ email });
    const taken = await confirm(await change(email));
    expect([taken.status, taken.html]).toStrictEqual([
      422,
      expect.stringContaining("Another account has this address."),
    ]);
  });
});

describe("deleting the account", () => {
  const remove = (page: ShownPage, sure: string) => browser.send(page, { action: "/account/delete", fields: { sure } });

  it("wants to be sure, then forgets the session", async () => {
    await signIn();
    const page = await browser.open("/account/delete");
    expect((await remove(page, "")).status).toBe(422);
    const done = await remove(page, "yes");
    expect(done.html).toContain("Your account is deleted");
    expect(browser.cookies.has("tidemark-known")).toBe(false);
    expect(browser.cookies.has("tidemark-session")).toBe(false);
  });

  it("shows why it can't be", async () => {
    await signIn();
    const memberships = gateway.auth.as("operator").memberships;
    gateway.auth.sales.set(SALE, { name: "Harbour" });
    await memberships.setMember({ saleUuid: SALE, email: user, role: Role.OWNER });
    const page = await remove(await browser.open("/account/delete"), "yes");
    expect([page.status, page.html]).toStrictEqual([422, expect.stringContaining("only owner of the sale")]);
  });
});
