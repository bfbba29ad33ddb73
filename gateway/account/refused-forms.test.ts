import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { REPOSITORY_ROOT, readRepository } from "../../test/support/repository/repository.ts";
import { authorizePath, type FullGateway, harbourPortal, startFullGateway } from "../testing/auth-gateway.ts";
import { addEntity } from "../testing/own-entities.ts";
import { hiddenFieldsOf, PageBrowser, type ShownPage } from "../testing/page-browser.ts";
import { EMAIL_ATTRIBUTES } from "../web/pages/email-entry.ts";
import { canKeep } from "../web/sessions/sealed-refusal.ts";

const WAIT_MS = 73 * 3_600_000;
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const CODE = "/sign-in/code";
const BY_PASSKEY = "/sign-in/passkey";

let gateway: FullGateway;
let browser: PageBrowser;
/** Somebody new in each test. */
let user: string;
beforeAll(async () => {
  gateway = await startFullGateway();
  await harbourPortal(gateway.auth);
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.auth.faults.reset();
  gateway.entities.faults.reset();
  browser = new PageBrowser(gateway.origin);
  user = `${randomUUID()}@example.org`;
});

type Fields = Readonly<Record<string, string>>;

/** Opens a page and sends a form of it. */
async function send(path: string, action: string, fields: Fields = {}): Promise<ShownPage> {
  return browser.send(await browser.open(path), { action, fields });
}

/** Sends a form of a page as somebody who has signed in. */
async function signedIn(path: string, fields: Fields, action = path): Promise<ShownPage> {
  await haveSession();
  return send(path, action, fields);
}

async function haveSession(by: "code" | "passkey" = "passkey"): Promise<void> {
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email: user, by }));
}

/** Answers the question of a page as a passkey of another site. */
async function badPasskey(page: ShownPage, action: string): Promise<ShownPage> {
  const { authenticator } = gateway.auth.people;
  const question = await browser.post(`${action}/question`, Object.fromEntries(hiddenFieldsOf(page.html, action)));
  const kind = action === BY_PASSKEY ? "get" : "create";
  const credential = authenticator[kind](question.html, { rpId: "evil.example" });
  return browser.send(page, { action, fields: { credential } });
}

async function badSignIn(path: string): Promise<ShownPage> {
  await gateway.auth.addPasskey("Laptop", user);
  return badPasskey(await browser.open(path), BY_PASSKEY);
}

/** Enters wrong codes for a sign-in. */
async function wrongCodes(path: string, count = 1, code = "BBBB-BBBB"): Promise<ShownPage> {
  let page = await send(path, "/sign-in", { email: user });
  for (let sent = 0; sent < count; sent += 1) {
    page = await browser.send(page, { action: CODE, fields: { code } });
  }
  return page;
}

/** Signs in on a device that could keep a passkey, which is offered. */
async function offered(): Promise<ShownPage> {
  const page = await send("/sign-in", "/sign-in", { email: user });
  const fields = { code: gateway.auth.mailedCode(), passkeys: "possible" };
  return browser.send(page, { action: CODE, fields });
}

/** Completes a recovery before its 72 hours are over, on a page that was opened after them. */
async function recoverTooEarly(path: string, arrive: () => Promise<unknown>): Promise<ShownPage> {
  await gateway.auth.addPasskey("Laptop", user);
  const value = await gateway.auth.signIn({ email: user });
  await gateway.auth.people.accounts.beginRecovery({ proof: { proof: { case: "sessionToken", value } } });
  gateway.auth.time.advance(WAIT_MS);
  await arrive();
  const page = await browser.open(path);
  gateway.auth.time.advance(-WAIT_MS);
  return browser.send(page, { action: path });
}

async function enterCodeOfPasskeyOwner(): Promise<void> {
  const sessionToken = await gateway.auth.signIn({ email: user, by: "passkey" });
  await gateway.auth.people.accounts.setPasskeyRequired({ sessionToken, required: true });
  const page = await send("/sign-in", "/sign-in", { email: user });
  await browser.send(page, { action: CODE, fields: { code: gateway.auth.mailedCode() } });
}

