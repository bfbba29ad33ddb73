import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { Hono } from "hono";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bytesOfHex } from "../../common/platform/encoding/hex.ts";
import { Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { ensureSaleEntity } from "../../services/entities/entities/sale-entities-store.ts";
import { SOON } from "../../test/support/repository/polling.ts";
import { authorizePath, type FullGateway, harbourPortal, startFullGateway } from "../testing/auth-gateway.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { harbourAuction } from "../testing/founder-site.ts";
import { addEntity } from "../testing/own-entities.ts";
import { hiddenFieldsOf, PageBrowser, type SentForm, type ShownPage } from "../testing/page-browser.ts";
import { routeTable } from "../testing/route-table.ts";
import type { AuthEnv } from "../web/http/hono-context.ts";

/** Long, so that a slow machine shows the same number of minutes. */
const WAIT_S = 3_000;
/** Before a request that wants an account to be chosen. */
const SIGNED_IN_MS = 60_000;
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const LIMITED = new ConnectError("slow down", Code.ResourceExhausted, { "retry-after": String(WAIT_S) });
const FAILURES = [
  { kind: "a rate limit", error: LIMITED, status: 429, shown: "Please try again in 50 minutes." },
  {
    kind: "an upstream that is away",
    error: new ConnectError("away", Code.Unavailable),
    status: 503,
    shown: "We can’t answer at the moment. Please try again in a minute.",
  },
  {
    kind: "a call that takes too long",
    error: new ConnectError("late", Code.DeadlineExceeded),
    status: 503,
    shown: "We can’t answer at the moment.",
  },
  { kind: "a defect", error: new ConnectError("bug", Code.Internal), status: 500, shown: "For support: error ID " },
] as const;

let gateway: FullGateway;
let browser: PageBrowser;
/** Somebody new in each test. */
let user: string;
beforeAll(async () => {
  gateway = await startFullGateway();
  await harbourPortal(gateway.auth);
  const draft = { saleUuid: SALE, tenancy: Tenancy.TEST, definition: harbourAuction() };
  await gateway.sales.as("operator").sales.createSale(draft);
});
afterAll(() => gateway.stop());
beforeEach(() => {
  resetFaults();
  browser = new PageBrowser(gateway.origin);
  user = `${randomUUID()}@example.org`;
});

function resetFaults(): void {
  gateway.auth.faults.reset();
  gateway.entities.faults.reset();
}

/** A page with a form on it. */
interface FormPage extends Pick<SentForm, "fields"> {
  readonly page: ShownPage;
  /** A text of the page after a failure, by which it has what was entered. */
  readonly typed?: string | RegExp;
}

const open = async (path: string, entries: Omit<FormPage, "page"> = {}): Promise<FormPage> => ({
  page: await browser.open(path),
  ...entries,
});

/** Opens a page as somebody who has signed in. */
async function signedIn(path: string, entries: Omit<FormPage, "page"> = {}, by: "code" | "passkey" = "passkey") {
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email: user, by, ageMs: SIGNED_IN_MS }));
  return open(path, entries);
}

const askForCode = async (path = "/sign-in") =>
  browser.send(await browser.open(path), { action: "/sign-in", fields: { email: user } });

/** Asks a passkey on a page, and returns the fields of its answer. */
async function passkeyOn(page: ShownPage, action: string, kind: "get" | "create"): Promise<FormPage> {
  const question = await browser.post(`${action}/question`, Object.fromEntries(hiddenFieldsOf(page.html, action)));
  return { page, fields: { credential: gateway.auth.people.authenticator[kind](question.html) } };
}

async function passkeySignIn(): Promise<FormPage> {
  await gateway.auth.addPasskey("Laptop", user);
  return passkeyOn(await browser.open("/sign-in"), "/sign-in/passkey", "get");
}

async function newPasskey(): Promise<FormPage> {
  const { page } = await signedIn("/account/passkeys");
  const { fields } = await passkeyOn(page, "/account/passkeys", "create");
  return { page, fields: { ...fields, name: "Blue key" }, typed: 'value="Blue key"' };
}

async function ownPasskey(entries: Omit<FormPage, "page"> = {}): Promise<FormPage> {
  await gateway.auth.addPasskey("Laptop", user);
  return signedIn("/account/passkeys", entries);
}

/** Opens the page of a recovery that can be completed. */
async function recovery(path: string, arrive: () => Promise<unknown>): Promise<FormPage> {
  await gateway.auth.addPasskey("Laptop", user);
  await arrive();
  return open(path);
}

