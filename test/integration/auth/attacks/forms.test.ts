import { expect, it } from "vitest";
import { hiddenFieldsOf, type PageBrowser, type ShownPage } from "../../../../gateway/testing/page-browser.ts";
import { AUTH_PATHS } from "../../../../gateway/web/sessions/auth-paths.ts";
import { givePasskey } from "../../../../services/auth/testing/passkey-holder.ts";
import { SoftwareAuthenticator } from "../../../../services/auth/testing/software-authenticator.ts";
import {
  type AuthWeb,
  BROWSER_COOKIE,
  describeAuthWeb,
  newEmail,
  RECOVERY_COOKIE,
  SESSION_COOKIE,
  type WebUser,
} from "../../../support/pages/auth-web.ts";
import { sendTampered } from "../../../support/pages/tampered-form.ts";
import { askQuestion, holdPasskey, PASSKEY_SIGN_IN, PASSKEYS } from "../../../support/pages/web-passkeys.ts";
import { ISSUER } from "../../../support/processes/auth-fixture.ts";

interface Form {
  readonly action: string;
  /** Action of the form whose fields a script sends to `action`, where that isn't the same. */
  readonly fieldsOf?: string;
  /** Opens the page with the form. */
  readonly open: (web: AuthWeb, user: WebUser) => Promise<ShownPage>;
  /** The fields that the user fills in. */
  readonly fields?: (web: AuthWeb, page: ShownPage, user: WebUser) => Promise<Readonly<Record<string, string>>>;
  /** The path or the site to which the browser is sent afterwards. */
  readonly leadsTo: RegExp;
}

/** The cookies whose tokens forms are bound to. */
const COOKIES = [SESSION_COOKIE, BROWSER_COOKIE, RECOVERY_COOKIE];
const NEW_EMAIL = newEmail();
const ENTERED = newEmail();
let authenticator: SoftwareAuthenticator;

