import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sampleClient } from "../../services/auth/testing/sample-application.ts";
import { type AuthGateway, authorizePath, CALLBACK, CLIENT_ID, startAuthGateway } from "../testing/auth-gateway.ts";
import { hiddenFieldsOf, PageBrowser, type ShownPage } from "../testing/page-browser.ts";

const AUTHORIZE = authorizePath();
const LED_BACK = new RegExp(`^${CALLBACK}\\?code=[\\w-]{43}&`);

let gateway: AuthGateway;
let browser: PageBrowser;
/** Somebody new in each test, who hasn't allowed anything before. */
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

const enterEmail = (page: ShownPage, email = user) => browser.send(page, { action: "/sign-in", fields: { email } });
const enterCode = (page: ShownPage, code = gateway.auth.mailedCode()) =>
  browser.send(page, { action: "/sign-in/code", fields: { code } });

/** Signs in on the page of an authorization. */
async function signIn(page: ShownPage, email?: string): Promise<ShownPage> {
  return enterCode(await enterEmail(page, email));
}

async function consentPage(): Promise<ShownPage> {
  return signIn(await browser.open(AUTHORIZE));
}

const consent = (page: ShownPage, decision: string, fields: Record<string, string> = {}) =>
  browser.send(page, { action: "/oauth/consent", fields: { decision, ...fields } });

