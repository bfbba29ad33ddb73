import { beforeAll, expect, it } from "vitest";
import type { ShownPage } from "../../../../gateway/testing/page-browser.ts";
import { exchange } from "../../../../gateway/testing/raw-connection.ts";
import { AUTH_PATHS } from "../../../../gateway/web/sessions/auth-paths.ts";
import { sampleDefinition } from "../../../../services/auth/testing/sample-application.ts";
import { answerOf, CONSENT, type WebApplication } from "../../../support/applications/web-application.ts";
import { type AuthWeb, describeAuthWeb, newEmail, type WebUser } from "../../../support/pages/auth-web.ts";
import { sendTampered } from "../../../support/pages/tampered-form.ts";
import { ISSUER } from "../../../support/processes/auth-fixture.ts";

const HTML = `"><img src=x onerror=alert(1)><script>alert(2)</script>'`;
const MARKUP = /<img src=x|<script>/i;
/** The only script that a page may have: a file of ours, which knows no name. */
const OWN_SCRIPT = /<script type="module" src="\/assets\/[0-9a-f]{16}\.js"><\/script>/g;
const HEADER = "a\r\nX-Evil: 1\r\n\r\n<html>";
const EVIL = "https://evil.example/";

type Open = (web: AuthWeb, user: WebUser, application: WebApplication) => Promise<ShownPage>;

/** Every page that can be reached, each with the way to it. */
const PAGES: Readonly<Record<string, Open>> = {
  "sign-in": (web) => web.browser().open("/sign-in"),
  "sign-in for an application": (web, _, application) => application.authorize(web.browser()),
  "code entry": (web) => codePage(web),
  "wrong code": async (web) => {
    const browser = web.browser();
    const start = await browser.open("/sign-in");
    const page = await browser.send(start, { action: "/sign-in", fields: { email: newEmail() } });
    return browser.send(page, { action: "/sign-in/code", fields: { code: HTML } });
  },
  "no address": async (web) => {
    const browser = web.browser();
    return browser.send(await browser.open("/sign-in"), { action: "/sign-in", fields: { email: HTML } });
  },
  consent: (_, { browser }, application) => application.authorize(browser, { prompt: "consent" }),
  "an answer that was tampered with": async (_, { browser }, application) => {
    const page = await application.authorize(browser, { prompt: "consent" });
    return browser.send(page, { action: CONSENT, fields: { decision: HTML } });
  },
  "a forged form": async (_, { browser }) => {
    const page = await browser.open("/account");
    return browser.send(page, { action: "/sign-out", headers: { "sec-fetch-site": "cross-site" } });
  },
  "an unknown client": (web) => web.browser().open(`/oauth/authorize?client_id=${encodeURIComponent(HTML)}`),
  "an error before it leaves": (web, _, application) => application.authorize(web.browser(), { scope: HTML }),
  "too many parameters": (web) => web.browser().open(`/oauth/authorize?${"a=b&".repeat(70)}`),
  "an unknown authorization": (_, { browser }) =>
    browser.open(`/oauth/continue?authorization=${encodeURIComponent(HTML)}`),
  "a form's address": (web) => web.browser().open("/oauth/consent"),
  account: (_, { browser }) => browser.open(`/account?done=${encodeURIComponent(HTML)}`),
  passkeys: (_, { browser }) => browser.open(`/account/passkeys?done=${encodeURIComponent(HTML)}`),
  "a refused name of a passkey": async (_, { browser }) =>
    browser.send(await browser.open("/account/passkeys"), {
      action: "/account/passkeys",
      fields: { name: HTML, credential: HTML },
    }),
  "the offer of a passkey": (_, { browser }) =>
    browser.open(`/account/passkeys/offer?authorization=${encodeURIComponent(HTML)}`),
  "a refused passkey": async (web) => {
    const browser = web.browser();
    return browser.send(await browser.open("/sign-in"), { action: "/sign-in/passkey", fields: { credential: HTML } });
  },
  "another address": (_, { browser }) => browser.open("/account/email"),
  "the person's data": (_, { browser }) => browser.open("/account/data"),
  deletion: (_, { browser }) => browser.open("/account/delete"),
  "the choice of an account": (_, { browser }, application) =>
    application.authorize(browser, { prompt: "select_account", login_hint: HTML }),
  "a sign-in with a hint": (web, _, application) => application.authorize(web.browser(), { login_hint: HTML }),
  "a sign-out for an application": (_, { browser }, { client }) => browser.open(logoutPath({ client_id: client.uuid })),
  "a sign-out that is refused": (_, { browser }) =>
    browser.open(logoutPath({ id_token_hint: HTML, state: HTML, client_id: HTML })),
  "a sign-out of nobody": (web, _, { client }) => web.browser().open(logoutPath({ client_id: client.uuid })),
  "signed out": (web) => web.browser().open("/signed-out"),
};