const FORMS: readonly Form[] = [
  {
    action: "/sign-in",
    open: (_, { browser }) => browser.open("/sign-in"),
    fields: async () => ({ email: newEmail() }),
    leadsTo: /^\/sign-in\/code\?/,
  },
  {
    action: "/sign-in/code",
    open: async (_, { browser }) =>
      browser.send(await browser.open("/sign-in"), { action: "/sign-in", fields: { email: ENTERED } }),
    fields: async (web) => ({ code: await web.mailedCode(ENTERED) }),
    leadsTo: /^\/account$/,
  },
  {
    action: PASSKEY_SIGN_IN,
    open: async (_, { browser }) => {
      authenticator = await holdPasskey(browser);
      return browser.open("/sign-in");
    },
    fields: async (_, page, { browser }) => ({
      credential: authenticator.get(await askQuestion(browser, page, PASSKEY_SIGN_IN)),
    }),
    leadsTo: /^\/account$/,
  },
  {
    action: `${PASSKEY_SIGN_IN}/question`,
    fieldsOf: PASSKEY_SIGN_IN,
    open: (_, { browser }) => browser.open("/sign-in"),
    leadsTo: /question$/,
  },
  {
    action: PASSKEYS,
    open: (_, { browser }) => browser.open(PASSKEYS),
    fields: async (_, page, { browser }) => ({
      credential: new SoftwareAuthenticator({ origin: ISSUER }).create(await askQuestion(browser, page, PASSKEYS)),
    }),
    leadsTo: /^\/account\?done=passkey-added$/,
  },
  {
    action: `${PASSKEYS}/question`,
    fieldsOf: PASSKEYS,
    open: (_, { browser }) => browser.open(PASSKEYS),
    leadsTo: /question$/,
  },
  {
    action: `${PASSKEYS}/rename`,
    open: async (_, { browser }) => {
      await holdPasskey(browser);
      return browser.open(PASSKEYS);
    },
    fields: async () => ({ name: "Blue key" }),
    leadsTo: /^\/account\/passkeys\?done=renamed$/,
  },
  {
    action: `${PASSKEYS}/remove`,
    open: async (_, { browser }) => {
      await holdPasskey(browser);
      return browser.open(PASSKEYS);
    },
    leadsTo: /^\/account\/passkeys\?done=removed$/,
  },
  {
    action: `${PASSKEYS}/offer`,
    open: (_, { browser }) => browser.open(`${PASSKEYS}/offer`),
    leadsTo: /^\/account$/,
  },
  {
    action: AUTH_PATHS.recovery,
    open: async (web, { browser, accountUuid }) => {
      await givePasskey({ database: web.service.database, clock: web.service.time.now }, accountUuid);
      return browser.open(AUTH_PATHS.recovery);
    },
    leadsTo: /^\/account\/recovery\?done=begun$/,
  },
  {
    action: AUTH_PATHS.passkeyRule,
    open: async (_, { browser }) => {
      await holdPasskey(browser);
      return browser.open(AUTH_PATHS.passkeyRule);
    },
    leadsTo: /^\/account\?done=passkey-required$/,
  },
  {
    action: AUTH_PATHS.recoveryByPass,
    open: async (web, { browser, email }) => {
      await holdPasskey(browser);
      await browser.send(await browser.open(AUTH_PATHS.passkeyRule), { action: AUTH_PATHS.passkeyRule });
      web.service.time.advance(1);
      const start = await browser.send(await browser.open("/sign-in"), { action: "/sign-in", fields: { email } });
      return browser.send(start, { action: "/sign-in/code", fields: { code: await web.mailedCode(email) } });
    },
    leadsTo: /^\/sign-in\/recovery\?done=begun$/,
  },
  {
    action: "/oauth/consent",
    open: async (web, { browser }) => (await web.application()).authorize(browser),
    fields: async () => ({ decision: "allow" }),
    leadsTo: /^https:\/\/app\.example\/callback\?code=/,
  },
  {
    action: "/oauth/choose-account",
    open: async (web, { browser }) => (await web.application()).authorize(browser, { prompt: "select_account" }),
    leadsTo: /^\/oauth\/continue\?/,
  },
  {
    action: "/oauth/logout/confirm",
    open: (_, { browser }) => browser.open("/oauth/logout"),
    leadsTo: /^\/signed-out$/,
  },
  { action: "/sign-out", open: (_, { browser }) => browser.open("/account"), leadsTo: /^\/signed-out$/ },
  {
    action: "/account/sessions/end",
    open: async (web, { browser, email }) => {
      await web.service.signIn(email);
      return browser.open("/account");
    },
    leadsTo: /^\/account\?done=session-ended$/,
  },
  {
    action: "/account/sessions/end-others",
    open: async (web, { browser, email }) => {
      await web.service.signIn(email);
      return browser.open("/account");
    },
    leadsTo: /^\/account\?done=others-ended$/,
  },
  {
    action: "/account/applications/withdraw",
    open: async (web, { browser }) => {
      await (await web.application()).code(browser);
      return browser.open("/account");
    },
    leadsTo: /^\/account\?done=withdrawn$/,
  },
  {
    action: "/account/email",
    open: (_, { browser }) => browser.open("/account/email"),
    fields: async () => ({ email: newEmail() }),
    leadsTo: /^\/account\/email\/code\?/,
  },
  {
    action: "/account/email/code",
    open: async (_, { browser }) =>
      browser.send(await browser.open("/account/email"), { action: "/account/email", fields: { email: NEW_EMAIL } }),
    fields: async (web) => ({ code: await web.mailedCode(NEW_EMAIL) }),
    leadsTo: /^\/account\?done=email-changed$/,
  },
  {
    action: "/account/delete",
    open: (_, { browser }) => browser.open("/account/delete"),
    fields: async () => ({ sure: "yes" }),
    leadsTo: /^\/signed-out\?deleted=1$/,
  },
];

interface Forgery {
  readonly attack: string;
  readonly rfc: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly change?: (fields: URLSearchParams, others: Others) => void;
  readonly cookies?: (cookies: Map<string, string>, others: Others) => void;
  /** 403 by default; for what lacks a token or cookie of this browser, a page that asks again as well. */
  readonly status?: number;
  /** Whether it may be the user's own form, of which a browser or proxy has removed the headers: its page then leads on. */
  readonly isMaybeOwn?: true;
}

/** The tokens that an attacker has. */
interface Others {
  /** The token of another form in the same browser. */
  readonly otherPurpose: string;
  /** Tokens of forms in the attacker's browser. */
  readonly attackers: string;
  readonly attacker: WebUser;
}