describe("an authorization", () => {
  it("signs in, asks, and returns to the application", async () => {
    const page = await consentPage();
    expect(page.path).toMatch(/^\/oauth\/continue\?authorization=[\w-]{43}$/);
    const answer = await consent(page, "allow");
    expect([answer.status, answer.leftTo]).toStrictEqual([303, expect.stringMatching(LED_BACK)]);
    expect(gateway.auth.faults.asked("DecideConsent")[0]).toMatchObject({
      approve: true,
      scopes: ["read_entities", "sale_eligibility_check"],
      accountUuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("passes on optional scopes that are ticked, and a cancel", async () => {
    const page = await consentPage();
    await consent(page, "cancel", { scope: "contact_email" });
    expect(gateway.auth.faults.asked("DecideConsent")[0]).toMatchObject({
      approve: false,
      scopes: ["read_entities", "sale_eligibility_check", "contact_email"],
    });
  });

  it("passes parameters on in their order, doubled ones twice", async () => {
    await browser.open("/oauth/authorize?state=a%20b&client_id=x&state=");
    expect(gateway.auth.faults.asked("BeginAuthorization")[0]).toMatchObject({
      parameters: [
        { name: "state", value: "a b" },
        { name: "client_id", value: "x" },
        { name: "state", value: "" },
      ],
    });
  });

  it("shows consent at once to who is signed in, and the decision only once", async () => {
    const first = await consentPage();
    const second = await browser.open(AUTHORIZE);
    await consent(first, "allow");
    expect(second.html).toContain("asks for access");
    const answered = await consent(first, "allow");
    expect([answered.status, answered.html]).toStrictEqual([400, expect.stringContaining("You have already answered")]);
    expect((await consent(second, "allow")).leftTo).toContain("code=");
  });

  it("has the way on where its answer was sent twice: a link begins the request again, and the application gets a code", async () => {
    const page = await consentPage();
    await consent(page, "allow");
    const answered = await consent(page, "allow");
    // It has an address of its own, which a reload asks for without the form.
    expect(answered.path).toBe(page.path);
    const [, link = ""] = /<a class="button primary" href="([^"]+)">Go on to app.example</.exec(answered.html) ?? [];
    const stranger = new PageBrowser(gateway.origin);
    await stranger.open(AUTHORIZE);
    const address = link.replaceAll("&amp;", "&");
    expect((await stranger.open(address)).html).toContain("This belongs to another browser");
    expect((await browser.open(address)).leftTo).toMatch(LED_BACK);
  });

  it("asks again in the way on after a cancel, at an address of its own", async () => {
    const page = await consentPage();
    await consent(page, "cancel");
    const [, handle = ""] = page.path.split("=");
    const again = await browser.open(`/oauth/continue?authorization=${handle}&again=1`);
    expect(again.path).toMatch(/^\/oauth\/continue\?authorization=[\w-]{43}$/);
    expect([again.path === page.path, again.html.includes("asks for access")]).toStrictEqual([false, true]);
    expect((await consent(again, "allow")).leftTo).toMatch(LED_BACK);
  });

  it("goes on in two tabs", async () => {
    const first = await enterEmail(await browser.open(AUTHORIZE));
    const second = await enterEmail(await browser.open(AUTHORIZE));
    const inFirst = await enterCode(first);
    // The same code completes both sign-ins. Once it has, the second tab goes on with the first one's session.
    const inSecond = await enterCode(second);
    expect([inFirst.path, inSecond.path]).toStrictEqual(new Array(2).fill(expect.stringContaining("/oauth/continue?")));
    expect((await consent(inSecond, "allow")).leftTo).toContain("code=");
    expect((await consent(inFirst, "allow")).leftTo).toContain("code=");
  });

  it("shows its page anew where the session was renewed in another tab", async () => {
    const inFirst = await consentPage();
    // The session is renewed in another tab, so that the first one's page is out of date, and is shown anew.
    browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email: user }));
    const inSecond = await browser.open(AUTHORIZE);
    const stale = await consent(inFirst, "allow");
    expect([stale.status, stale.path]).toStrictEqual([422, expect.stringContaining(inFirst.path)]);
    expect(stale.html).toContain("You have signed in or out since this page was shown.");
    expect((await consent(inSecond, "allow")).leftTo).toContain("code=");
    expect((await consent(stale, "allow")).leftTo).toContain("code=");
  });

  it("sends no code to who has signed in in another tab", async () => {
    const [first, second] = [await browser.open(AUTHORIZE), await browser.open(AUTHORIZE)];
    const code = await enterEmail(first);
    await enterCode(code);
    expect((await enterEmail(second)).html).toContain("asks for access");
    const { sign_in = "" } = Object.fromEntries(hiddenFieldsOf(code.html, "/sign-in/code"));
    const { authorization = "" } = Object.fromEntries(hiddenFieldsOf(second.html, "/sign-in"));
    const late = await browser.open(`/sign-in/code?${new URLSearchParams({ sign_in, authorization })}`);
    expect(late.html).toContain("asks for access");
    expect(gateway.auth.faults.asked("BeginSignIn")).toHaveLength(1);
  });

  it("goes on with another account", async () => {
    const [page, other] = [await consentPage(), `${randomUUID()}@example.org`];
    const signedOut = await browser.send(page, { action: "/sign-out" });
    expect(signedOut.html).toContain("E-mail address");
    expect((await signIn(signedOut, other)).html).toContain(other);
  });

  it("keeps to the browser in which it began", async () => {
    const { path } = await browser.open(AUTHORIZE);
    const other = new PageBrowser(gateway.origin);
    expect((await other.open(path)).html).toContain("didn’t send our cookie");
    await other.open("/sign-in");
    expect((await other.open(path)).html).toContain("another browser");
  });

  it("escapes what others named", async () => {
    const { uuid, definition } = sampleClient({ uuid: randomUUID() });
    const hostile = { ...definition, name: `<script>alert("1")</script>`, redirectUris: [`https://app.example/<b>"`] };
    await gateway.auth.application({ uuid, saleUuid: randomUUID(), saleName: `"><img src=x>`, definition: hostile });
    const page = await signIn(await browser.open(authorizePath({ client_id: uuid, redirect_uri: "" })));
    expect(page.html).not.toMatch(/<script>|<img src=x|<b>/);
    expect(page.html).toContain("&lt;script&gt;");
  });
});

