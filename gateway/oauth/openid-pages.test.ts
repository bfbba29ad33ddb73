import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sampleClient } from "../../services/auth/testing/sample-application.ts";
import { type AuthGateway, authorizePath, CLIENT_ID, LOGOUT_URI, startAuthGateway } from "../testing/auth-gateway.ts";
import { hiddenFieldsOf, PageBrowser } from "../testing/page-browser.ts";

const AUTHORIZE = authorizePath();
const CHOOSE = authorizePath({ scope: "openid", prompt: "select_account" });
const LOGOUT = `/oauth/logout?${new URLSearchParams({ client_id: CLIENT_ID, post_logout_redirect_uri: LOGOUT_URI, state: "a b" })}`;
const CROSS_SITE = { "sec-fetch-site": "cross-site" };

let gateway: AuthGateway;
let browser: PageBrowser;
/** Somebody new in each test, who hasn't allowed anything before. */
let user: string;
beforeAll(async () => {
  gateway = await startAuthGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  browser = new PageBrowser(gateway.origin);
  gateway.auth.faults.reset();
  user = `${randomUUID()}@example.org`;
});

/** Signs in, a while ago. */
async function signIn(): Promise<void> {
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email: user, ageMs: 60_000 }));
}

/** An ID token of somebody. */
async function idTokenOf(email: string): Promise<string> {
  const { idToken } = await gateway.application.tokens(await gateway.auth.signIn({ email }), { scope: "openid" });
  return idToken;
}

const isSignedIn = () => browser.cookies.has("tidemark-session");