const FORGERIES: readonly Forgery[] = [
  { attack: "from another site", rfc: "Fetch Metadata 2.3", headers: { "sec-fetch-site": "cross-site" } },
  { attack: "from a sibling site", rfc: "Fetch Metadata 2.3", headers: { "sec-fetch-site": "same-site" } },
  { attack: "from no page", rfc: "Fetch Metadata 2.3", headers: { "sec-fetch-site": "none" } },
  { attack: "from a page that nobody knows", rfc: "Fetch Metadata 2.3", headers: { "sec-fetch-site": "" } },
  { attack: "from two sites", rfc: "Fetch Metadata 2.3", headers: { "sec-fetch-site": "same-origin, cross-site" } },
  {
    attack: "from another site with our origin",
    rfc: "Fetch Metadata 2.3",
    headers: { "sec-fetch-site": "cross-site", origin: ISSUER },
  },
  { attack: "from another origin", rfc: "RFC 6454 7", headers: { origin: "https://evil.example" } },
  { attack: "from an opaque origin", rfc: "RFC 6454 7.3", headers: { origin: "null" } },
  { attack: "from our host by http", rfc: "RFC 6454 4", headers: { origin: "http://auth.example" } },
  { attack: "from another port of ours", rfc: "RFC 6454 4", headers: { origin: "https://auth.example:8443" } },
  { attack: "from a host under ours", rfc: "RFC 6454 4", headers: { origin: "https://evil.auth.example" } },
  {
    attack: "from a host that begins like ours",
    rfc: "RFC 6454 4",
    headers: { origin: "https://auth.example.evil.example" },
  },
  {
    attack: "with our page as referrer only",
    rfc: "RFC 6454 7",
    headers: { referer: `${ISSUER}/account` },
    isMaybeOwn: true,
  },
  { attack: "without any sign of where from", rfc: "RFC 6454 7", headers: {}, isMaybeOwn: true },
  { attack: "without its token", rfc: "RFC 6749 10.12", change: (fields) => fields.delete("form_token") },
  { attack: "with an empty token", rfc: "RFC 6749 10.12", change: (fields) => fields.set("form_token", "") },
  {
    attack: "with a guessed token",
    rfc: "RFC 6749 10.12",
    change: (fields) => fields.set("form_token", "t".repeat(43)),
  },
  {
    attack: "with the token of another form",
    rfc: "RFC 6749 10.12",
    change: (fields, { otherPurpose }) => fields.set("form_token", otherPurpose),
  },
  {
    attack: "with the attacker's own token",
    rfc: "RFC 6749 10.12",
    change: (fields, { attackers }) => fields.set("form_token", attackers),
  },
  {
    attack: "with its token twice",
    rfc: "RFC 6749 10.12",
    change: (fields) => fields.append("form_token", "t".repeat(43)),
    status: 400,
  },
  {
    attack: "with cookies of the attacker",
    rfc: "RFC 6749 10.12",
    cookies: (cookies, { attacker }) => {
      for (const name of COOKIES) cookies.set(name, attacker.browser.cookies.get(name) ?? "");
    },
  },
  {
    attack: "with cookies that are empty",
    rfc: "RFC 6265 8.6",
    cookies: (cookies) => cookies.set(SESSION_COOKIE, "").set(RECOVERY_COOKIE, "").set(BROWSER_COOKIE, "x".repeat(43)),
  },
  {
    attack: "with cookies of names without their prefix",
    rfc: "RFC 6265bis 4.1.3",
    cookies: (cookies) => {
      for (const name of COOKIES) {
        cookies.set(name.replace("__Host-", ""), cookies.get(name) ?? "").set(name, "x".repeat(43));
      }
    },
  },
];

/** A page to sign in or after a sign-out, the form's own page with what was wrong, or that of a handle which the browser doesn't have. */
const ASKING_AGAIN: ReadonlySet<number> = new Set([200, 422, 400]);