async function takenAddress(): Promise<ShownPage> {
  const email = `${randomUUID()}@example.org`;
  await gateway.auth.signIn({ email });
  const page = await signedIn("/account/email", { email });
  return browser.send(page, { action: "/account/email/code", fields: { code: gateway.auth.mailedCode() } });
}

async function wrongCodeOfChange(): Promise<ShownPage> {
  const page = await signedIn("/account/email", { email: `${randomUUID()}@example.org` });
  return browser.send(page, { action: "/account/email/code", fields: { code: "BBBB-BBBB" } });
}

async function badRenaming(): Promise<ShownPage> {
  await gateway.auth.addPasskey("Laptop", user);
  return signedIn("/account/passkeys", { name: "a/b" }, "/account/passkeys/rename");
}

/** Has auth or the entities service refuse a call. */
function refuseCall(of: "auth" | "entities", method: string): void {
  gateway[of].faults.failures.set(method, new ConnectError("this can't be", Code.FailedPrecondition));
}

async function keepPasskey(): Promise<ShownPage> {
  await gateway.auth.addPasskey("Laptop", user);
  refuseCall("auth", "RemovePasskey");
  return signedIn("/account/passkeys", {}, "/account/passkeys/remove");
}

/** Sends the first form of a page of an entity. */
async function entityForm(page: string, fields: Fields = {}): Promise<ShownPage> {
  const { uuid } = await addEntity(gateway, {}, user);
  return signedIn(`/account/entities/${uuid}${page}`, fields);
}

/** The number of calls that change something, such as the tries of a code. */
function changingCalls(): number {
  const calls = [gateway.auth, gateway.entities].flatMap(({ faults }) => faults.calls);
  return calls.filter(({ method }) => !/^(?:Get|List|Continue|Issue)/.test(method)).length;
}

async function keepEntity(): Promise<ShownPage> {
  refuseCall("entities", "DeleteEntity");
  return entityForm("/delete");
}

/** Asks for the text to sign. */
const textToSign = () => entityForm("/wallet", { address: WALLET, chain: "1" });

async function badSignature(): Promise<ShownPage> {
  const page = await textToSign();
  return browser.send(page, { action: page.path.replace(/\?.*/, ""), fields: { signature: "none" } });
}

type Refusal = readonly [form: string, what: string, refuse: () => Promise<ShownPage>, shown: string];