describe("the authorization endpoint", () => {
  it("takes a form too, and leads to the same request by GET (OpenID Connect Core section 3.1.2.1)", async () => {
    const body = new URLSearchParams(AUTHORIZE.split("?")[1]);
    body.append("scope", "openid");
    const request = { method: "POST", body, redirect: "manual", headers: CROSS_SITE } as const;
    const answer = await fetch(`${gateway.origin}/oauth/authorize`, request);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${AUTHORIZE}&scope=openid`]);
    expect([answer.headers.has("set-cookie"), gateway.auth.faults.calls]).toEqual([false, []]);
  });

  it.each([
    [413, "application/x-www-form-urlencoded", `x=${"a".repeat(9_000)}`],
    [415, "application/json", "{}"],
  ])("refuses a form that no address could hold, and other bodies: %i", async (status, type, body) => {
    const answer = await fetch(`${gateway.origin}/oauth/authorize`, {
      method: "POST",
      body,
      redirect: "manual",
      headers: { "content-type": type },
    });
    expect(answer.status).toBe(status);
  });
});

describe("the page of a sign-in", () => {
  it("begins with the address that the application expects", async () => {
    const path = authorizePath({ scope: "openid", login_hint: "alice@example.org" });
    expect((await browser.open(path)).html).toContain('value="alice@example.org"');
  });

  it.each(['"><script>alert(1)</script>', "no address"])("ignores a hint that is none: %j", async (hint) => {
    const path = authorizePath({ scope: "openid", login_hint: hint });
    expect((await browser.open(path)).html).toContain('name="email" value=""');
  });
});

describe("the consent page", () => {
  it("says that the application learns who has signed in, with other scopes or alone", async () => {
    await signIn();
    const { definition } = sampleClient();
    const scopes = definition.scopes.filter(({ required }) => !required);
    const ids = { uuid: randomUUID(), saleUuid: randomUUID() };
    await gateway.auth.application({ ...ids, definition: { ...definition, scopes } });
    for (const [scope, client_id, says, lists] of [
      ["", CLIENT_ID, false, true],
      ["openid", CLIENT_ID, true, true],
      ["openid", ids.uuid, true, false],
    ] as const) {
      const { html } = await browser.open(authorizePath({ scope, client_id }));
      expect([html.includes("It learns that you have signed in"), html.includes('class="scopes"')]).toEqual([
        says,
        lists,
      ]);
    }
  });
});

describe("the page to choose an account", () => {
  it("goes on with the account of the session", async () => {
    await signIn();
    const page = await browser.open(CHOOSE);
    expect(page.html).toContain("Choose an account");
    expect(page.html).toContain(user);
    const next = await browser.send(page, { action: "/oauth/choose-account" });
    expect(next.html).toContain("asks for access");
    expect(gateway.auth.faults.asked("ChooseAccount")[0]).toMatchObject({
      accountUuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it("lets the user sign in with another one", async () => {
    await signIn();
    const page = await browser.open(CHOOSE);
    const next = await browser.send(page, { action: "/sign-out" });
    expect([next.path.split("?")[0], isSignedIn()]).toEqual(["/oauth/continue", false]);
    expect(next.html).toContain("Send me a code");
  });

  it("takes no answer from elsewhere", async () => {
    await signIn();
    const page = await browser.open(CHOOSE);
    const answer = await browser.send(page, { action: "/oauth/choose-account", headers: CROSS_SITE });
    expect([answer.status, gateway.auth.faults.asked("ChooseAccount")]).toEqual([403, []]);
  });

  it("is shown again where another session has begun, and signs in first where it has ended", async () => {
    await signIn();
    const page = await browser.open(CHOOSE);
    await signIn();
    const stale = await browser.send(page, { action: "/oauth/choose-account" });
    expect([stale.status, gateway.auth.faults.asked("ChooseAccount")]).toEqual([422, []]);
    expect(stale.html).toContain("You have signed in or out since this page was shown.");
    expect((await browser.send(stale, { action: "/oauth/choose-account" })).html).toContain("asks for access");
    browser.cookies.delete("tidemark-session");
    const signedOut = await browser.send(page, { action: "/oauth/choose-account" });
    expect([signedOut.path, signedOut.html.includes("Send me a code")]).toEqual([page.path, true]);
  });
});

describe("a sign-out that an application asks for", () => {
  it("asks, signs out, and returns with the state", async () => {
    await signIn();
    const page = await browser.open(LOGOUT);
    expect(isSignedIn()).toBe(true);
    expect(page.html).toContain("Harbour Portal");
    expect(page.html).toContain("app.example");
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https:;");
    expect(page.html).not.toMatch(/type="checkbox"[^>]* checked/);
    const answer = await browser.send(page, { action: "/oauth/logout/confirm" });
    expect([answer.status, answer.leftTo]).toEqual([303, `${LOGOUT_URI}?state=a+b`]);
    expect(isSignedIn()).toBe(false);
    expect(gateway.auth.faults.asked("CompleteLogout")[0]).toMatchObject({
      clientUuid: CLIENT_ID,
      endsClientTokens: false,
      endsAllTokens: false,
    });
  });

  it("ends the access of the application, or of all, where the user ticks it", async () => {
    for (const [name, flag] of [
      ["end_client_tokens", "endsClientTokens"],
      ["end_tokens", "endsAllTokens"],
    ] as const) {
      await signIn();
      const page = await browser.open(LOGOUT);
      const answer = await browser.send(page, { action: "/oauth/logout/confirm", fields: { [name]: "yes" } });
      expect(answer.leftTo).toBe(`${LOGOUT_URI}?state=a+b`);
      expect(gateway.auth.faults.asked("CompleteLogout")[0]).toMatchObject({ [flag]: true });
    }
  });

  it("doesn't say that no application has access where that of one was ended", async () => {
    await signIn();
    const page = await browser.open(`/oauth/logout?client_id=${CLIENT_ID}`);
    const out = await browser.send(page, { action: "/oauth/logout/confirm", fields: { end_client_tokens: "yes" } });
    expect([out.path, isSignedIn()]).toEqual(["/signed-out", false]);
  });

  it("without an application signs out of Tidemark", async () => {
    await signIn();
    const page = await browser.open("/oauth/logout");
    expect(page.html).not.toContain("end_client_tokens");
    const out = await browser.send(page, { action: "/oauth/logout/confirm", fields: { end_tokens: "yes" } });
    expect([out.path, isSignedIn()]).toEqual(["/signed-out?tokens=ended", false]);
    expect(out.html).toContain("No application has access");
  });

  it("says that the application means another account", async () => {
    await signIn();
    expect((await browser.open(LOGOUT)).html).not.toContain("another account");
    const hint = await idTokenOf("somebody-else@example.org");
    expect((await browser.open(`${LOGOUT}&id_token_hint=${hint}`)).html).toContain("means another account");
  });

  it("is no redirect for somebody who isn't signed in, but a link (RFC 9700 section 4.11.2)", async () => {
    const page = await browser.open(LOGOUT);
    expect([page.status, page.leftTo]).toEqual([200, undefined]);
    expect(page.html).toContain("Harbour Portal");
    expect(page.html).not.toContain("asks you to sign out");
    expect(page.html).toContain(`href="${LOGOUT_URI}?state=a+b"`);
  });

  it("never leads to an address that isn't registered, nor links there", async () => {
    await signIn();
    const page = await browser.open(
      `/oauth/logout?client_id=${CLIENT_ID}&post_logout_redirect_uri=https://evil.example/`,
    );
    expect([page.status, page.leftTo, isSignedIn()]).toEqual([400, undefined, true]);
    expect(page.html).not.toContain("evil.example");
    expect(page.html).toContain("invalid_request");
  });

  it("by a form leads to the page, without the ID token in the address", async () => {
    const page = await browser.post("/oauth/logout", {
      id_token_hint: await idTokenOf("alice@example.org"),
      logout_hint: "alice@example.org",
      post_logout_redirect_uri: LOGOUT_URI,
      state: "s",
    });
    const query = new URLSearchParams(page.path.split("?")[1]);
    expect(Object.fromEntries(query)).toEqual({
      post_logout_redirect_uri: LOGOUT_URI,
      state: "s",
      client_id: CLIENT_ID,
    });
  });

  it("by a form with a wrong address is refused at once", async () => {
    const page = await browser.post("/oauth/logout", { post_logout_redirect_uri: "https://evil.example/" });
    expect([page.status, page.path]).toEqual([400, "/oauth/logout"]);
  });

  it("isn't confirmed from elsewhere, nor with a page of another session (CSRF)", async () => {
    await signIn();
    const page = await browser.open(LOGOUT);
    const forged = await browser.send(page, { action: "/oauth/logout/confirm", headers: CROSS_SITE });
    expect(forged.status).toBe(403);
    await signIn();
    const stale = await browser.send(page, { action: "/oauth/logout/confirm" });
    expect(stale.status).toBe(403);
    expect(gateway.auth.faults.asked("CompleteLogout")).toEqual([]);
    const [, link = ""] = /href="(\/oauth\/logout\?[^"]+)">Show it again</.exec(stale.html) ?? [];
    const again = await browser.open(link.replaceAll("&amp;", "&"));
    expect((await browser.send(again, { action: "/oauth/logout/confirm" })).leftTo).toBe(`${LOGOUT_URI}?state=a+b`);
  });

  it("goes on to the application after a sign-out in another tab, and by a second click", async () => {
    await signIn();
    const page = await browser.open(LOGOUT);
    await browser.send(await browser.open("/account"), { action: "/sign-out" });
    for (let click = 0; click < 2; click++) {
      const answer = await browser.send(page, { action: "/oauth/logout/confirm" });
      expect([answer.status, answer.leftTo]).toEqual([303, `${LOGOUT_URI}?state=a+b`]);
    }
    const plain = hiddenFieldsOf(page.html, "/oauth/logout/confirm");
    const elsewhere = { ...Object.fromEntries(plain), post_logout_redirect_uri: "https://evil.example/" };
    const refused = await browser.post("/oauth/logout/confirm", elsewhere);
    expect([refused.status, refused.leftTo]).toEqual([400, undefined]);
    const forged = await browser.send(page, { action: "/oauth/logout/confirm", headers: CROSS_SITE });
    expect([forged.status, forged.leftTo]).toEqual([403, undefined]);
  });

  it.each(["end_client_tokens", "end_tokens"])(
    "says that access wasn't ended where the session had: %s",
    async (name) => {
      await signIn();
      const page = await browser.open(LOGOUT);
      await browser.send(await browser.open("/account"), { action: "/sign-out" });
      const out = await browser.send(page, { action: "/oauth/logout/confirm", fields: { [name]: "yes" } });
      expect([out.leftTo, out.path]).toEqual([undefined, "/signed-out?tokens=kept"]);
      expect(out.html).toContain("otherwise applications still have it");
    },
  );

  it("refuses fields that the page can't have sent", async () => {
    await signIn();
    const page = await browser.open(LOGOUT);
    gateway.auth.faults.failures.set("CompleteLogout", new ConnectError("state is too long", Code.InvalidArgument));
    const answer = await browser.send(page, { action: "/oauth/logout/confirm" });
    gateway.auth.faults.failures.clear();
    expect([answer.status, isSignedIn()]).toEqual([400, true]);
  });

  it("speaks the language that the application asks for, until the user switches", async () => {
    await signIn();
    const page = await browser.open(`${LOGOUT}&ui_locales=de`);
    expect(page.html).toContain("Abmelden?");
    expect(page.path).not.toContain("ui_locales");
  });
});