/** Pages with the script that asks for passkeys. */
const SCRIPTED: ReadonlySet<string> = new Set([
  "sign-in",
  "sign-in for an application",
  "a sign-in with a hint",
  "code entry",
  "wrong code",
  "no address",
  "passkeys",
  "a refused name of a passkey",
  "the offer of a passkey",
  "a refused passkey",
]);

function logoutPath(sent: Readonly<Record<string, string>>): string {
  return `${AUTH_PATHS.logout}?${new URLSearchParams(sent)}`;
}

describeAuthWeb("every page", (web) => {
  let user: WebUser;
  let application: WebApplication;
  beforeAll(async () => {
    user = await web().user();
    const definition = sampleDefinition({ name: `Portal ${HTML}` });
    application = await web().application({ saleName: `Sale ${HTML}`, definition });
    await application.code(user.browser);
    // Another session of the user, in a browser with a hostile name.
    const { accounts } = web().service.as("gateway");
    const browserToken = "b".repeat(43);
    // Mails of the same millisecond have no order.
    web().service.time.advance(1);
    const peer = { address: "192.0.2.7", userAgent: HTML };
    const { signInHandle } = await accounts.beginSignIn({ email: user.email, browserToken, peer });
    const code = await web().mailedCode(user.email);
    const { sessionToken } = await accounts.completeSignIn({ signInHandle, browserToken, code, peer });
    expect(sessionToken).not.toBe("");
  });

  it.each(Object.entries(PAGES))(
    "can't be framed, stored, sniffed or scripted, and names itself to no other site: %s (RFC 9700 4.2.4, 4.16)",
    async (name, open) => {
      const { headers, html } = await open(web(), user, application);
      const policy = (headers.get("content-security-policy") ?? "").split("; ");
      expect(policy).toEqual(
        expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "style-src 'self'"]),
      );
      expect(headers.get("content-security-policy")).not.toMatch(/unsafe|\*/);
      const scripts = policy.filter((directive) => /^(script|connect)-src/.test(directive));
      expect(scripts).toEqual(["script-src 'self'", ...(SCRIPTED.has(name) ? ["connect-src 'self'"] : [])]);
      expect(html.match(OWN_SCRIPT)).toHaveLength(SCRIPTED.has(name) ? 2 : 1);
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("content-type")).toMatch(/^text\/html; charset=utf-8$/i);
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(withoutValues(html.replace(OWN_SCRIPT, ""))).not.toMatch(/<script|<style|<iframe|<[^>]+\s(on\w+|style)=/i);
    },
  );

  it.each(Object.entries(PAGES))("shows names and what was entered as text: %s (OWASP ASVS 5.3.3)", async (_, open) => {
    const { html } = await open(web(), user, application);
    expect(html).not.toMatch(MARKUP);
    expect(html).not.toContain(HTML);
  });

  it("shows the hostile names, so that the test above proves something", async () => {
    const consent = await application.authorize(user.browser, { prompt: "consent" });
    expect(consent.html.match(/&lt;script&gt;alert\(2\)/g)?.length).toBeGreaterThan(1);
    expect((await user.browser.open("/account")).html).toContain("&lt;script&gt;");
  });

  it("doesn't include the file of a person's data, which is downloaded and never shown (OWASP ASVS 3.2.1)", async () => {
    const { headers, html: text } = await user.browser.open("/account/data.json");
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    const { Account, Sessions, Applications } = JSON.parse(text);
    expect(Account.Email).toBe(user.email);
    expect(Sessions.map(({ Browser }: { Browser: string }) => Browser)).toContain(HTML);
    expect(Applications).toMatchObject([{ Name: `Portal ${HTML}` }]);
  });

  it("keeps names out of the mails' markup and headers (RFC 5322 2.2)", async () => {
    const hostile = await web().application({
      definition: sampleDefinition({ name: `Portal ${HTML}\r\nBcc: victim@example.com` }),
    });
    const [browser, email] = [web().browser(), newEmail()];
    await browser.send(await hostile.authorize(browser), { action: "/sign-in", fields: { email } });
    const mail = (await web().service.mails()).findLast((text) => text.includes(`\nTo: ${email}\n`)) ?? "";
    expect(mail).toContain("Portal");
    expect(mail).not.toMatch(/^bcc:/im);
    expect(mail.slice(mail.indexOf("text/html"))).not.toMatch(MARKUP);
  });
});

