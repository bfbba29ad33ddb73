import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AuthenticationMethod, PasskeyResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { KNOWN_BROWSER, RIGHT_CODE } from "../../testing/fake-accounts.ts";
import { CLIENT_ID } from "../../testing/fake-auth.ts";
import { type FakeAuthGateway, startFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { RIGHT_CREDENTIAL } from "../../testing/fake-passkeys.ts";
import { hiddenFieldsOf, PageBrowser, type ShownPage } from "../../testing/page-browser.ts";

const AUTHORIZE = `/oauth/authorize?client_id=${CLIENT_ID}&code_challenge=c`;
const HOUR_MS = 3_600_000;

let gateway: FakeAuthGateway;
let browser: PageBrowser;
beforeEach(async () => {
  gateway = await startFakeAuthGateway();
  browser = new PageBrowser(gateway.origin);
});
afterEach(() => gateway.stop());

const own = () => gateway.fake.accounts.passkeys;

function haveSession(ageMs = 0): void {
  browser.cookies.set(
    "tidemark-session",
    gateway.fake.accounts.addSession({ ageMs, authenticatedBy: AuthenticationMethod.PASSKEY }),
  );
}

const signInByPasskey = (page: ShownPage, credential: string) =>
  browser.send(page, { action: "/sign-in/passkey", fields: { credential } });

const addPasskey = (page: ShownPage, fields: Readonly<Record<string, string>> = {}) =>
  browser.send(page, { action: "/account/passkeys", fields: { credential: RIGHT_CREDENTIAL, ...fields } });

/** Signs in by a code, as a browser whose device could keep a passkey. */
async function signInByCode(path: string): Promise<ShownPage> {
  const fields = { email: "alice@example.org" };
  const codePage = await browser.send(await browser.open(path), { action: "/sign-in", fields });
  return browser.send(codePage, { action: "/sign-in/code", fields: { code: RIGHT_CODE, passkeys: "possible" } });
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
    expect([answer.headers.get("content-type"), answer.html]).toEqual([
      "application/json",
      `{"challenge":"c2lnbi1pbg"}`,
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const browserToken = browser.cookies.get("tidemark-browser");
    expect(gateway.fake.asked("BeginPasskeySignIn")).toMatchObject([{ browserToken }]);
    expect((await new PageBrowser(gateway.origin).post("/sign-in/passkey/question", fields)).status).toBe(400);
  });

  it("starts the session and leads to the account", async () => {
    haveSession(HOUR_MS);
    const previousSessionToken = browser.cookies.get("tidemark-session");
    const page = await signInByPasskey(await browser.open("/sign-in?next=data&again=1"), RIGHT_CREDENTIAL);
    expect([page.status, page.path]).toEqual([200, "/account/data"]);
    expect(browser.cookies.get("tidemark-known")).toBe(KNOWN_BROWSER);
    expect(gateway.fake.asked("CompletePasskeySignIn")).toMatchObject([
      { credentialJson: RIGHT_CREDENTIAL, previousSessionToken },
    ]);
  });

  it("is told apart in the list of sessions", async () => {
    const tag = '<span class="tag">By passkey</span>';
    browser.cookies.set("tidemark-session", gateway.fake.accounts.addSession({}));
    expect((await browser.open("/account")).html).not.toContain(tag);
    await signInByPasskey(await browser.open("/sign-in"), RIGHT_CREDENTIAL);
    expect((await browser.open("/account")).html).toContain(tag);
  });

  it("goes on with the authorization that it is for", async () => {
    const page = await signInByPasskey(await browser.open(AUTHORIZE), RIGHT_CREDENTIAL);
    expect([page.status, page.path]).toEqual([200, "/oauth/continue?authorization=authorization-1"]);
    expect(page.html).toContain("asks for access");
  });

  it.each([
    [PasskeyResult.REFUSED, "wasn’t accepted. Try again"],
    [PasskeyResult.QUESTION_OVER, "took too long"],
    [PasskeyResult.UNKNOWN, "No account has this passkey"],
    [PasskeyResult.COPY_SUSPECTED, "there may be a copy"],
  ])("says why a passkey wasn't accepted: %s", async (result, text) => {
    own().refusal = result;
    for (const path of ["/sign-in", AUTHORIZE]) {
      const page = await signInByPasskey(await browser.open(path), "wrong");
      expect([page.status, page.html]).toEqual([422, expect.stringContaining(text)]);
      expect(page.html).toContain('<div class="summary" role="alert"');
      expect(page.html).not.toContain("email-error");
      expect((await signInByPasskey(page, RIGHT_CREDENTIAL)).status).toBe(200);
      browser.cookies.delete("tidemark-session");
    }
  });

  it("isn't there where AUTH_URL is an IP address, to which no passkey can belong", async () => {
    await gateway.stop();
    gateway = await startFakeAuthGateway({ AUTH_URL: "http://127.0.0.1:8080" });
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
    expect([page.status, page.path]).toEqual([200, "/account/passkeys/offer?authorization=authorization-1"]);
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https:;");
    const added = await addPasskey(page);
    expect(added.path).toBe("/oauth/continue?authorization=authorization-1");
    expect(added.html).toContain("asks for access");
    expect(own().passkeys).toHaveLength(1);
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
    own().add("My key");
    expect((await signInByCode("/account")).path).toBe("/account");
    own().passkeys = [];
    browser.cookies.delete("tidemark-session");
    const fields = { email: "alice@example.org" };
    const codePage = await browser.send(await browser.open("/sign-in"), { action: "/sign-in", fields });
    const page = await browser.send(codePage, { action: "/sign-in/code", fields: { code: RIGHT_CODE } });
    expect(page.path).toBe("/account");
  });

  it("says what went wrong, and still leads on", async () => {
    const page = await addPasskey(await signInByCode(AUTHORIZE), { credential: "wrong" });
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
    haveSession();
    expect((await browser.open("/account")).html).toContain('href="/account/passkeys">Add…</a>');
    own().add("<Blue> key");
    const { html } = await browser.open("/account");
    expect(html).toContain("&lt;Blue&gt; key");
    expect(html).toContain("not used yet");
    expect(html).toContain('href="/account/passkeys">Manage…</a>');
  });

  it("aren't on the account page while the auth service is of a version without them", async () => {
    haveSession();
    gateway.fake.failures.set("ListPasskeys", new ConnectError("no such method", Code.Unimplemented));
    expect(await browser.open("/account")).toMatchObject({
      status: 200,
      html: expect.not.stringContaining("/account/passkeys"),
    });
  });

  it("change only after a recent sign-in, which a passkey gives too", async () => {
    haveSession(HOUR_MS);
    const page = await browser.open("/account/passkeys");
    expect(page.path).toBe("/sign-in?next=passkeys&again=1");
    expect((await signInByPasskey(page, RIGHT_CREDENTIAL)).path).toBe("/account/passkeys");
  });

  it("are added by a question of this session, with a name", async () => {
    haveSession();
    const page = await browser.open("/account/passkeys");
    const fields = Object.fromEntries(hiddenFieldsOf(page.html, "/account/passkeys"));
    expect((await browser.post("/account/passkeys/question", fields)).html).toBe(`{"challenge":"YWRk"}`);
    const added = await addPasskey(page, { name: " Blue key " });
    expect(added.path).toBe("/account/passkeys?done=added");
    expect(added.html).toContain("The passkey is added.");
    expect(own().passkeys).toMatchObject([{ name: "Blue key" }]);
    haveSession();
    expect((await browser.post("/account/passkeys/question", fields)).status).toBe(403);
  });

  it("keep a refused name in its field", async () => {
    haveSession();
    const page = await addPasskey(await browser.open("/account/passkeys"), { name: "a/b" });
    expect([page.status, page.html]).toEqual([422, expect.stringContaining("Choose another name")]);
    expect(page.html).toMatch(
      /id="name" name="name" value="a\/b" aria-describedby="name-hint name-error" aria-invalid/,
    );
    expect(page.html).toContain('<a href="#name">');
  });

  it("keep a refused new name in the field of its passkey, which is open", async () => {
    haveSession();
    own().add("Laptop");
    own().add("Phone");
    const field = `name-${own().passkeys[0]?.uuid}`;
    const page = await browser.send(await browser.open("/account/passkeys"), {
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
    haveSession();
    own().add("My key");
    const renamed = await browser.send(await browser.open("/account/passkeys"), {
      action: "/account/passkeys/rename",
      fields: { name: "Red key" },
    });
    expect(renamed.path).toBe("/account/passkeys?done=renamed");
    const refused = await browser.send(renamed, { action: "/account/passkeys/rename", fields: { name: "/" } });
    expect([refused.status, own().passkeys[0]?.name]).toEqual([422, "Red key"]);
    for (let time = 0; time < 2; time++) {
      const removed = await browser.send(renamed, { action: "/account/passkeys/remove" });
      expect([removed.path, own().passkeys]).toEqual(["/account/passkeys?done=removed", []]);
    }
  });

  it("are no more than the account can have", async () => {
    haveSession();
    own().maxPasskeys = 1;
    own().add("My key");
    const { html } = await browser.open("/account/passkeys");
    expect(html).toContain("Remove one first");
    expect(html).not.toContain('data-passkey="add"');
  });
});