async function arriveByPass(): Promise<void> {
  const sessionToken = await gateway.auth.signIn({ email: user, by: "passkey" });
  await gateway.auth.people.accounts.setPasskeyRequired({ sessionToken, required: true });
  const page = await askForCode();
  await browser.send(page, { action: "/sign-in/code", fields: { code: gateway.auth.mailedCode() } });
}

async function codeOfChange(): Promise<FormPage> {
  const email = `${randomUUID()}@example.org`;
  const { page } = await signedIn("/account/email");
  const code = await browser.send(page, { action: "/account/email", fields: { email } });
  return { page: code, fields: { code: gateway.auth.mailedCode() } };
}

async function ofEntity(page: string, entries: Omit<FormPage, "page"> = {}): Promise<FormPage> {
  const { uuid } = await addEntity(gateway, {}, user);
  return signedIn(`/account/entities/${uuid}${page}`, entries);
}

async function presence(): Promise<FormPage> {
  const entity = await ensureSaleEntity(gateway.entities.context, SALE, await addEntity(gateway, {}, user), user);
  return signedIn(`/account/liveness?sale=${SALE}&entity=${entity.publicUuid}`);
}

async function otherSession(): Promise<FormPage> {
  await gateway.auth.signIn({ email: user });
  return signedIn("/account");
}

async function consented(): Promise<FormPage> {
  const consent = await signedIn(authorizePath({ scope: "openid email" }));
  await browser.send(consent.page, { action: "/oauth/consent", fields: { decision: "allow" } });
  return open("/account");
}

/** Opens the account of a person with a wallet in a sale, about which they are mailed. */
async function askedAlerts(): Promise<FormPage> {
  const { uuid } = await addEntity(gateway, {}, user);
  const wallet = Buffer.from(uuid.replaceAll("-", "").padEnd(40, "0"), "hex");
  const times = { bound_at_ms: 1n, permit_expires_at_ms: 2n, proved_at_ms: null, chain_id: 0n };
  const row = { sale: bytesOfHex(SALE), wallet, kind: "evm" as const, entity: bytesOfHex(uuid), ...times };
  await gateway.entities.context.database.write((transaction) =>
    transaction.insertInto("sale_wallet").values(row).execute(),
  );
  return signedIn("/account");
}

const box = (name: string) => new RegExp(`name="${name}" value="yes" checked`);

/** The way to each form, by the path that takes it. */
const FORMS: Readonly<Record<string, () => Promise<FormPage>>> = {
  "/sign-in": () => open("/sign-in", { fields: { email: "alice@example.org" }, typed: 'value="alice@example.org"' }),
  "/sign-in/code": async () => ({ page: await askForCode(), fields: { code: gateway.auth.mailedCode() } }),
  "/sign-in/passkey": passkeySignIn,
  "/sign-in/recovery": () => recovery("/sign-in/recovery", arriveByPass),
  "/account/recovery": () => recovery("/account/recovery", () => signedIn("/account/recovery", {}, "code")),
  "/oauth/consent": () => signedIn(authorizePath({ scope: "email" }), { fields: { decision: "allow" } }),
  "/oauth/choose-account": () => signedIn(authorizePath({ prompt: "select_account", scope: "openid" })),
  "/oauth/logout/confirm": () => signedIn("/oauth/logout", { fields: { end_tokens: "yes" }, typed: box("end_tokens") }),
  "/sign-out": async () => ({ ...(await consented()), fields: { end_tokens: "yes" } }),
  "/account/sessions/end": otherSession,
  "/account/sessions/end-others": otherSession,
  "/account/applications/withdraw": consented,
  "/account/email": () =>
    signedIn("/account/email", { fields: { email: "new@example.org" }, typed: 'value="new@example.org"' }),
  "/account/email/code": codeOfChange,
  "/account/passkeys": newPasskey,
  "/account/passkeys/rename": () => ownPasskey({ fields: { name: "Red key" }, typed: 'value="Red key"' }),
  "/account/passkeys/remove": ownPasskey,
  "/account/passkey-rule": () => gateway.auth.addPasskey("Laptop", user).then(() => signedIn("/account/passkey-rule")),
  "/account/delete": () => signedIn("/account/delete", { fields: { sure: "yes" }, typed: box("sure") }),
  "/account/liveness": presence,
  "/account/alerts": askedAlerts,
  "/account/entities/new": () =>
    signedIn("/account/entities/new", {
      fields: { type: "organization", label: "Alice", country: "Ghana" },
      typed: 'value="Ghana"',
    }),
  "/account/entities/:entity": () => ofEntity("", { fields: { country: "Ghana" }, typed: 'value="Ghana"' }),
  "/account/entities/:entity/wallet": () =>
    ofEntity("/wallet", { fields: { address: WALLET, chain: "1" }, typed: `value="${WALLET}"` }),
  "/account/entities/:entity/delete": () => ofEntity("/delete"),
};