/** Forms that are refused, with a text that their page then shows. */
const REFUSALS: readonly Refusal[] = [
  ["/sign-in", "no address", () => send("/sign-in", "/sign-in", { email: "alice@" }), 'value="alice@"'],
  ["/sign-in", "no address, to an application", () => send(authorizePath(), "/sign-in", { email: "bob" }), '"bob"'],
  [
    "/sign-in",
    "no address, once more",
    () => send("/sign-in?next=email&again=1", "/sign-in", { email: "bob" }),
    "Confirm that it’s you",
  ],
  [CODE, "a wrong code", () => wrongCodes("/sign-in"), "4 tries left"],
  [CODE, "a wrong code, to an application", () => wrongCodes(authorizePath()), "4 tries left"],
  [CODE, "six times no code", () => wrongCodes("/sign-in", 6, "hello"), "It didn’t count as a try."],
  [CODE, "after five tries", () => wrongCodes("/sign-in", 5), "Get a new code"],
  [BY_PASSKEY, "another site’s passkey", () => badSignIn("/sign-in"), "wasn’t accepted"],
  [BY_PASSKEY, "another site’s passkey, to an application", () => badSignIn(authorizePath()), "wasn’t accepted"],
  [
    BY_PASSKEY,
    "where only a passkey will do",
    () => badSignIn("/sign-in?next=email&again=1&passkey=1"),
    "<p>This passkey wasn’t accepted. Please try again.</p>",
  ],
  [
    "/account/passkeys",
    "when it is offered",
    async () => badPasskey(await offered(), "/account/passkeys"),
    "wasn’t accepted",
  ],
  ["/account/passkeys", "a name", () => signedIn("/account/passkeys", { name: "a/b" }), 'value="a/b"'],
  ["/account/passkeys/rename", "a name", badRenaming, 'value="a/b"'],
  ["/account/passkeys/remove", "the last one", keepPasskey, "still needed"],
  [
    "/account/recovery",
    "too early",
    () => recoverTooEarly("/account/recovery", () => haveSession("code")),
    "72 hours aren’t over",
  ],
  [
    "/sign-in/recovery",
    "too early",
    () => recoverTooEarly("/sign-in/recovery", enterCodeOfPasskeyOwner),
    "72 hours aren’t over",
  ],
  ["/account/email", "no address", () => signedIn("/account/email", { email: "alice@" }), 'value="alice@"'],
  ["/account/email/code", "a wrong code", wrongCodeOfChange, "4 tries left"],
  ["/account/email/code", "another’s address", takenAddress, "Another account has this address."],
  ["/account/delete", "without being sure", () => signedIn("/account/delete", {}), "Tick the box"],
  ["/account/entities/new", "without a name", () => signedIn("/account/entities/new", {}), "Enter a name"],
  [
    "/account/entities/new",
    "no country",
    () => signedIn("/account/entities/new", { label: "Alice", country: "Atlantis" }),
    'value="Atlantis"',
  ],
  ["/account/entities/{sale}", "no country", () => entityForm("", { country: "Atlantis" }), 'value="Atlantis"'],
  ["/account/entities/{sale}/wallet", "no wallet", () => entityForm("/wallet", { address: "none" }), 'value="none"'],
  ["/account/entities/{sale}/wallet", "no signature", badSignature, `value="${WALLET}"`],
  ["/account/entities/{sale}/delete", "by the service", keepEntity, "This can&#39;t be."],
];

/** Forms that aren't shown again when something is wrong with them. */
const NEVER_SHOWN_AGAIN: Readonly<Record<string, string>> = {
  "/sign-in/passkey/question": "for the script of passkeys",
  "/account/passkeys/question": "for the script of passkeys",
  "/account/passkeys/offer": "declines, which nothing refuses",
  "/account/passkey-rule": "leads to the account in any case",
  "/account/sessions/end": "has nothing to enter",
  "/account/sessions/end-others": "has nothing to enter",
  "/account/applications/withdraw": "has nothing to enter",
  "/account/liveness": "has nothing to enter",
  "/account/alerts": "shows what is stored",
  "/sign-out": "has nothing to enter",
};

it("the text that a wallet signs has an address, at which a reload shows the same text in this session only", async () => {
  const page = await textToSign();
  const [, text = ""] = /class="detail sign-text"[^>]*><span[^>]*>([^<]+)</.exec(page.html) ?? [];
  expect([page.status, text]).toEqual([200, expect.stringContaining(`\n${WALLET}\n`)]);
  const changes = changingCalls();
  expect(await browser.open(page.path)).toMatchObject({ status: 200, html: page.html });
  expect(changingCalls()).toBe(changes);
  await haveSession();
  expect((await browser.open(page.path)).html).not.toContain("sign-text");
});

