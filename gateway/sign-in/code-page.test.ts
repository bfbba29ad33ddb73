import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { utcClockText } from "../../common/platform/language/utc-text.ts";
import { type AuthGateway, startAuthGateway } from "../testing/auth-gateway.ts";
import { PageBrowser, type ShownPage } from "../testing/page-browser.ts";

const PAUSE_MS = 30_000;
const LIFETIME_MS = 600_000;

let gateway: AuthGateway;
let browser: PageBrowser;
let user: string;
/** Beginning of an hour, in which all tests but the last part of some take place. */
let startMs: number;
beforeAll(async () => {
  gateway = await startAuthGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.auth.faults.reset();
  startMs = gateway.auth.time.advanceToNextHour();
  browser = new PageBrowser(gateway.origin);
  user = `${randomUUID()}@example.org`;
});

const wait = (milliseconds: number) => gateway.auth.time.advance(milliseconds);
const mails = () => gateway.auth.people.outbox.mails.filter(({ to }) => to === user).length;
const clock = (afterMs: number) => utcClockText(new Date(startMs + afterMs), "en");
const textOf = ({ html }: ShownPage) => html.replaceAll(/<[^>]*>/g, "");

const begin = async () => browser.send(await browser.open("/sign-in"), { action: "/sign-in", fields: { email: user } });
const sendAgain = (page: ShownPage) => browser.send(page, { action: "/sign-in" });
const enter = (page: ShownPage, code = gateway.auth.mailedCode()) =>
  browser.send(page, { action: "/sign-in/code", fields: { code } });

describe("the page for a code", () => {
  it("says when and for which address the code was asked for, and from when on the next can be", async () => {
    const page = await begin();
    expect(textOf(page)).toContain(`our e-mail to ${user}, asked for at ${clock(0)}.`);
    expect(textOf(page)).toContain(`You can ask for a new code from ${clock(PAUSE_MS)} on.`);
    expect(page.html).toContain(`data-next-code="${PAUSE_MS}"`);
    wait(PAUSE_MS - 1);
    expect((await browser.open(page.path)).html).toContain('data-next-code="1"');
    wait(1);
    const later = await browser.open(page.path);
    expect(textOf(later)).toContain(`asked for at ${clock(0)}.`);
    expect(textOf(later)).not.toContain("You can ask for a new code from");
    expect(later.html).toContain("Send a new code");
  });

  it("sends no code before that time, says so again, and takes each that was sent", async () => {
    const page = await begin();
    const first = gateway.auth.mailedCode();
    const early = await sendAgain(page);
    expect([mails(), textOf(early)]).toEqual([1, expect.stringContaining(`from ${clock(PAUSE_MS)} on.`)]);
    wait(PAUSE_MS);
    const again = await sendAgain(early);
    expect([mails(), textOf(again)]).toEqual([2, expect.stringContaining(`asked for at ${clock(PAUSE_MS)}.`)]);
    expect(gateway.auth.mailedCode()).not.toBe(first);
    expect((await enter(again, first)).path).toBe("/account");
  });

  it("signs in by a second click, too, for which a browser without script has given up the first answer", async () => {
    const page = await begin();
    const [code, before] = [gateway.auth.mailedCode(), [...browser.cookies]];
    const first = await enter(page, code);
    const session = browser.cookies.get("tidemark-session");
    browser.cookies.clear();
    for (const [name, value] of before) browser.cookies.set(name, value);
    const second = await enter(page, code);
    expect([first.path, second.path]).toEqual(["/account", "/account"]);
    expect(browser.cookies.get("tidemark-session")).toBe(session);
  });

  it("says plainly that no more are sent in this hour, until it is over", async () => {
    let page = await begin();
    const texts = [textOf(page)];
    for (let count = 1; count < 5; count += 1) {
      wait(PAUSE_MS);
      page = await sendAgain(page);
      texts.push(textOf(page));
    }
    const last = `This was the last code for now: you have asked for five within an hour. You can ask for a new one from ${clock(3_600_000)} on.`;
    expect(texts.map((text) => text.includes(last))).toEqual([false, false, false, false, true]);
    wait(PAUSE_MS);
    const sixth = await sendAgain(page);
    expect([mails(), textOf(sixth)]).toEqual([5, expect.stringContaining(last)]);
    expect(textOf(sixth)).toContain(`asked for at ${clock(4 * PAUSE_MS)}.`);
    // No code is left that could be entered: there is no field, but what comes next.
    wait(LIFETIME_MS);
    for (const over of [await browser.open(sixth.path), await sendAgain(sixth)]) {
      expect([over.status, textOf(over)]).toEqual([200, expect.stringContaining(last)]);
      expect(over.html).toContain("Get a new code");
      expect(over.html).not.toContain('name="code"');
    }
    gateway.auth.time.advanceToNextHour();
    const anew = await sendAgain(await browser.open(sixth.path));
    expect([mails(), (await enter(anew)).path]).toEqual([6, "/account"]);
  });

  it("says that it is over on a reload too, and still knows the address", async () => {
    const page = await begin();
    wait(LIFETIME_MS);
    const over = await browser.open(page.path);
    expect([over.status, textOf(over)]).toEqual([200, expect.stringContaining("This code no longer works")]);
    expect(over.html).not.toContain('name="code"');
    browser.cookies.delete("tidemark-sign-in");
    const again = await sendAgain(await browser.open(page.path));
    expect((await enter(again)).path).toBe("/account");
    const other = new PageBrowser(gateway.origin);
    await other.open("/sign-in");
    const unknown = await other.open("/sign-in/code?sign_in=unknown");
    expect(textOf(unknown)).toContain("Use another address");
    expect(unknown.html).not.toContain("Send a new code");
  });

  it("says the same where no mail was sent, as strangers have asked for too many", async () => {
    const own = browser;
    for (let count = 0; count < 5; count += 1) {
      browser = new PageBrowser(gateway.origin);
      await begin();
    }
    browser = own;
    const withheld = await begin();
    const name = user;
    user = `${randomUUID()}@example.org`;
    browser = new PageBrowser(gateway.origin);
    const sent = await begin();
    const [one, other] = [textOf(withheld), textOf(sent).replaceAll(user, name)].map((text) => text.trim());
    expect([mails(), one]).toEqual([1, other]);
    expect(one).toContain("none comes before the next full hour");
  });

  it("is shown without times where the auth service is of a version that tells none", async () => {
    gateway.auth.faults.failures.set("GetSignIn", new ConnectError("no such method", Code.Unimplemented));
    const page = await begin();
    expect([page.status, textOf(page)]).toEqual([
      200,
      expect.stringContaining(`our e-mail to ${user}. Each code works`),
    ]);
    expect(textOf(page)).toContain("Send a new code");
    const wrong = await enter(page, "BBBB-BBBB");
    expect([wrong.status, textOf(wrong)]).toEqual([422, expect.stringContaining("4 tries left")]);
    expect((await enter(wrong)).path).toBe("/account");
    wait(10_000);
    const again = await enter(page);
    expect([again.status, textOf(again)]).toEqual([422, expect.stringContaining("This code no longer works")]);
  });

  it("has a field whose own checks refuse nothing that the server takes", async () => {
    const page = await begin();
    const [field = ""] = /<input id="code"[^>]*>/.exec(page.html) ?? [];
    expect(field).toContain('autocomplete="one-time-code" inputmode="text"');
    expect(field).not.toMatch(/pattern|maxlength|minlength|type=/);
    const code = gateway.auth.mailedCode();
    const wide = Array.from(code.replace("-", "\u2212"), (letter) =>
      /[A-Z]/.test(letter) ? String.fromCodePoint(letter.charCodeAt(0) + 0xfee0) : letter,
    );
    expect((await enter(page, `\u2068\u201c${wide.join("")}\u201d.\u2069${" ".repeat(200)}`)).path).toBe("/account");
  });
});