/** Paths that take a POST and lead to no page of a form. */
const WITHOUT_PAGE: Readonly<Record<string, string>> = {
  "/oauth/par": "for applications",
  "/oauth/token": "for applications",
  "/oauth/revoke": "for applications",
  "/oauth/introspect": "for servers",
  "/oauth/userinfo": "for applications",
  "/oauth/authorize": "calls nothing",
  "/oauth/logout": "of an application’s page, without our cookies",
  "/sign-in/passkey/question": "for the script of passkeys",
  "/account/passkeys/question": "for the script of passkeys",
  "/account/passkeys/offer": "calls nothing",
  "/account/alerts/stop": "for mail programs, without our cookies",
};

/** Returns the paths of sign-in, OAuth and account that take a POST. */
function posts(): string[] {
  const app = new Hono<AuthEnv>();
  for (const [path, owner, , route] of routeTable()) {
    if ((owner === "account" || owner === "oauth") && typeof route !== "function") route.register(app, path);
  }
  return [...new Set(app.routes.flatMap(({ method, path }) => (method === "POST" ? [path] : [])))];
}

/** Returns how many requests were answered with a status, as metrics count them. */
async function counted(status: number): Promise<number> {
  const metric = await gateway.registry.getSingleMetric("tidemark_gateway_auth_requests_total")?.get();
  const values = metric?.values.filter(({ labels }) => labels["status"] === status) ?? [];
  return values.reduce((sum, { value }) => sum + value, 0);
}

it("every form of sign-in and account is one of these", () => {
  expect(posts().toSorted()).toEqual([...Object.keys(FORMS), ...Object.keys(WITHOUT_PAGE)].toSorted());
});

/** Returns how a call fails: a first one by a limit and by an absence, which the others have by turns with the rest. */
const failuresOf = (call: number) =>
  call === 1 ? FAILURES.slice(0, 2) : FAILURES.filter((_, index) => index === call % FAILURES.length);

describe("a form, whichever of its calls fails,", () => {
  it.each(Object.entries(FORMS))("%s leads to its page, which shows why and what was entered", async (route, reach) => {
    const { page, fields = {}, typed = "" } = await reach();
    const action = route.replace(":entity", /entities\/([^/?]+)/.exec(page.path)?.[1] ?? "");
    const expected = new Map<number, number>();
    for (const { status } of FAILURES) expected.set(status, await counted(status));
    let failed = 0;
    for (const { faults } of [gateway.auth, gateway.entities]) {
      let wasCalled = true;
      for (let call = 1; wasCalled; call += 1) {
        for (const { error, status, shown } of failuresOf(call)) {
          resetFaults();
          faults.failureOf = { call, error };
          // A form whose calls of auth are over does nothing yet.
          if (faults === gateway.auth.faults) gateway.entities.faults.failure = error;
          const answer = await browser.sendOnly(page, { action, fields });
          wasCalled = faults.calls.length >= call;
          const isAnswered = wasCalled || gateway.entities.faults.failure !== undefined;
          resetFaults();
          // Where the form has fewer calls of auth, it has met the next service.
          if (isAnswered && answer.status === 303 && answer.leftTo?.includes("step=")) {
            expected.set(status, (expected.get(status) ?? 0) + 1);
          }
          if (!wasCalled) break;
          failed += 1;
          expect([answer.status, answer.leftTo]).toEqual([303, expect.stringMatching(/[?&]step=[\w-]{22}$/)]);
          expect(answer.headers.get("retry-after")).toBeNull();
          const back = await browser.open(answer.leftTo ?? "");
          expect([back.status, back.path, back.html]).toEqual([422, answer.leftTo, expect.stringContaining(shown)]);
          expect(back.html).toMatch(typed);
          if (call === 1) expect((await browser.open(back.path)).html).toBe(back.html);
        }
      }
    }
    for (const [status, count] of expected) await expect.poll(() => counted(status), SOON).toBe(count);
    expect(failed).toBeGreaterThan(0);
  });
});

