import { beforeEach, expect, it } from "vitest";
import type { PageBrowser, ShownPage } from "../../../../gateway/testing/page-browser.ts";
import {
  type AuthWeb,
  BROWSER_COOKIE,
  describeAuthWeb,
  describeAuthWebOnEachDatabase,
  KNOWN_COOKIE,
  newEmail,
  SESSION_COOKIE,
} from "../../../support/pages/auth-web.ts";
import { sendTampered } from "../../../support/pages/tampered-form.ts";

const CODE_FORM = "/sign-in/code";
const EMAIL_CODE_FORM = "/account/email/code";
const WRONG = "BBBB-BBBB";
const TRIES = 5;
const AT_ONCE = 20;
const TEN_MINUTES_MS = 600_000;
/** The time from one code of a browser to the next. */
const PAUSE_MS = 30_000;

/** A sign-in whose code was sent, with the page for the code open. */
interface Begun {
  readonly browser: PageBrowser;
  readonly email: string;
  readonly page: ShownPage;
  readonly code: string;
}

async function begin(web: AuthWeb, browser = web.browser(), email = newEmail()): Promise<Begun> {
  web.service.time.advance(1);
  const page = await browser.send(await browser.open("/sign-in"), { action: "/sign-in", fields: { email } });
  return { browser, email, page, code: await web.mailedCode(email) };
}

const enter = (browser: PageBrowser, page: ShownPage, code: string) =>
  browser.send(page, { action: CODE_FORM, fields: { code } });

/** Returns how many entries were compared with a code, and how many were refused without. */
async function triesOf({ service }: AuthWeb): Promise<{ readonly compared: number; readonly refused: number }> {
  const query = service.database.query.selectFrom("audit").select("details");
  const rows = await query.where("event", "=", "sign_in.code_refused").execute();
  const results = rows.map(({ details }): string => JSON.parse(details).result);
  const compared = results.filter((result) => result === "wrong").length;
  return { compared, refused: results.length - compared };
}

async function sessionsOf({ service }: AuthWeb, email: string): Promise<number> {
  const sessions = service.database.query
    .selectFrom("session")
    .innerJoin("account", "account.account", "session.account")
    .select("session");
  return (await sessions.where("email", "=", email).execute()).length;
}

const isSignedIn = (browser: PageBrowser) => browser.cookies.has(SESSION_COOKIE);