describe("the page for the code of a new address", () => {
  const ask = (page: ShownPage) => browser.send(page, { action: "/account/email" });
  const confirm = (page: ShownPage, code: string) =>
    browser.send(page, { action: "/account/email/code", fields: { code } });

  /** Signs in, and asks for a change to another address, of whom `user` is from then on. */
  async function askForChange(): Promise<ShownPage> {
    await enter(await begin());
    user = `${randomUUID()}@example.org`;
    return browser.send(await browser.open("/account/email"), { action: "/account/email", fields: { email: user } });
  }

  it("says the same, and takes each code that was sent to that address", async () => {
    const page = await askForChange();
    const first = gateway.auth.mailedCode();
    expect(textOf(page)).toContain(`our e-mail to ${user}, asked for at ${clock(0)}.`);
    expect(textOf(page)).toContain(`from ${clock(PAUSE_MS)} on.`);
    expect(textOf(await ask(page))).toContain(`from ${clock(PAUSE_MS)} on.`);
    wait(PAUSE_MS);
    const again = await ask(page);
    expect([mails(), textOf(again)]).toEqual([2, expect.stringContaining(`asked for at ${clock(PAUSE_MS)}.`)]);
    expect(textOf(await confirm(again, "not a code"))).toContain("didn’t count as a try");
    expect((await confirm(again, first)).html).toContain("Your e-mail address is changed");
  });

  it("says how long to wait where five were asked for within the hour, and sends the next one then", async () => {
    const email = user;
    const signInAnew = async () => browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email }));
    let page = await askForChange();
    for (let count = 1; count < 5; count += 1) {
      wait(PAUSE_MS);
      page = await ask(page);
    }
    wait(LIFETIME_MS);
    await signInAnew();
    const last = `You can ask for a new one from ${clock(3_600_000)} on.`;
    for (const over of [await browser.open(page.path), await ask(await browser.open(page.path))]) {
      expect([over.status, textOf(over)]).toEqual([200, expect.stringContaining(last)]);
      expect(textOf(over)).toContain("Enter the address again");
      expect(over.html).not.toContain('name="code"');
    }
    expect(mails()).toBe(5);
    gateway.auth.time.advanceToNextHour();
    await signInAnew();
    const anew = await ask(await browser.open(page.path));
    expect(mails()).toBe(6);
    expect((await confirm(anew, gateway.auth.mailedCode())).html).toContain("Your e-mail address is changed");
  });

  it("leads to the account when its code is sent twice, and when it is opened again", async () => {
    const page = await askForChange();
    const code = gateway.auth.mailedCode();
    for (const click of [1, 2]) {
      const { path, html } = await confirm(page, code);
      expect([click, path, html]).toEqual([click, "/account?done=email-changed", expect.stringContaining(user)]);
    }
    expect((await browser.open(page.path)).path).toBe("/account");
  });

  it("says that a code no longer works where it hasn't changed the address", async () => {
    const page = await askForChange();
    const code = gateway.auth.mailedCode();
    wait(8 * LIFETIME_MS);
    const late = await confirm(page, code);
    expect([late.status, textOf(late)]).toEqual([422, expect.stringContaining("This code no longer works")]);
  });
});