describe("a form that fails", () => {
  const AWAY = FAILURES[1].error;
  const answered = ({ status, leftTo, headers }: ShownPage) => [status, leftTo, headers.get("retry-after")];

  it("shows the text to sign and its signature again", async () => {
    const address = await ofEntity("/wallet");
    const action = address.page.path;
    const page = await browser.send(address.page, { action, fields: { address: WALLET, chain: "1" } });
    const signature = `0x${"ab".repeat(65)}`;
    gateway.entities.faults.failures.set("CompleteWalletLink", LIMITED);
    const back = await browser.send(page, { action, fields: { signature } });
    const [, text] = /class="detail sign-text"[^>]*>(<span[^>]*>[^<]+<)/.exec(page.html) ?? [];
    expect([back.status, back.html]).toEqual([422, expect.stringContaining(text ?? "none")]);
    expect(back.html).toContain(`value="${signature}"`);
    expect(hiddenFieldsOf(back.html, action)).toEqual(hiddenFieldsOf(page.html, action));
  });

  it("shows the boxes of the consent page as they were ticked", async () => {
    const { page } = await signedIn(authorizePath({ scope: "contact_email read_entities" }));
    gateway.auth.faults.failures.set("DecideConsent", AWAY);
    const answer = (fields: SentForm["fields"] = {}) =>
      browser.send(page, { action: "/oauth/consent", fields: { decision: "allow", ...fields } });
    const isTicked = ({ html }: ShownPage) => /name="scope" value="contact_email" checked/.test(html);
    expect(isTicked(await answer())).toBe(false);
    expect(isTicked(await answer({ scope: "contact_email" }))).toBe(true);
    gateway.auth.faults.reset();
    expect((await answer()).leftTo).toContain("code=");
  });

  it("shows the page for a code where another one couldn’t be sent", async () => {
    const page = await askForCode();
    gateway.auth.faults.failures.set("BeginSignIn", LIMITED);
    const back = await browser.send(page, { action: "/sign-in" });
    expect([back.status, back.path]).toEqual([422, expect.stringContaining(page.path.split("?")[1] ?? "none")]);
    gateway.auth.faults.reset();
    const fields = { code: gateway.auth.mailedCode() };
    expect((await browser.send(back, { action: "/sign-in/code", fields })).path).toBe("/account");
  });

  it("leads to a page that says itself that an upstream is away, without another redirect, and is there once that is back", async () => {
    const { page } = await signedIn("/account/email");
    gateway.auth.faults.failure = AWAY;
    const away = await browser.send(page, { action: "/account/email", fields: { email: "new@example.org" } });
    expect([away.status, away.path]).toEqual([503, expect.stringMatching(/^\/account\/email\?step=/)]);
    expect((await browser.open(away.path)).status).toBe(503);
    gateway.auth.faults.reset();
    expect(await browser.open(away.path)).toMatchObject({
      status: 422,
      html: expect.stringContaining("new@example.org"),
    });
  });

  it.each([
    ["by a script", { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty" }],
    ["by a program", { "sec-fetch-site": "same-origin", accept: "application/json" }],
  ])("has its status where it was sent %s", async (_, headers) => {
    const { page } = await signedIn("/account");
    gateway.auth.faults.failures.set("EndOtherSessions", LIMITED);
    await gateway.auth.signIn({ email: user });
    const several = await browser.open(page.path);
    const answer = await browser.sendOnly(several, { action: "/account/sessions/end-others", headers });
    expect(answered(answer)).toEqual([429, undefined, String(WAIT_S)]);
  });

  it.each(["/sign-in", "/account/passkeys"])("of a passkey’s question on %s has its status", async (path) => {
    await gateway.auth.addPasskey("Laptop", user);
    const { page } = path === "/sign-in" ? await open(path) : await signedIn(path);
    gateway.auth.faults.failures.set("BeginPasskeySignIn", AWAY);
    gateway.auth.faults.failures.set("BeginPasskeyAddition", AWAY);
    const action = path === "/sign-in" ? "/sign-in/passkey" : path;
    const answer = await browser.post(`${action}/question`, Object.fromEntries(hiddenFieldsOf(page.html, action)));
    expect(answered(answer)).toEqual([503, undefined, "1"]);
  });

  it("has a page of its own with the way on where the browser has no cookie any more", async () => {
    const { page } = await signedIn("/account");
    browser.cookies.clear();
    gateway.auth.faults.failures.set("SignOut", LIMITED);
    const own = await browser.send(page, { action: "/sign-out" });
    expect(answered(own)).toEqual([429, undefined, String(WAIT_S)]);
    expect(own.html).toContain('<a class="button secondary" href="/account">Show it again</a>');
    gateway.auth.faults.failures.set("BeginLogout", AWAY);
    const ofApplication = await browser.post("/oauth/logout", {});
    expect(answered(ofApplication)).toEqual([503, undefined, "1"]);
    expect(ofApplication.html).toContain('href="/oauth/logout"');
  });
});