describeAuthWebOnEachDatabase("the guessing of a one-time code", (web) => {
  it("ends after 5 tries, even with the correct code (RFC 8628 5.1)", async () => {
    const { browser, page, code } = await begin(web());
    for (let tries = 1; tries < TRIES; tries++) expect((await enter(browser, page, WRONG)).status).toBe(422);
    expect((await enter(browser, page, WRONG)).html).toContain("Get a new code");
    expect((await enter(browser, page, code)).html).toContain("Get a new code");
    expect(isSignedIn(browser)).toBe(false);
  });

  it(`gains nothing from ${AT_ONCE} concurrent tries (RFC 8628 5.1)`, async () => {
    const { browser, page, code } = await begin(web());
    const before = await triesOf(web());
    await Promise.all(Array.from({ length: AT_ONCE }, () => enter(browser, page, WRONG)));
    const after = await triesOf(web());
    // The fifth is compared too, but leaves none.
    expect(after.compared - before.compared).toBe(TRIES - 1);
    expect(after.refused - before.refused).toBe(AT_ONCE - TRIES + 1);
    expect((await enter(browser, page, code)).html).toContain("Get a new code");
  });

  it("gains no tries from more codes: those of a browser for an address share five (RFC 6749 10.10)", async () => {
    const [browser, email] = [web().browser(), newEmail()];
    const begun: Begun[] = [];
    for (let count = 0; count < 3; count++) {
      begun.push(await begin(web(), browser, email));
      web().service.time.advance(PAUSE_MS);
    }
    expect(new Set(begun.map(({ code }) => code)).size).toBe(3);
    const before = await triesOf(web());
    const guesses = begun.flatMap(({ page }) => [page, page, page]);
    await Promise.all(guesses.map((page) => enter(browser, page, WRONG)));
    expect((await triesOf(web())).compared - before.compared).toBe(TRIES - 1);
    for (const { page } of begun) {
      for (const { code } of begun) expect((await enter(browser, page, code)).html).toContain("Get a new code");
    }
    expect(isSignedIn(browser)).toBe(false);
  });

  it("gains no codes either: an address gets 5 an hour, and what is begun beyond has no code (RFC 6749 10.10)", async () => {
    web().service.time.advanceToNextHour();
    const [browser, email] = [web().browser(), newEmail()];
    let last = await begin(web(), browser, email);
    const mails = new Set([last.code]);
    for (let count = 0; count < 7; count++) {
      web().service.time.advance(PAUSE_MS);
      last = await begin(web(), browser, email);
      mails.add(last.code);
    }
    expect(mails.size).toBe(5);
    for (let count = 0; count < 5; count++) await begin(web(), web().browser(), email);
    expect(mails).toContain(await web().mailedCode(email));
  });

  it("accepts each code that is live in the browser, once, and starts one session with all of them (RFC 6749 10.5)", async () => {
    const [browser, email] = [web().browser(), newEmail()];
    const first = await begin(web(), browser, email);
    web().service.time.advance(PAUSE_MS);
    const second = await begin(web(), browser, email);
    const entries = [
      [first.page, second.code],
      [second.page, first.code],
      [first.page, first.code],
      [second.page, second.code],
    ] as const;
    await Promise.all(entries.map(([page, code]) => enter(browser, page, code)));
    expect([isSignedIn(browser), await sessionsOf(web(), email)]).toEqual([true, 1]);
    const other = web().browser();
    const { page } = await begin(web(), other, email);
    for (const { code } of [first, second]) expect((await enter(other, page, code)).status).toBe(422);
    expect(isSignedIn(other)).toBe(false);
  });

  it("can't be prevented by strangers in a browser that has signed in to the address (RFC 9700 4.11)", async () => {
    const owner = web().browser();
    const { email, page, code } = await begin(web(), owner);
    expect((await enter(owner, page, code)).path).toBe("/account");
    expect(owner.cookies.get(KNOWN_COOKIE)).toMatch(/^[\w-]{54}$/);
    const stranger = web().browser();
    for (let count = 0; count < AT_ONCE; count++) await begin(web(), stranger, email);
    const start = await owner.open("/sign-in");
    await owner.send(await owner.open("/account"), { action: "/sign-out" });
    const mailed = await web().mailedCode(email);
    const asked = await owner.send(start, { action: "/sign-in", fields: { email } });
    const fresh = await web().mailedCode(email);
    expect(fresh).not.toBe(mailed);
    expect((await enter(owner, asked, fresh)).path).toBe("/account");
  });

  it("works once, and starts one session in concurrent calls (RFC 6749 10.5)", async () => {
    const { browser, page, code, email } = await begin(web());
    await Promise.all(Array.from({ length: AT_ONCE }, () => enter(browser, page, code)));
    expect([isSignedIn(browser), await sessionsOf(web(), email)]).toEqual([true, 1]);
  });
});

describeAuthWeb("a relayed one-time code", (web) => {
  let begun: Begun;
  beforeEach(async () => {
    begun = await begin(web());
  });

  it("is refused in another browser, even with the sign-in's handle and its own form (RFC 9700 4.7.1)", async () => {
    const other = await begin(web());
    const answer = await sendTampered(other.browser, other.page, {
      action: CODE_FORM,
      change: (fields) => {
        fields.set("sign_in", new URLSearchParams(begun.page.path.split("?")[1]).get("sign_in") ?? "");
        fields.set("code", begun.code);
      },
    });
    expect(answer.status).toBe(422);
    expect(isSignedIn(other.browser)).toBe(false);
  });

  it("shows no code field with another's address in another browser (RFC 9700 4.7.1)", async () => {
    const other = await begin(web());
    const shown = await other.browser.open(begun.page.path);
    expect(shown.html).not.toContain(begun.email);
  });

  it("is refused for another address in the same browser (RFC 6749 10.10)", async () => {
    const other = await begin(web(), begun.browser);
    expect((await enter(begun.browser, other.page, begun.code)).status).toBe(422);
    expect(isSignedIn(begun.browser)).toBe(false);
  });

  it("is refused after ten minutes (RFC 8628 3.2)", async () => {
    web().service.time.advance(TEN_MINUTES_MS);
    expect((await enter(begun.browser, begun.page, begun.code)).html).toContain("Get a new code");
  });

  it("can't change an e-mail address, and a code for a change can't sign in (RFC 9700 4.7.1)", async () => {
    const { browser } = await web().user();
    const signIn = await begin(web(), browser);
    const email = newEmail();
    const change = await browser.send(await browser.open("/account/email"), {
      action: "/account/email",
      fields: { email },
    });
    const swapped = async (action: string, page: ShownPage, other: ShownPage, code: string) =>
      sendTampered(browser, page, {
        action,
        change: (fields) => {
          fields.set("sign_in", new URLSearchParams(other.path.split("?")[1]).get("sign_in") ?? "");
          fields.set("code", code);
        },
      });
    const session = browser.cookies.get(SESSION_COOKIE);
    const changed = await swapped(EMAIL_CODE_FORM, change, signIn.page, signIn.code);
    const entered = await swapped(CODE_FORM, signIn.page, change, await web().mailedCode(email));
    // Who is signed in is led to the account, in the session that there was.
    expect([changed.status, entered.path, browser.cookies.get(SESSION_COOKIE)]).toEqual([422, "/account", session]);
    expect((await browser.open("/account")).html).not.toContain(signIn.email);
  });

  it.each([
    ["empty", ""],
    ["oversized", "B".repeat(10_000)],
    ["with NUL", "BBBB\0BBBBB"],
    ["of other letters", "ВВВВ-ВВВВ"],
    ["with SQL", "' OR '1'='1"],
    ["with line breaks", "BBBB\r\nBBB"],
  ])("isn't taken, and no try, as text that can't be one: %s", async (_, code) => {
    for (let count = 0; count <= TRIES; count++) {
      expect((await enter(begun.browser, begun.page, code)).status).toBe(422);
    }
    expect((await enter(begun.browser, begun.page, begun.code)).path).toBe("/account");
  });
});