describeAuthWeb("a forged form", (web) => {
  it.each(FORMS)("$action does nothing", async ({ action, fieldsOf = action, open, fields, leadsTo }) => {
    const [user, attacker] = [await web().user(), await web().user()];
    const others = {
      attacker,
      otherPurpose: await otherToken(user, action),
      attackers: await otherToken(attacker, action),
    };
    const page = await open(web(), user);
    const entered = Object.entries((await fields?.(web(), page, user)) ?? {});
    const post = (browser: PageBrowser, { change, headers }: Forgery) =>
      sendTampered(browser, page, {
        action: fieldsOf,
        path: action,
        ...(headers && { headers }),
        change: (sent) => {
          for (const [name, value] of entered) sent.set(name, value);
          change?.(sent, others);
        },
      });
    for (const forgery of FORGERIES) {
      const { attack, status = 403, headers } = forgery;
      const victim = copyOf(web(), user.browser);
      forgery.cookies?.(victim.cookies, others);
      const answer = await post(victim, forgery);
      const asksAgain = headers === undefined && ASKING_AGAIN.has(answer.status);
      const answered = asksAgain ? status : answer.status;
      expect({ attack, status: answered, leftTo: answer.leftTo }).toEqual({ attack, status, leftTo: undefined });
      if (forgery.isMaybeOwn) expect({ attack, ...(await pageLedTo(victim, answer)) }).toEqual({ attack, status: 200 });
    }
    expect((await copyOf(web(), user.browser).open("/account")).path).toBe("/account");
    // The form itself is valid, and its handle wasn't used up.
    const answer = await post(user.browser, { attack: "none", rfc: "" });
    expect(answer.leftTo ?? answer.path).toMatch(leadsTo);
  });

  it("is tested here for every path that accepts a form", async () => {
    const { browser } = await web().user();
    const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const guarded: string[] = [];
    for (const path of Object.values(AUTH_PATHS)) {
      const headers = { cookie, "sec-fetch-site": "cross-site" };
      const answer = await fetch(web().origin + path, { method: "POST", body: new URLSearchParams(), headers });
      if (answer.status === 403) guarded.push(path);
      else expect([path, answer.status]).toEqual([path, isEndpoint(path) ? expect.any(Number) : statusOf(path)]);
    }
    expect(guarded.toSorted()).toEqual(FORMS.map(({ action }) => action).toSorted());
  });

  it.each(["application/json", "text/plain", "multipart/form-data"])(
    "as %s is refused (RFC 6749 10.12)",
    async (type) => {
      const headers = { "content-type": type, "sec-fetch-site": "same-origin" };
      const answer = await fetch(`${web().origin}/sign-out`, { method: "POST", body: "a=b", headers });
      expect(answer.status).toBe(415);
    },
  );
});

/** Follows the link of a page about a form that may be the user's own. @returns the status of the page that it leads to */
async function pageLedTo(browser: PageBrowser, { html }: ShownPage): Promise<{ readonly status: number }> {
  expect(html).toContain("Your browser didn’t say where this form came from");
  const href = /<a class="button secondary" href="(\/[^"]*)"/.exec(html)?.[1] ?? expect.fail("no way on");
  const { status } = await browser.open(href.replaceAll("&amp;", "&"));
  return { status };
}

/** Whether applications and their pages send requests to a path: it changes nothing for the browser's user. */
function isEndpoint(path: string): boolean {
  const { token, revoke, userinfo, push, introspect, authorize, logout } = AUTH_PATHS;
  return [token, revoke, userinfo, push, introspect, authorize, logout].some((endpoint) => endpoint === path);
}

/** The token of a form on the account page, or of the e-mail form if that one is attacked. */
async function otherToken({ browser }: WebUser, action: string): Promise<string> {
  const [path, other] = action === "/sign-out" ? ["/account/delete", "/account/delete"] : ["/account", "/sign-out"];
  const page = await browser.open(path);
  return hiddenFieldsOf(page.html, other).find(([name]) => name === "form_token")?.[1] ?? "";
}

function copyOf(web: AuthWeb, browser: PageBrowser): PageBrowser {
  const copy = web.browser();
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
}

/** The status of a path that takes no form: pages about entities are absent without the entities service. */
function statusOf(path: string): number {
  const { liveness, alerts, stopAlerts } = AUTH_PATHS;
  return [liveness, alerts, stopAlerts].some((missing) => missing === path) ? 404 : 405;
}
