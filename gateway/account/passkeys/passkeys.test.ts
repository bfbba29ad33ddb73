import { randomUUID } from "node:crypto";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Passkey } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AnswerChanges } from "../../../services/auth/testing/software-authenticator.ts";
import { type AuthGateway, authorizePath, startAuthGateway } from "../../testing/auth-gateway.ts";
import { hiddenFieldsOf, PageBrowser, type ShownPage } from "../../testing/page-browser.ts";

const AUTHORIZE = authorizePath();
const HOUR_MS = 3_600_000;

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
  user = `${randomUUID()}@example.org`;
});

async function haveSession({ ageMs = 0 }: { readonly ageMs?: number } = {}): Promise<void> {
  const by = "passkey";
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email: user, ageMs, by }));
}

/** The passkeys of the user, in the order in which they were added. */
async function passkeysOf(email = user): Promise<Passkey[]> {
  const { accounts } = gateway.auth.people;
  const { passkeys } = await accounts.listPasskeys({ sessionToken: await gateway.auth.signIn({ email }) });
  return passkeys;
}

/** Asks the question of a page, as its script does. */
async function question(page: ShownPage, action: string): Promise<string> {
  return (await browser.post(`${action}/question`, Object.fromEntries(hiddenFieldsOf(page.html, action)))).html;
}

/** Answers the question of a page with the passkey that was added last. */
async function signInByPasskey(page: ShownPage, changes: AnswerChanges = {}): Promise<ShownPage> {
  const action = "/sign-in/passkey";
  const credential = gateway.auth.people.authenticator.get(await question(page, action), changes);
  return browser.send(page, { action, fields: { credential } });
}

/** Answers the question of a page with a new passkey. */
async function addPasskey(
  page: ShownPage,
  fields: Readonly<Record<string, string>> = {},
  changes: AnswerChanges = {},
): Promise<ShownPage> {
  const action = "/account/passkeys";
  const credential = gateway.auth.people.authenticator.create(await question(page, action), changes);
  return browser.send(page, { action, fields: { credential, ...fields } });
}

/** Signs in by a code, as a browser whose device could keep a passkey. */
async function signInByCode(path: string): Promise<ShownPage> {
  const fields = { email: user };
  const codePage = await browser.send(await browser.open(path), { action: "/sign-in", fields });
  return browser.send(codePage, {
    action: "/sign-in/code",
    fields: { code: gateway.auth.mailedCode(), passkeys: "possible" },
  });
}

describe("the sign-in with a passkey", () => {
  it("is a form that only a script shows, beside the code", async () => {
    const { html, headers } = await browser.open("/sign-in");
    expect(html).toMatch(
      /<form class="needs-script aside" method="post" action="\/sign-in\/passkey" data-passkey="sign-in"/,
    );
    expect(html).toContain('autocomplete="username webauthn"');
    expect(html).toMatch(/<script type="module" src="\/assets\/[0-9a-f]{16}\.js"><\/script>/);
    expect(headers.get("content-security-policy")).toContain("script-src 'self'; connect-src 'self'");
    expect(html).not.toMatch(/<script>|\son[a-z]+=/);
  });

  it("asks the question of the auth service for the browser that has the page", async () => {
    const page = await browser.open("/sign-in");
    const fields = Object.fromEntries(hiddenFieldsOf(page.html, "/sign-in/passkey"));
    const answer = await browser.post("/sign-in/passkey/question", fields);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(answer.html)).toMatchObject({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: "localhost",
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const browserToken = browser.cookies.get("tidemark-browser");
    expect(gateway.auth.faults.asked("BeginPasskeySignIn")).toMatchObject([{ browserToken }]);
    expect((await new PageBrowser(gateway.origin).post("/sign-in/passkey/question", fields)).status).toBe(400);
  });

  it("starts the session and leads to the account", async () => {
    await gateway.auth.addPasskey("Laptop", user);
    await haveSession({ ageMs: HOUR_MS });
    const previousSessionToken = browser.cookies.get("tidemark-session");
    const page = await signInByPasskey(await browser.open("/sign-in?next=data&again=1"));
    expect([page.status, page.path]).toEqual([200, "/account/data"]);
    expect(browser.cookies.get("tidemark-known")).toMatch(/^[\w.-]{40,}$/);
    expect(gateway.auth.faults.asked("CompletePasskeySignIn")).toMatchObject([
      { credentialJson: expect.stringContaining('"type":"public-key"'), previousSessionToken },
    ]);
  });

  it("is told apart in the list of sessions", async () => {
    const tag = '<span class="tag">By passkey</span>';
    browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email: user }));
    expect((await browser.open("/account")).html).not.toContain(tag);
    await gateway.auth.addPasskey("Laptop", user);
    await signInByPasskey(await browser.open("/sign-in"));
    expect((await browser.open("/account")).html).toContain(tag);
  });

  it("goes on with the authorization that it is for", async () => {
    await gateway.auth.addPasskey("Laptop", user);
    const page = await signInByPasskey(await browser.open(AUTHORIZE));
    expect([page.status, page.path]).toEqual([
      200,
      expect.stringMatching(/^\/oauth\/continue\?authorization=[\w-]{43}$/),
    ]);
    expect(page.html).toContain("asks for access");
  });

  it.each([
    [
      "it isn't by us",
      { rpId: "evil.example" },
      "wasn’t accepted. Please try again. You can also sign in with a code.",
    ],
    ["the question is another one", { challenge: "c2lnbi1pbg" }, "took too long"],
    ["nobody has it", { credentialId: "bm9ib2R5" }, "No account has this passkey"],
    ["its counter went back", { counter: 1 }, "there may be a copy"],
  ])("says why a passkey wasn't accepted: %s", async (_, changes, text) => {
    await gateway.auth.addPasskey("Laptop", user);
    await gateway.auth.people.signInByPasskey();
    await gateway.auth.people.signInByPasskey();
    for (const path of ["/sign-in", AUTHORIZE]) {
      const page = await signInByPasskey(await browser.open(path), changes);
      expect([page.status, page.html]).toEqual([422, expect.stringContaining(text)]);
      expect(page.html).toContain('<div class="summary" role="alert"');
      expect(page.html).not.toContain("email-error");
      expect((await signInByPasskey(page)).status).toBe(200);
      browser.cookies.delete("tidemark-session");
    }
  });

  it("isn't there where AUTH_URL is an IP address, to which no passkey can belong", async () => {
    const shared = gateway;
    onTestFinished(async () => {
      await gateway.stop();
      gateway = shared;
    });
    gateway = await startAuthGateway({ AUTH_URL: "http://127.0.0.1:8080" });
    browser = new PageBrowser(gateway.origin);
    expect((await browser.open("/sign-in")).html).not.toContain("passkey");
    expect((await signInByCode("/sign-in")).path).toBe("/account");
    expect((await browser.open("/account")).html).not.toContain("passkey");
    expect((await browser.open("/account/passkeys")).status).toBe(404);
  });
});