describe("errors of an authorization", () => {
  it("show a page that leads nowhere where the client isn't known", async () => {
    const page = await browser.open("/oauth/authorize?client_id=x&redirect_uri=https://evil.example");
    expect([page.status, page.leftTo]).toStrictEqual([400, undefined]);
    expect(page.html).not.toContain("evil.example");
  });

  it("show a page with a link onward where it is", async () => {
    const page = await browser.open(`/oauth/authorize?client_id=${CLIENT_ID}`);
    expect(page.status).toBe(400);
    expect(page.html).toContain("Harbour Portal");
    expect(page.html).toMatch(
      /href="https:\/\/app\.example\/callback\?error=invalid_request&amp;[^"]*iss=[^"]*" rel="noreferrer"/,
    );
  });

  it("name the application and lead back to it where its user took too long", async () => {
    const { path } = await browser.open(AUTHORIZE);
    gateway.auth.time.advance(31 * 60_000);
    const page = await browser.open(path);
    gateway.auth.time.advance(-31 * 60_000);
    expect([page.status, page.leftTo]).toStrictEqual([400, undefined]);
    expect(page.html).toContain("Harbour Portal");
    expect(page.html).toContain("You began more than half an hour ago.");
    expect(page.html).toMatch(
      /href="https:\/\/app\.example\/callback\?error=access_denied[^"]*"[^>]*>Back to app\.example</,
    );
  });

  it.each([
    ["too many parameters", `/oauth/authorize?${"a=b&".repeat(65)}`, 400],
    ["a value that is too long", `/oauth/authorize?state=${"x".repeat(8193)}`, 400],
    ["an unknown handle", "/oauth/continue?authorization=x", 400],
    ["a handle that is too long", `/oauth/continue?authorization=${"x".repeat(65)}`, 400],
  ])("meet %s with a page", async (_, path, status) => {
    await browser.open("/sign-in");
    const page = await browser.open(path);
    expect([page.status, page.headers.get("content-type")]).toStrictEqual([status, "text/html; charset=UTF-8"]);
  });

  it.each([
    [Code.ResourceExhausted, 429, "120"],
    [Code.Unavailable, 503, "1"],
    [Code.Internal, 500, null],
  ])("meet a call that failed with code %s with a page", async (code, status, retryAfter) => {
    gateway.auth.faults.failure = new ConnectError("inside", code, { "retry-after": "120" });
    const page = await browser.open(AUTHORIZE);
    expect([page.status, page.headers.get("retry-after")]).toStrictEqual([status, retryAfter]);
    expect(page.html).not.toContain("inside");
  });
});

describe("the consent form", () => {
  it.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a sibling site", { "sec-fetch-site": "same-site" }],
    ["a typed address", { "sec-fetch-site": "none" }],
    ["another origin", { origin: "https://evil.example" }],
    ["an opaque origin", { origin: "null" }],
    ["nobody knows where", {}],
  ])("is refused from %s", async (_, headers: Record<string, string>) => {
    const page = await consentPage();
    const answer = await browser.send(page, { action: "/oauth/consent", fields: { decision: "allow" }, headers });
    expect(answer.status).toBe(403);
    expect(gateway.auth.faults.asked("DecideConsent")).toStrictEqual([]);
  });

  it("is taken by our exact origin from a browser without Sec-Fetch-Site", async () => {
    const page = await consentPage();
    const headers = { origin: "http://localhost:8080" };
    const answer = await browser.send(page, { action: "/oauth/consent", fields: { decision: "allow" }, headers });
    expect(answer.leftTo).toContain("code=");
  });

  it.each([
    ["no token", { form_token: "" }],
    ["another form's token", "other form"],
    ["no decision", { decision: "" }],
    ["a doubled handle", { authorization: "authorization-1" }],
    ["33 scopes", "many scopes"],
  ])("is refused with %s", async (_, change) => {
    const page = await consentPage();
    const fields = new URLSearchParams([...hiddenFieldsOf(page.html, "/oauth/consent"), ["decision", "allow"]]);
    if (change === "other form") {
      fields.set("form_token", hiddenFieldsOf(page.html, "/sign-out")[0]?.[1] ?? "");
    } else if (change === "many scopes") for (let i = 0; i < 32; i++) fields.append("scope", "x");
    else if (typeof change === "object" && "authorization" in change)
      fields.append("authorization", change.authorization);
    else for (const [name, value] of Object.entries(change)) fields.set(name, value);
    const html = `action="/raw"${[...fields].map(([n, v]) => `<input type="hidden" name="${n}" value="${v}">`).join("")}</form>`;
    const answer = await browser.send(
      { ...page, html: html.replace("/raw", "/oauth/consent") },
      { action: "/oauth/consent" },
    );
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(gateway.auth.faults.asked("DecideConsent")).toStrictEqual([]);
  });

  it("signs in and comes back once the session has gone; a cancel needs none", async () => {
    const page = await consentPage();
    browser.cookies.delete("tidemark-session");
    const signedOut = await consent(page, "allow");
    expect(signedOut.html).toContain("Send me a code");
    expect(gateway.auth.faults.asked("DecideConsent")).toStrictEqual([]);
    const back = await signIn(signedOut);
    expect([back.path, back.html.includes("asks for access")]).toStrictEqual([page.path, true]);
    browser.cookies.delete("tidemark-session");
    expect((await consent(page, "cancel")).leftTo).toContain("error=access_denied");
  });

  it("shows what the auth service refuses", async () => {
    const page = await consentPage();
    const refusal = new ConnectError("read_entities is required", Code.InvalidArgument);
    gateway.auth.faults.failures.set("DecideConsent", refusal);
    const answer = await consent(page, "allow");
    const text = expect.stringContaining("asks for something else by now");
    expect([answer.status, answer.html]).toStrictEqual([422, text]);
    gateway.auth.faults.reset();
    expect((await consent(answer, "allow")).leftTo).toMatch(LED_BACK);
  });
});

