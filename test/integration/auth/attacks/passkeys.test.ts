import { generateKeyPairSync } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import type { PageBrowser } from "../../../../gateway/testing/page-browser.ts";
import { type AnswerChanges, SoftwareAuthenticator } from "../../../../services/auth/testing/software-authenticator.ts";
import { describeAuthWebOnEachDatabase, SESSION_COOKIE, type WebUser } from "../../../support/pages/auth-web.ts";
import { addPasskey, askQuestion, PASSKEY_SIGN_IN, PASSKEYS } from "../../../support/pages/web-passkeys.ts";
import { ISSUER } from "../../../support/processes/auth-fixture.ts";
import { SOON } from "../../../support/repository/polling.ts";

const AT_ONCE = 10;
const FIVE_MINUTES_MS = 300_000;
const HOST = new URL(ISSUER).hostname;

const isSignedIn = (browser: PageBrowser) => browser.cookies.has(SESSION_COOKIE);

describeAuthWebOnEachDatabase("passkeys", (web) => {
  let authenticator: SoftwareAuthenticator;
  beforeAll(async () => {
    authenticator = (await newOwner()).own;
  });

  /** Somebody with a passkey. */
  async function newOwner(): Promise<{ readonly user: WebUser; readonly own: SoftwareAuthenticator }> {
    const [user, own] = [await web().user(), new SoftwareAuthenticator({ origin: ISSUER })];
    expect((await addPasskey(user.browser, own)).path).toBe("/account?done=passkey-added");
    return { user, own };
  }

  /** Opens the sign-in in a browser, and asks its question. */
  async function begin(browser = web().browser()) {
    const page = await browser.open("/sign-in");
    const question = await askQuestion(browser, page, PASSKEY_SIGN_IN);
    const answer = (credential: string) => browser.send(page, { action: PASSKEY_SIGN_IN, fields: { credential } });
    return { browser, question, answer };
  }

  /** Signs in, with something about the answer changed. */
  async function signIn(changes: AnswerChanges = {}, by = authenticator): Promise<PageBrowser> {
    const { browser, question, answer } = await begin();
    const { status } = await answer(by.get(question, changes));
    expect(status).toBe(isSignedIn(browser) ? 200 : 422);
    return browser;
  }

  const strangersKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

  it.each<[step: string, changes: AnswerChanges]>([
    ["an answer for a new passkey (WebAuthn 7.2 step 11, type)", { type: "webauthn.create" }],
    ["an answer to no question of ours (WebAuthn 7.2 step 12, challenge)", { challenge: "A".repeat(43) }],
    ["an answer from a forged page (WebAuthn 7.2 step 13, origin)", { origin: "https://evil.example" }],
    ["an answer from a page by http (WebAuthn 7.2 step 13, origin)", { origin: `http://${HOST}` }],
    ["an answer from a page in a frame (WebAuthn 7.2 step 14, crossOrigin)", { crossOrigin: true }],
    ["an answer below a page of another origin (WebAuthn 7.2 step 15, topOrigin)", { topOrigin: ISSUER }],
    ["an answer for another site (WebAuthn 7.2 step 16, rpIdHash)", { rpId: "evil.example" }],
    ["an answer without anybody there (WebAuthn 7.2 step 17, UP)", { userPresent: false }],
    ["an answer of somebody unknown to the device (WebAuthn 7.2 step 18, UV)", { userVerified: false }],
    ["a backup of what can't be backed up (WebAuthn 7.2 step 19, BS)", { backedUp: true }],
    ["a passkey that can be backed up all at once (WebAuthn 7.2 step 20, BE)", { backupEligible: true }],
    ["an answer of another key (WebAuthn 7.2 step 22, signature)", { privateKey: strangersKey }],
    ["a passkey of nobody (WebAuthn 7.2 step 6, id)", { credentialId: "AAAA" }],
    ["another account's name (WebAuthn 7.2 step 6, userHandle)", { userHandle: "A".repeat(43) }],
  ])("don't sign in by %s", async (_, changes) => {
    expect(isSignedIn(await signIn(changes))).toBe(false);
    expect(isSignedIn(await signIn())).toBe(true);
  });

  it("of one account don't sign in to another by its name (WebAuthn 7.2 step 6, userHandle)", async () => {
    const mallory = await web().user();
    const key = new SoftwareAuthenticator({ origin: ISSUER });
    await addPasskey(mallory.browser, key);
    const { browser, question, answer } = await begin();
    const userHandle = authenticator.passkeys[0]?.userHandle ?? "";
    expect((await answer(key.get(question, { userHandle }))).status).toBe(422);
    expect(isSignedIn(browser)).toBe(false);
  });

  it("don't sign in by an answer that was seen: each question counts once (WebAuthn 13.4.3)", async () => {
    const { browser, question, answer } = await begin();
    const credential = authenticator.get(question);
    expect((await answer(credential)).path).toBe("/account");
    browser.cookies.delete(SESSION_COOKIE);
    expect((await answer(credential)).html).toContain("took too long");
    const other = await begin();
    expect((await other.answer(credential)).status).toBe(422);
    expect([isSignedIn(browser), isSignedIn(other.browser)]).toEqual([false, false]);
  });

  it("don't sign in by a question that another browser was asked, as a page that passes it on does (WebAuthn 13.4.3)", async () => {
    const [mallory, victim] = [await begin(), await begin()];
    const credential = authenticator.get(mallory.question);
    expect((await victim.answer(credential)).status).toBe(422);
    expect(isSignedIn(victim.browser)).toBe(false);
    // Neither has the attempt used the question up: nobody can prevent a sign-in of others.
    expect((await mallory.answer(credential)).status).toBe(200);
  });

  it("don't sign in by a question that is five minutes old (WebAuthn 13.4.3)", async () => {
    const { browser, question, answer } = await begin();
    web().service.time.advance(FIVE_MINUTES_MS);
    expect((await answer(authenticator.get(question))).status).toBe(422);
    expect(isSignedIn(browser)).toBe(false);
  });

  it(`sign in once by ${AT_ONCE} answers at once with the same counter, and warn the owner (WebAuthn 7.2 step 23, signCount)`, async () => {
    const { user, own } = await newOwner();
    const attempts = await Promise.all(Array.from({ length: AT_ONCE }, () => begin()));
    const answers = await Promise.all(
      attempts.map(({ question, answer }) => answer(own.get(question, { counter: 100 }))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ html }) => html.includes("there may be a copy"))).toHaveLength(AT_ONCE - 1);
    expect(attempts.filter(({ browser }) => isSignedIn(browser))).toHaveLength(1);
    // The answers don't wait for the mail.
    const isWarned = async () =>
      (await web().service.mails()).some(
        (mail) => mail.includes("A sign-in with your passkey was refused") && mail.includes(`\nTo: ${user.email}\n`),
      );
    await expect.poll(isWarned, SOON).toBe(true);
    expect(isSignedIn(await signIn({ counter: 99 }, own))).toBe(false);
    expect(isSignedIn(await signIn({ counter: 101 }, own))).toBe(true);
  });

  it(`sign in once by ${AT_ONCE} times the same answer at once (WebAuthn 13.4.3)`, async () => {
    const { question, answer } = await begin();
    const credential = authenticator.get(question);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => answer(credential)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it.each<[step: string, changes: AnswerChanges]>([
    ["an answer of a sign-in (WebAuthn 7.1 step 7, type)", { type: "webauthn.get" }],
    ["an answer to no question of ours (WebAuthn 7.1 step 8, challenge)", { challenge: "A".repeat(43) }],
    ["an answer from a forged page (WebAuthn 7.1 step 9, origin)", { origin: "https://evil.example" }],
    ["an answer from a page in a frame (WebAuthn 7.1 step 10, crossOrigin)", { crossOrigin: true }],
    ["an answer below a page of another origin (WebAuthn 7.1 step 11, topOrigin)", { topOrigin: ISSUER }],
    ["an answer for another site (WebAuthn 7.1 step 14, rpIdHash)", { rpId: "evil.example" }],
    ["an answer without anybody there (WebAuthn 7.1 step 15, UP)", { userPresent: false }],
    ["an answer of somebody unknown to the device (WebAuthn 7.1 step 16, UV)", { userVerified: false }],
    ["a backup of what can't be backed up (WebAuthn 7.1 step 17, BS)", { backedUp: true }],
    ["a key of an algorithm that wasn't asked for (WebAuthn 7.1 step 20, alg)", { algorithm: -47 }],
  ])("aren't added by %s", async (_, changes) => {
    const somebody = await web().user();
    expect((await addPasskey(somebody.browser, new SoftwareAuthenticator({ origin: ISSUER }), changes)).status).toBe(
      422,
    );
    expect((await somebody.browser.open(PASSKEYS)).html).not.toContain("passkeys/remove");
  });

  it("aren't added to the account of whoever opens a page of somebody else (WebAuthn 7.1 step 8; login CSRF)", async () => {
    const [mallory, victim] = [await web().user(), await web().user()];
    const question = await askQuestion(mallory.browser, await mallory.browser.open(PASSKEYS), PASSKEYS);
    const credential = new SoftwareAuthenticator({ origin: ISSUER }).create(question);
    const page = await victim.browser.open(PASSKEYS);
    expect((await victim.browser.send(page, { action: PASSKEYS, fields: { credential } })).status).toBe(422);
    const forged = { action: PASSKEYS, fields: { credential }, headers: { "sec-fetch-site": "cross-site" } };
    expect((await victim.browser.send(page, forged)).status).toBe(403);
    expect((await victim.browser.open(PASSKEYS)).html).not.toContain("passkeys/remove");
  });

  it("aren't taken over by who adds them again (WebAuthn 7.1 step 26, credentialId)", async () => {
    const mallory = await web().user();
    const key = new SoftwareAuthenticator({ origin: ISSUER });
    const credentialId = authenticator.passkeys[0]?.credentialId ?? "";
    expect((await addPasskey(mallory.browser, key, { credentialId })).html).toContain(
      "An account has this passkey already.",
    );
    const { browser, question, answer } = await begin();
    expect((await answer(key.get(question))).status).toBe(422);
    expect(isSignedIn(browser)).toBe(false);
    expect(isSignedIn(await signIn())).toBe(true);
  });

  it("aren't added under another ID than the one that the authenticator gave (WebAuthn 7.1 step 26, credentialId)", async () => {
    const { browser } = await web().user();
    const page = await browser.open(PASSKEYS);
    const made = new SoftwareAuthenticator({ origin: ISSUER }).create(await askQuestion(browser, page, PASSKEYS));
    const credential = JSON.stringify({ ...JSON.parse(made), id: "AAAA", rawId: "AAAA" });
    expect((await browser.send(page, { action: PASSKEYS, fields: { credential } })).status).toBe(422);
    expect((await browser.open(PASSKEYS)).html).not.toContain("passkeys/remove");
  });

  it("are asked for by pages of ours only, and answered by none of a larger size", async () => {
    const { browser, question } = await begin();
    const page = await browser.open("/sign-in");
    const elsewhere = { action: PASSKEY_SIGN_IN, headers: { "sec-fetch-site": "cross-site" } };
    expect((await browser.send(page, elsewhere)).status).toBe(403);
    const credential = `${authenticator.get(question)}${" ".repeat(16_384)}`;
    expect((await browser.send(page, { action: PASSKEY_SIGN_IN, fields: { credential } })).status).toBe(413);
    expect(isSignedIn(browser)).toBe(false);
  });

  it("of a deleted account sign in to nothing", async () => {
    const { accounts } = web().service.as("gateway");
    const { own } = await newOwner();
    const browser = await signIn({}, own);
    await accounts.deleteAccount({ sessionToken: browser.cookies.get(SESSION_COOKIE) ?? "" });
    expect(isSignedIn(await signIn({}, own))).toBe(false);
  });
});