describeAuthWeb("a planted session", (web) => {
  const PLANTED = "p".repeat(43);

  it("isn't continued by a sign-in (RFC 6749 10.12)", async () => {
    const { browser, page, code } = await begin(web());
    browser.cookies.set(SESSION_COOKIE, PLANTED);
    expect((await enter(browser, page, code)).path).toBe("/account");
    expect(browser.cookies.get(SESSION_COOKIE)).not.toBe(PLANTED);
    const attacker = web().browser();
    attacker.cookies.set(SESSION_COOKIE, PLANTED);
    expect((await attacker.open("/account")).path).toBe("/sign-in");
  });

  it("of an attacker does not become the victim's (RFC 6749 10.12)", async () => {
    const attacker = await web().user();
    const { browser, page, code, email } = await begin(web());
    browser.cookies.set(SESSION_COOKIE, attacker.sessionToken);
    expect((await enter(browser, page, code)).html).toContain(email);
    const { html } = await attacker.browser.open("/account");
    expect(html).not.toContain(email);
  });

  it("ends when its browser signs in again (RFC 6749 10.12)", async () => {
    const before = await web().user();
    const { browser, page, code } = await begin(web(), before.browser, before.email);
    expect((await enter(browser, page, code)).path).toBe("/account");
    expect(browser.cookies.get(SESSION_COOKIE)).not.toBe(before.sessionToken);
    const stolen = web().browser();
    stolen.cookies.set(SESSION_COOKIE, before.sessionToken);
    expect((await stolen.open("/account")).path).toBe("/sign-in");
  });

  it("ends with the sign-out, wherever its cookie was copied to (RFC 6265 8.4)", async () => {
    const user = await web().user();
    const stolen = web().browser();
    stolen.cookies.set(SESSION_COOKIE, user.sessionToken);
    expect((await stolen.open("/account")).html).toContain(user.email);
    await user.browser.send(await user.browser.open("/account"), { action: "/sign-out" });
    expect((await stolen.open("/account")).path).toBe("/sign-in");
  });

  it("has cookies that no other host can set, and no script can read (RFC 6265bis 4.1)", async () => {
    const start = await fetch(`${web().origin}/sign-in`);
    const [cookie = ""] = start.headers.getSetCookie();
    expect(cookie).toMatch(new RegExp(`^${BROWSER_COOKIE}=[\\w-]{43}; `));
    for (const attribute of ["Path=/", "HttpOnly", "Secure", "SameSite=Lax"])
      expect(cookie).toContain(`; ${attribute}`);
    expect(cookie).not.toMatch(/domain/i);
  });

  it("can't enter an authorization that another browser has begun (RFC 9700 4.7.1)", async () => {
    const [application, attacker] = [await web().application(), web().browser()];
    const { path } = await application.authorize(attacker);
    expect(path).toMatch(/^\/oauth\/continue\?/);
    const victim = await web().user();
    const shown = await victim.browser.open(path);
    expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
    expect(shown.html).toContain("belongs to another browser");
    expect(shown.html).not.toContain("<form");
  });
});
