import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KNOWN_BROWSER, RIGHT_CODE } from "../testing/fake-accounts.ts";
import { CLIENT_ID } from "../testing/fake-auth.ts";
import { type FakeAuthGateway, startFakeAuthGateway } from "../testing/fake-auth-gateway.ts";
import { formEntries } from "../testing/form-entries.ts";
import { PageBrowser, type ShownPage } from "../testing/page-browser.ts";

let gateway: FakeAuthGateway;
let browser: PageBrowser;
beforeEach(async () => {
  gateway = await startFakeAuthGateway();
  browser = new PageBrowser(gateway.origin);
});
afterEach(() => gateway.stop());

const enterEmail = (page: ShownPage, email: string) => browser.send(page, { action: "/sign-in", fields: { email } });
const enterCode = (page: ShownPage, code: string) => browser.send(page, { action: "/sign-in/code", fields: { code } });
/** The box for the access of applications, ticked. */
const TICKED = /name="end_tokens"[^>]* checked/;

async function signIn(path = "/account"): Promise<ShownPage> {
  return enterCode(await enterEmail(await browser.open(path), "alice@example.org"), RIGHT_CODE);
}

/** A browser with a session that is an hour old. */
function haveOldSession(): void {
  browser.cookies.set("tidemark-session", gateway.fake.accounts.addSession({ ageMs: 3_600_000 }));
}

describe("sign-in", () => {
  it("sends a code, takes it and starts the session", async () => {
    const page = await signIn();
    expect([page.status, page.path]).toStrictEqual([200, "/account"]);
    expect(page.headers.get("strict-transport-security")).toBeNull();
    expect(page.html).toContain("alice@example.org");
    expect(browser.cookies.has("tidemark-sign-in")).toBe(false);
    const browserToken = browser.cookies.get("tidemark-browser");
    expect(gateway.fake.asked("BeginSignIn")[0]).toMatchObject({ email: "alice@example.org", browserToken });
    expect(gateway.fake.asked("CompleteSignIn")[0]).toMatchObject({ code: RIGHT_CODE, browserToken });
  });

  it.each(["", "alice", "alice@", "a@b c", "somebody@nowhere.invalid", `${"x".repeat(251)}@y.z`])(
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
    gateway.fake.accounts.triesLeft = 3;
    let page = await enterEmail(await browser.open("/sign-in"), "alice@example.org");
    page = await enterCode(page, "wrong");
    expect([page.status, page.html]).toStrictEqual([422, expect.stringContaining("2 tries left")]);
    page = await enterCode(page, "wrong");
    expect(page.html).toContain("one try left");
    page = await enterCode(page, "x".repeat(1000));
    expect(page.html).toContain("Get a new code");
    gateway.fake.accounts.triesLeft = 5;
    page = await browser.send(page, { action: "/sign-in" });
    expect((await enterCode(page, RIGHT_CODE)).path).toBe("/account");
  });

  it("doesn't name the address of another tab's sign-in", async () => {
    const first = await enterEmail(await browser.open("/sign-in"), "alice@example.org");
    await enterEmail(await browser.open("/sign-in"), "bob@example.org");
    const page = await browser.open(first.path);
    expect(page.html).toContain("the address that you entered");
    expect(page.html).not.toContain("@example.org");
  });

  it.each(["/sign-in", "/sign-in/code"])(
    "refuses the form of %s from elsewhere, or without the cookie",
    async (action) => {
      const page = await enterEmail(await browser.open("/sign-in"), "alice@example.org");
      const headers = { "sec-fetch-site": "cross-site" };
      expect((await browser.send(page, { action, headers, fields: { code: RIGHT_CODE } })).status).toBe(403);
      browser.cookies.set("tidemark-browser", "x".repeat(43));
      expect((await browser.send(page, { action, fields: { code: RIGHT_CODE } })).status).toBe(403);
      browser.cookies.clear();
      expect((await browser.send(page, { action, fields: { code: RIGHT_CODE } })).html).toContain("cookie");
      expect(gateway.fake.asked("CompleteSignIn")).toStrictEqual([]);
    },
  );

  it("makes the browser known, which it says with the next sign-in", async () => {
    await signIn();
    expect(gateway.fake.asked("BeginSignIn")[0]).toMatchObject({ knownBrowser: "" });
    expect(browser.cookies.get("tidemark-known")).toBe(KNOWN_BROWSER);
    await signIn("/sign-in");
    expect(gateway.fake.asked("BeginSignIn")[0]).toMatchObject({ knownBrowser: KNOWN_BROWSER });
    expect(gateway.fake.asked("CompleteSignIn")[0]).toMatchObject({ knownBrowser: KNOWN_BROWSER });
    browser.cookies.set("tidemark-known", `${KNOWN_BROWSER}<`);
    await signIn("/sign-in");
    expect(gateway.fake.asked("BeginSignIn")[0]).toMatchObject({ knownBrowser: "" });
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
    gateway.fake.accounts.sessions.clear();
    expect((await browser.open("/account")).path).toBe("/sign-in");
    expect(browser.cookies.has("tidemark-session")).toBe(false);
  });

  it("ends another session, but offers to sign out of its own", async () => {
    gateway.fake.accounts.addSession({ userAgent: "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0" });
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
      gateway.fake.accounts.addSession({ userAgent });
    const page = await signIn();
    const after = await browser.send(page, { action: "/account/sessions/end-others" });
    expect(after.html).toContain("All other sessions are ended.");
    expect(after.html).not.toContain("/account/sessions/end");
  });

  it.each([
    ["yes", true, "No application has access"],
    ["", false, undefined],
  ])("signs out, with %j in the box for the access of applications", async (ticked, endTokens, text) => {
    const page = await signIn();
    expect(page.html).not.toMatch(TICKED);
    const out = await browser.send(page, { action: "/sign-out", fields: { end_tokens: ticked } });
    expect(gateway.fake.asked("SignOut")).toEqual([expect.objectContaining({ endTokens })]);
    expect(out.html).toContain("You are signed out");
    if (text === undefined) expect(out.html).not.toContain("access");
    else expect(out.html).toContain(text);
  });

  it("says that access wasn't ended where the session had ended before", async () => {
    const page = await signIn();
    gateway.fake.accounts.sessions.clear();
    const out = await browser.send(page, { action: "/sign-out", fields: { end_tokens: "yes" } });
    expect(out.html).toContain("Applications still have access");
  });

  it("takes an application's access back, once or twice", async () => {
    const page = await signIn();
    for (let time = 0; time < 2; time++) {
      const after = await browser.send(page, { action: "/account/applications/withdraw" });
      expect(after.html).toContain("None so far.");
      expect(after.html).not.toContain("end_tokens");
    }
    expect(gateway.fake.asked("WithdrawConsent")[0]).toMatchObject({ clientUuid: CLIENT_ID });
  });

  it.each(["/account/sessions/end", "/account/sessions/end-others", "/account/applications/withdraw", "/sign-out"])(
    "refuses the form of %s from elsewhere, or of another session",
    async (action) => {
      gateway.fake.accounts.addSession({});
      const page = await signIn();
      const before = gateway.fake.calls.length;
      expect((await browser.send(page, { action, headers: { "sec-fetch-site": "same-site" } })).status).toBe(403);
      browser.cookies.set("tidemark-session", "o".repeat(43));
      expect((await browser.send(page, { action })).status).toBe(403);
      expect(gateway.fake.calls).toHaveLength(before);
    },
  );
});