describeAuthWeb("a redirect", (web) => {
  it.each([
    ["a URL", EVIL],
    ["a URL without scheme", "//evil.example/"],
    ["a URL with backslashes", "/\\evil.example/"],
    ["a script", "javascript:alert(1)"],
    ["a path", "/account/delete"],
    ["a name of objects", "__proto__"],
    ["a header", HEADER],
  ])("after sign-in never goes to %s (RFC 9700 4.11)", async (_, next) => {
    const [browser, email] = [web().browser(), newEmail()];
    const query = new URLSearchParams({ next, return_to: next, redirect_uri: next });
    const start = await browser.open(`/sign-in?${query}`);
    const code = await browser.send(start, { action: "/sign-in", fields: { email } });
    const done = await browser.send(code, { action: "/sign-in/code", fields: { code: await web().mailedCode(email) } });
    expect([start.leftTo, code.leftTo, done.leftTo, done.path]).toEqual([undefined, undefined, undefined, "/account"]);
    expect(done.headers.get("x-evil")).toBeNull();
  });

  it.each([EVIL, "//evil.example/", "/\\evil.example", HEADER])(
    "after a form with the handle %j stays on this site (RFC 9700 4.11)",
    async (handle) => {
      const { browser } = await web().user();
      const out = await sendTampered(browser, await browser.open("/account"), {
        action: "/sign-out",
        change: (fields) => fields.set("authorization", handle),
      });
      expect(out).toMatchObject({ status: 400, leftTo: undefined });
      expect(out.path).toMatch(/^\/oauth\/continue\?authorization=/);
      expect(out.headers.get("x-evil")).toBeNull();
      const signIn = await sendTampered(browser, await browser.open("/sign-in"), {
        action: "/sign-in",
        change: (fields) => {
          fields.set("email", newEmail());
          fields.set("authorization", handle);
        },
      });
      expect(signIn).toMatchObject({ status: 400, leftTo: undefined });
      expect(signIn.headers.get("x-evil")).toBeNull();
    },
  );

  it.each(["/signed-out?post_logout_redirect_uri=", "/account?done=", "/oauth/continue?authorization="])(
    "from %s stays on this site (RFC 9700 4.11.1)",
    async (path) => {
      const { browser } = await web().user();
      const shown = await browser.open(path + encodeURIComponent(EVIL));
      expect(shown.leftTo).toBeUndefined();
      expect(shown.html).not.toContain("evil.example");
    },
  );

  it("has the status 303, so that no form is forwarded (RFC 9700 4.12)", async () => {
    const user = await web().user();
    const application = await web().application();
    const page = await application.authorize(user.browser);
    const answer = await user.browser.send(page, { action: CONSENT, fields: { decision: "allow" } });
    expect([answer.status, answerOf(answer).has("code")]).toEqual([303, true]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("same-origin");
  });
});

describeAuthWeb("a request for another host", (web) => {
  const HOSTS: readonly (readonly [attack: string, lines: string])[] = [
    ["Host", "Host: evil.example"],
    ["X-Forwarded-Host", "Host: auth.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: http"],
    ["Forwarded", "Host: auth.example\r\nForwarded: host=evil.example;proto=http"],
    ["a host with a query", "Host: evil.example/?client_id=1&x="],
    ["a host with a user", "Host: auth.example@evil.example"],
  ];
  const port = () => Number(new URL(web().origin).port);
  const get = (target: string, lines: string) =>
    exchange(port(), `GET ${target} HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`);

  it.each(HOSTS)("names no other issuer by %s (RFC 8414 3.3)", async (_, lines) => {
    const [answer] = await get(AUTH_PATHS.metadata, lines);
    if (answer?.status !== 400) {
      expect(answer?.status).toBe(200);
      expect(JSON.parse(answer?.body ?? "").token_endpoint).toBe(`${ISSUER}/oauth/token`);
    }
    expect(answer?.body).not.toContain("evil.example");
  });

  it.each(HOSTS)("is redirected to no other host by %s (RFC 9110 7.2)", async (_, lines) => {
    const application = await web().application();
    const [answer] = await get(application.authorizePath(), lines);
    if (answer?.status !== 400) expect(answer?.headers.get("location")).toMatch(/^\/oauth\/continue\?authorization=/);
    expect(`${answer?.headers.get("location")} ${answer?.body}`).not.toContain("evil.example");
  });

  it("doesn't let a bare line break end a header (RFC 9112 2.2)", async () => {
    const application = await web().application();
    const [answer] = await get(application.authorizePath(), "Host: auth.example\r\nCookie: a=b\nX-Evil: 1");
    expect(answer?.status).toBe(400);
  });

  it.each([
    ["/OAUTH/TOKEN", 404],
    ["/oauth/token/", 404],
    ["//oauth/token", 404],
    ["/oauth/./token", 400],
    ["/oauth/%74oken", 404],
    ["/oauth/token;a=b", 404],
  ])("%s is none of the token endpoint (RFC 3986 6.2.2)", async (target, status) => {
    const body = "grant_type=authorization_code";
    const head = `POST ${target} HTTP/1.1\r\nHost: auth.example\r\nContent-Length: ${body.length}`;
    const [answer] = await exchange(port(), `${head}\r\nConnection: close\r\n\r\n${body}`);
    expect(answer?.status).toBe(status);
  });
});

describeAuthWeb("a page of another origin", (web) => {
  const ORIGINS: readonly string[] = [
    "https://evil.example",
    "https://app.example.evil.example",
    "https://evil-app.example",
    "http://app.example",
    "https://app.example:8443",
    "https://APP.example",
    "https://app.example/",
    "null",
    ISSUER,
  ];

  it.each(ORIGINS)("may not read tokens: %s (RFC 6454 7)", async (origin) => {
    // Our own pages call none of these endpoints, even if somebody registers an address of ours.
    const redirectUris = ["https://app.example/callback", `${ISSUER}/callback`];
    await web().application({ definition: sampleDefinition({ redirectUris }) });
    for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/userinfo"]) {
      for (const method of ["POST", "OPTIONS"]) {
        const answer = await fetch(web().origin + path, { method, headers: { origin } });
        expect(answer.headers.get("access-control-allow-origin")).toBeNull();
        expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
        expect(answer.headers.get("vary")).toContain("Origin");
      }
    }
  });

  it.each([AUTH_PATHS.authorize, AUTH_PATHS.continue, AUTH_PATHS.consent, AUTH_PATHS.logout, AUTH_PATHS.signIn])(
    "may not read %s, even if an application is registered there (RFC 9700 2.6)",
    async (path) => {
      const application = await web().application();
      const address = path === AUTH_PATHS.authorize ? application.authorizePath() : path;
      const headers = { origin: new URL(application.redirectUri).origin };
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const answer = await fetch(web().origin + address, { method, headers, redirect: "manual" });
        expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
      }
    },
  );

  it("may read tokens if an application is registered there, but without cookies (RFC 6454 7)", async () => {
    await web().application();
    const answer = await fetch(`${web().origin}/oauth/token`, {
      method: "POST",
      headers: { origin: "https://app.example" },
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  });
});

/** Markup without the values of its attributes. */
function withoutValues(html: string): string {
  return html.replaceAll(/"[^"]*"/g, '""');
}

async function codePage(web: AuthWeb): Promise<ShownPage> {
  const browser = web.browser();
  const page = await browser.send(await browser.open("/sign-in"), {
    action: "/sign-in",
    fields: { email: newEmail() },
  });
  // The page shows the address from the cookie.
  browser.cookies.set(
    "__Host-tidemark-sign-in",
    `${new URLSearchParams(page.path.split("?")[1]).get("sign_in")}%20${encodeURIComponent(HTML.replaceAll(" ", ""))}`,
  );
  return browser.open(page.path);
}