describe("the offer of a passkey", () => {
  it("comes after a sign-in by a code, in browsers that could keep one, and leads on", async () => {
    const page = await signInByCode(AUTHORIZE);
    expect([page.status, page.path]).toEqual([
      200,
      expect.stringMatching(/^\/account\/passkeys\/offer\?authorization=[\w-]{43}$/),
    ]);
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https:;");
    const added = await addPasskey(page);
    expect(added.path).toMatch(/^\/oauth\/continue\?authorization=[\w-]{43}$/);
    expect(added.html).toContain("asks for access");
    expect(await passkeysOf()).toHaveLength(1);
  });

  it("leads to the authorization where the session has ended meanwhile, for the script too", async () => {
    const page = await signInByCode(AUTHORIZE);
    await gateway.auth.people.accounts.signOut({ sessionToken: browser.cookies.get("tidemark-session") ?? "" });
    for (const action of ["/account/passkeys/question", "/account/passkeys"]) {
      const fields = Object.fromEntries(hiddenFieldsOf(page.html, "/account/passkeys"));
      const ended = await browser.post(action, fields);
      expect([action, ended.path]).toEqual([action, page.path.replace("/account/passkeys/offer", "/oauth/continue")]);
      expect(ended.html).toContain("Send me a code");
    }
    expect(browser.cookies.has("tidemark-session")).toBe(false);
  });

  it("is confirmed where it leads to the account", async () => {
    const added = await addPasskey(await signInByCode("/account"));
    expect([added.path, added.html]).toEqual([
      "/account?done=passkey-added",
      expect.stringContaining("The passkey is added."),
    ]);
  });

  it("can be declined, which is kept for 90 days", async () => {
    const declined = await browser.send(await signInByCode("/account/email"), { action: "/account/passkeys/offer" });
    expect(declined.path).toBe("/account/email");
    browser.cookies.delete("tidemark-session");
    expect((await signInByCode("/account")).path).toBe("/account");
  });

  it("doesn't come where the account has one, nor where the script hasn't asked for it", async () => {
    await gateway.auth.addPasskey("My key", user);
    expect((await signInByCode("/account")).path).toBe("/account");
    browser.cookies.delete("tidemark-session");
    user = `other-${user}`;
    const fields = { email: user };
    const codePage = await browser.send(await browser.open("/sign-in"), { action: "/sign-in", fields });
    const page = await browser.send(codePage, { action: "/sign-in/code", fields: { code: gateway.auth.mailedCode() } });
    expect(page.path).toBe("/account");
  });

  it("says what went wrong, and still leads on", async () => {
    const page = await addPasskey(await signInByCode(AUTHORIZE), {}, { rpId: "evil.example" });
    expect([page.status, page.html]).toEqual([422, expect.stringContaining("wasn’t accepted")]);
    const declined = await browser.send(page, { action: "/account/passkeys/offer" });
    expect(declined.html).toContain("asks for access");
  });

  it("leads nowhere else", async () => {
    const page = await signInByCode("/account");
    const fields = { next: "https://evil.example/" };
    const html = page.html.replaceAll('name="next"', 'name="other"');
    expect((await browser.send({ ...page, html }, { action: "/account/passkeys/offer", fields })).path).toBe(
      "/account",
    );
  });
});