describe("a form that is refused", () => {
  it.each(REFUSALS)("%s: %s", async (_, __, refuse, shown) => {
    const page = await refuse();
    expect([page.status, page.path]).toEqual([422, expect.stringMatching(/[?&]step=[\w-]{22}$/)]);
    expect(page.html).toContain(shown);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    // The token is random, and may have these letters.
    const withoutToken = page.path.replace(/(?<=[?&]step=)[\w-]{22}$/, "");
    expect(decodeURIComponent(withoutToken)).not.toMatch(/@|BBBB|bob|Atlantis/);
    const changes = changingCalls();
    const again = await browser.open(page.path);
    expect([again.status, again.html]).toEqual([422, page.html]);
    expect(changingCalls()).toBe(changes);
    // The same address opens nothing in a browser that has the session and not the refusal.
    const other = new PageBrowser(gateway.origin);
    for (const [name, value] of browser.cookies) if (!name.includes("step-")) other.cookies.set(name, value);
    expect((await other.open(page.path)).html).not.toContain("There is a problem");
  });

  it("is one of these, for every form of the sign-in and the account", () => {
    const recorded = readRepository("gateway/testing/routes/the-host-for-sign-in.txt");
    const posts = Array.from(recorded.matchAll(/^(\/(?:sign-in|sign-out|account)[^:?]*)(?:\?[^:]*)?: (.*)$/gm));
    const forms = posts.flatMap(([, path = "", answers = ""]) =>
      / (?:[A-Z]+,)*POST(?:,[A-Z]+)* (?:404|405)/.test(` ${answers}`) ? [] : [path],
    );
    const listed = [...REFUSALS.map(([form]) => form), ...Object.keys(NEVER_SHOWN_AGAIN)];
    expect([...new Set(forms)].toSorted()).toEqual([...new Set(listed)].toSorted());
    expect(forms.length).toBeGreaterThan(20);
  });
});

/** Files of forms with more than a step keeps. Their pages answer a refused form themselves, and after a failure a reload sends it again. */
const LONG_FORMS = ["account/entities/setup-form.ts", "account/entities/wallet-link.ts"];
/** A failure is kept beside what was entered. */
const ERROR_ID = randomUUID();

const EMAIL_CHARACTERS = Number(/maxlength="(\d+)"/.exec(String(EMAIL_ATTRIBUTES))?.[1]);

/** Returns the lengths of all fields of a file, in UTF-16 units as a browser counts them; NaN for one that can't be known. */
function fieldLengths(text: string): readonly number[] {
  const named = (name: string) => Number(new RegExp(`const ${name} = (\\d+);`).exec(text)?.[1]);
  const literal = (length: string) => (/^\d+$/.test(length) ? Number(length) : named(length.slice(2, -1)));
  const lengths = Array.from(text.matchAll(/\bmaxlength="([^"]+)"/g), ([, length = ""]) => literal(length));
  return [...lengths, ...Array.from(text.matchAll(/\bEMAIL_ATTRIBUTES\}/g), () => EMAIL_CHARACTERS)];
}

/** Whether a step keeps fields of these lengths, also with letters of three bytes a unit. */
function fitsStep(lengths: readonly number[]): boolean {
  const entries = lengths.map((length, index) => [`longest-name-${index}`, "\u20ac".repeat(length)]);
  return canKeep({ problem: "internal", values: { ...Object.fromEntries(entries), error_id: ERROR_ID } });
}

it("keeps whatever fits into the fields of a form together, but for long ones whose forms answer themselves", () => {
  const folders = ["account", "sign-in", "oauth", "web/pages"];
  const files = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.ts`, { cwd: join(REPOSITORY_ROOT, "gateway") }).filter(
      (file) => !file.endsWith(".test.ts"),
    ),
  );
  const forms = files.flatMap((file) => {
    const lengths = fieldLengths(readRepository(`gateway/${file}`));
    return lengths.length === 0 ? [] : [{ file, lengths }];
  });
  expect(forms.length).toBeGreaterThan(5);
  expect(forms.flatMap(({ lengths }) => lengths)).not.toContain(Number.NaN);
  const long = forms.filter(({ lengths }) => !fitsStep(lengths)).map(({ file }) => file);
  expect(long.toSorted()).toEqual(LONG_FORMS);
  expect([fitsStep([256]), fitsStep([256, 256])]).toEqual([true, false]);
});