describe("pages", () => {
  it("may not be stored, framed or scripted, and let forms lead on to the application only by https", async () => {
    const { headers, html } = await consentPage();
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self' https:; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(html).not.toMatch(/<script(?! type="module" src="\/assets\/)|<style|\sstyle=|\son[a-z]+=/i);
  });

  it("let forms lead on by http to loopback, and other pages nowhere else", async () => {
    const redirectUris = ["http://localhost:3000/callback"];
    const { uuid, definition } = sampleClient({ uuid: randomUUID() });
    await gateway.auth.application({ uuid, saleUuid: randomUUID(), definition: { ...definition, redirectUris } });
    const page = await browser.open(authorizePath({ client_id: uuid, redirect_uri: "" }));
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https: http:;");
    expect((await browser.open("/sign-in")).headers.get("content-security-policy")).toContain("form-action 'self';");
  });

  it("have cookies with a prefix on https, and without on loopback", async () => {
    await browser.open("/sign-in");
    expect([...browser.cookies.keys()]).toStrictEqual(["tidemark-browser"]);
    const secure = await startAuthGateway({ AUTH_URL: "https://auth.example" });
    const answer = await fetch(`${secure.origin}/sign-in`);
    await secure.stop();
    expect(answer.headers.getSetCookie()).toStrictEqual([
      expect.stringMatching(
        /^__Host-tidemark-browser=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  it.each(["GET", "PUT", "DELETE"])("answer %s of a form's address with 405", async (method) => {
    const answer = await fetch(`${gateway.origin}/oauth/consent`, { method });
    expect([answer.status, answer.headers.get("allow")]).toStrictEqual([405, "POST"]);
  });
});

describe("files", () => {
  it("are kept for ever, and logos sandboxed", async () => {
    const page = await consentPage();
    const paths = [...page.html.matchAll(/"(\/(?:assets|logos)\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThanOrEqual(4);
    for (const path of new Set(paths)) {
      const answer = await fetch(gateway.origin + path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      if (!path.startsWith("/logos/")) continue;
      expect(answer.headers.get("content-type")).toBe("image/png");
      expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    }
  });

  it.each(["/assets/x.css", "/assets/", "/logos/x", `/logos/${"0".repeat(64)}`, "/assets/../../package.json"])(
    "know nothing of %s",
    async (path) => expect((await fetch(gateway.origin + path)).status).toBe(404),
  );
});