describe("what wants a recent sign-in", () => {
  it.each(["/account/email", "/account/delete"])("leads from %s to a sign-in and back", async (path) => {
    haveOldSession();
    const page = await browser.open(path);
    expect(page.html).toContain("Confirm that it’s you");
    expect((await enterCode(await enterEmail(page, "alice@example.org"), RIGHT_CODE)).path).toBe(path);
  });

  it("begins with the address of whoever is signed in, and of nobody else", async () => {
    haveOldSession();
    const address = async () =>
      formEntries((await browser.open("/sign-in?next=email&again=1")).html, "/sign-in")["email"];
    expect(await address()).toBe("alice@example.org");
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
  const confirm = (page: ShownPage, code: string) =>
    browser.send(page, { action: "/account/email/code", fields: { code } });

  it("takes the code that was sent to the new one", async () => {
    const page = await change("bob@example.org");
    expect(page.html).toContain("bob@example.org");
    const wrong = await confirm(page, "wrong");
    expect(wrong.html).toContain("4 tries left");
    const done = await confirm(wrong, RIGHT_CODE);
    expect(done.html).toContain("Your e-mail address is changed, and all other browsers are signed out.");
    expect(done.html).toContain("bob@example.org");
    expect(gateway.fake.asked("CompleteEmailChange").at(-1)).toMatchObject({ endTokens: false });
  });

  it("ends the access of applications where the box is ticked, which stays so after a wrong code", async () => {
    const action = "/account/email/code";
    const page = await change("bob@example.org");
    expect(page.html).not.toMatch(TICKED);
    const wrong = await browser.send(page, { action, fields: { code: "wrong", end_tokens: "yes" } });
    expect(wrong.html).toMatch(TICKED);
    await browser.send(wrong, { action, fields: { code: RIGHT_CODE, end_tokens: "yes" } });
    expect(gateway.fake.asked("CompleteEmailChange").at(-1)).toMatchObject({ endTokens: true });
  });

  it("offers no end of access where no application has any", async () => {
    gateway.fake.accounts.hasConsent = false;
    const page = await change("bob@example.org");
    const pages = [page, await confirm(page, "wrong")];
    expect(pages.map(({ html }) => [html.includes('name="code"'), html.includes("end_tokens")])).toStrictEqual([
      [true, false],
      [true, false],
    ]);
  });

  it("refuses what is none, or taken", async () => {
    expect((await change("nothing")).status).toBe(422);
    const taken = await confirm(await change("taken@example.org"), RIGHT_CODE);
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
    gateway.fake.accounts.deletionObstacle = "it is the only owner of a sale";
    const page = await remove(await browser.open("/account/delete"), "yes");
    expect([page.status, page.html]).toStrictEqual([422, expect.stringContaining("only owner of a sale")]);
  });
});