describe("the passkeys of an account", () => {
  it("are on the account page, which leads to where they are changed", async () => {
    await haveSession();
    expect((await browser.open("/account")).html).toContain('href="/account/passkeys">Add…</a>');
    // The service accepts no such name, and the page doesn't rely on it.
    const passkey = { uuid: randomUUID(), name: "<Blue> key", createdAt: timestampNow() };
    gateway.auth.faults.answers.set("ListPasskeys", { passkeys: [passkey], maxPasskeys: 20 });
    const { html } = await browser.open("/account");
    expect(html).toContain("&lt;Blue&gt; key");
    expect(html).toContain("not used yet");
    expect(html).toContain('href="/account/passkeys">Manage…</a>');
  });

  it("aren't on the account page while the auth service is of a version without them", async () => {
    await haveSession();
    gateway.auth.faults.failures.set("ListPasskeys", new ConnectError("no such method", Code.Unimplemented));
    expect(await browser.open("/account")).toMatchObject({
      status: 200,
      html: expect.not.stringContaining("/account/passkeys"),
    });
  });

  it("change only after a recent sign-in, which a passkey gives too", async () => {
    await gateway.auth.addPasskey("Laptop", user);
    await haveSession({ ageMs: HOUR_MS });
    const page = await browser.open("/account/passkeys");
    expect(page.path).toBe("/sign-in?next=passkeys&again=1");
    expect((await signInByPasskey(page)).path).toBe("/account/passkeys");
  });

  it("are added by a question of this session, with a name", async () => {
    await haveSession();
    const page = await browser.open("/account/passkeys");
    const fields = Object.fromEntries(hiddenFieldsOf(page.html, "/account/passkeys"));
    expect(JSON.parse(await question(page, "/account/passkeys"))).toMatchObject({ user: { name: user } });
    const added = await addPasskey(page, { name: " Blue key " });
    expect(added.path).toBe("/account/passkeys?done=added");
    expect(added.html).toContain("The passkey is added.");
    expect(await passkeysOf()).toMatchObject([{ name: "Blue key" }]);
    await haveSession();
    expect((await browser.post("/account/passkeys/question", fields)).status).toBe(403);
  });

  it("keep a refused name in its field", async () => {
    await haveSession();
    const page = await addPasskey(await browser.open("/account/passkeys"), { name: "a/b" });
    expect([page.status, page.html]).toEqual([422, expect.stringContaining("Choose another name")]);
    expect(page.html).toMatch(
      /id="name" name="name" value="a\/b" aria-describedby="name-hint name-error" aria-invalid/,
    );
    expect(page.html).toContain('<a href="#name">');
  });

  it("keep a refused new name in the field of its passkey, which is open", async () => {
    await haveSession();
    await gateway.auth.addPasskey("Laptop", user);
    await gateway.auth.addPasskey("Phone", user);
    const list = await browser.open("/account/passkeys");
    const field = `name-${Object.fromEntries(hiddenFieldsOf(list.html, "/account/passkeys/rename"))["passkey"]}`;
    const page = await browser.send(list, {
      action: "/account/passkeys/rename",
      fields: { name: "a/b" },
    });
    expect([page.status, page.html]).toEqual([422, expect.stringContaining(`<a href="#${field}">`)]);
    expect(page.html.match(/<details open>.*?<\/details>/gs)).toEqual([
      expect.stringMatching(
        new RegExp(`id="${field}-error">Choose another name.*id="${field}" name="name" value="a/b" aria-inv`, "s"),
      ),
    ]);
  });

  it("are renamed and removed", async () => {
    await haveSession();
    await gateway.auth.addPasskey("My key", user);
    const renamed = await browser.send(await browser.open("/account/passkeys"), {
      action: "/account/passkeys/rename",
      fields: { name: "Red key" },
    });
    expect(renamed.path).toBe("/account/passkeys?done=renamed");
    const refused = await browser.send(renamed, { action: "/account/passkeys/rename", fields: { name: "/" } });
    expect([refused.status, await passkeysOf()]).toMatchObject([422, [{ name: "Red key" }]]);
    for (let time = 0; time < 2; time++) {
      const removed = await browser.send(renamed, { action: "/account/passkeys/remove" });
      expect([removed.path, await passkeysOf()]).toEqual(["/account/passkeys?done=removed", []]);
    }
  });

  it("are no more than the account can have", async () => {
    await haveSession();
    gateway.auth.faults.answers.set("ListPasskeys", { passkeys: [{ name: "My key" }], maxPasskeys: 1 });
    const { html } = await browser.open("/account/passkeys");
    expect(html).toContain("Remove one first");
    expect(html).not.toContain('data-passkey="add"');
  });
});
