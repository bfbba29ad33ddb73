import { Code, ConnectError } from "@connectrpc/connect";
import type { Browser, BrowserContextOptions, Page, Route } from "playwright-core";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { entityPaths, NEW_ENTITY_PATH } from "../../gateway/account/entities/entity-paths.ts";
import {
  authorizePath,
  CLIENT_ID,
  type FullGateway,
  harbourPortal,
  LOGOUT_URI,
  startFullGateway,
} from "../../gateway/testing/auth-gateway.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { addEntity } from "../../gateway/testing/own-entities.ts";
import { SQUARE_LOGO, WIDE_LOGO } from "../../gateway/testing/sample-logos.ts";
import { storePermits } from "../../gateway/testing/taking-part.ts";
import { LOGOS_PREFIX } from "../../gateway/web/http/logos-path.ts";
import { PAGE_ASSETS } from "../../gateway/web/pages/page-assets.ts";
import { Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Application } from "../../services/auth/testing/application.ts";
import { sampleClient } from "../../services/auth/testing/sample-application.ts";
import { ensureSaleEntity } from "../../services/entities/entities/sale-entities-store.ts";
import { unvisitedAccountPages } from "../support/pages/account-pages.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage, REPORT_LAYOUT_SHIFTS, WHOLE_PAGE_PAINTED } from "../support/pages/watched-page.ts";
import { USER } from "../support/processes/auth-in-process.ts";
import { POLL_TIMEOUT_MS } from "../support/repository/polling.ts";

const LIMITED = new ConnectError("limited", Code.ResourceExhausted, { "retry-after": "3000" });
const LONG_NAME = "unbreakable".repeat(9);
/** An application with a long name, which nobody lets in. */
const OTHER_CLIENT = "33333333-3333-4333-8333-333333333333";
const PERSON = "31313131-3131-4131-8131-313131313131";
const WALLET = privateKeyToAccount(`0x${"0a".repeat(32)}`);
const AUTHORIZE = authorizePath();
const AUTHORIZE_OTHER = authorizePath({ client_id: OTHER_CLIENT });
const WAIT_MS = 73 * 3_600_000;
const LOGOUT = `/oauth/logout?client_id=${CLIENT_ID}&post_logout_redirect_uri=${LOGOUT_URI}`;
const MAX_PAGE_BYTES = 50 * 1024;
const ASSET_BYTES = [...PAGE_ASSETS.values()].reduce((bytes, { content }) => bytes + content.length, 0);
const LOGOS = `**${LOGOS_PREFIX}*`;
const NO_SCRIPT = { javaScriptEnabled: false };

let browser: Browser;
let gateway: FullGateway;
let application: Application;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  gateway = await startFullGateway();
  application = await harbourPortal(gateway.auth);
  const { definition } = sampleClient();
  await gateway.auth.application({
    ...{ uuid: OTHER_CLIENT, saleUuid: OTHER_CLIENT, tenancy: "test" },
    ...{ squareLogo: SQUARE_LOGO.hash, wideLogo: WIDE_LOGO.hash },
    definition: { ...definition, name: LONG_NAME },
  });
});
afterEach(() => gateway.stop());

async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  return (await openWatchedPage(browser, { baseURL: gateway.origin, ...options })).page;
}

it("gives the focus to the error, without script", async () => {
  const page = await openPage(NO_SCRIPT);
  await page.goto(AUTHORIZE);
  await page.getByLabel("E-mail address").fill("alice@nowhere");
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByRole("alert").waitFor();
  expect(await page.locator(":focus").textContent()).toContain("There is a problem");
  await page.context().close();
});

it.for([true, false])(
  "shows a form that failed again after a reload, Enter in the address bar and the way back, which send nothing; with scripts: %s",
  async (javaScriptEnabled) => {
    const page = await openPage({ javaScriptEnabled });
    await page.goto("/sign-in");
    const address = page.getByLabel("E-mail address");
    const send = () => page.getByRole("button", { name: "Send me a code" }).click();
    gateway.auth.faults.failures.set("BeginSignIn", LIMITED);
    await address.fill("alice@example.org");
    await send();
    const problem = page.getByText("Please try again in 50 minutes.");
    await problem.waitFor();
    gateway.auth.faults.reset();
    const shown = page.url();
    const away = [() => page.reload(), () => page.goto(shown), () => page.goBack(), () => page.goForward()];
    for (const [index, load] of away.entries()) {
      await load();
      const isFirstPage = index === 2;
      await expect.poll(() => problem.count(), { message: `${index}` }).toBe(isFirstPage ? 0 : 1);
      if (!isFirstPage) expect(await address.inputValue()).toBe("alice@example.org");
    }
    expect(gateway.auth.faults.asked("BeginSignIn")).toStrictEqual([]);
    await send();
    await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
    await page.context().close();
  },
);

it("changes the language without script, and stays where it is", async () => {
  const page = await openPage({ ...NO_SCRIPT, locale: "en-GB" });
  await page.goto(AUTHORIZE);
  const address = page.url();
  await page.getByRole("link", { name: "Deutsch" }).click();
  await page.getByRole("heading", { name: "Anmelden" }).waitFor();
  expect([page.url(), await page.locator("html").getAttribute("lang")]).toStrictEqual([address, "de"]);
  await page.getByLabel("E\u2011Mail-Adresse").fill("alice@example.org");
  await page.getByRole("button", { name: "Code senden" }).click();
  await page.getByRole("heading", { name: "Sehen Sie in Ihr Postfach" }).waitFor();
  await page.context().close();
});

it("fits narrow windows in German, whose words are longer", async () => {
  const page = await openPage({ locale: "de-DE", viewport: { width: 360, height: 740 } });
  await page.goto(AUTHORIZE);
  await page.getByLabel("E\u2011Mail-Adresse").fill("alice@example.org");
  await page.getByRole("button", { name: "Code senden" }).click();
  await expectFit(page, "Sehen Sie in Ihr Postfach");
  await page.getByLabel("Code").fill(gateway.auth.mailedCode());
  await page.getByRole("button", { name: "Anmelden" }).click();
  await expectFit(page, "Zugriff für Harbour Portal erlauben?");
  const { uuid, label } = await addEntity(gateway, { setupState: "failure" });
  const paths = entityPaths(uuid);
  for (const [path, title] of [
    ["/account", "Ihr Konto"],
    [paths.entity, label],
    [paths.wallet, "Wallet verknüpfen"],
    ["/account/delete", "Konto löschen?"],
  ] as const) {
    await page.goto(path);
    await expectFit(page, title);
  }
  await page.context().close();
});

async function expectFit(page: Page, title: string): Promise<void> {
  await expect.poll(() => page.title(), { timeout: POLL_TIMEOUT_MS }).toBe(`${title} · Tidemark`);
  expect(await page.locator("html").getAttribute("lang"), title).toBe("de");
  expect(await violationsOf(page), title).toStrictEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), title).toBe(true);
}

/** Pairs of things to press, one of them a button, that are closer to each other than 8 px. */
const CROWDED = `(() => {
  const boxes = Array.from(document.querySelectorAll("main :is(a, button)"), (element) => ({
    text: element.textContent,
    isButton: element.matches("button, .button"),
    box: element.getBoundingClientRect(),
  })).filter(({ box }) => box.width > 0);
  const between = (a, b) => Math.max(
    Math.max(a.left, b.left) - Math.min(a.right, b.right),
    Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom),
  );
  return boxes.flatMap((one, index) => boxes.slice(index + 1)
    .filter((other) => (one.isButton || other.isButton) && between(one.box, other.box) < 8)
    .map((other) => one.text + " | " + other.text));
})()`;

/** Every page, by the way to it; each goes on from where the one before left the browser. */
const PAGES: readonly [name: string, title: string, reach: (page: Page) => Promise<unknown>][] = [
  ["sign-in", "Sign in", (page) => page.goto("/sign-in")],
  ["repeated sign-in", "Confirm that it’s you", (page) => page.goto("/sign-in?again=1")],
  ["sign-in to an application", "Sign in", (page) => page.goto(AUTHORIZE)],
  [
    "sign-in with an error",
    "Error: Sign in",
    async (page) => {
      await page.getByLabel("E-mail address").fill("alice@nowhere");
      await page.getByRole("button", { name: "Send me a code" }).click();
    },
  ],
  [
    "code",
    "Check your e-mail",
    async (page) => {
      await page.getByLabel("E-mail address").fill("alice@example.org");
      await page.getByRole("button", { name: "Send me a code" }).click();
    },
  ],
  ["wrong code", "Error: Check your e-mail", (page) => enterCode(page, "BBBB-BBBB")],
  [
    "code that is over",
    "Error: Get a new code",
    async (page) => {
      for (const left of ["3 tries left", "2 tries left", "one try left"]) {
        await enterCode(page, "BBBB-BBBB");
        await page.getByText(left).first().waitFor();
        await page.waitForLoadState("networkidle");
      }
      await enterCode(page, "BBBB-BBBB");
    },
  ],
  [
    "consent",
    "Allow Harbour Portal?",
    async (page) => {
      await page.getByRole("button", { name: "Send a new code" }).click();
      await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
      await page.waitForLoadState("networkidle");
      await enterCode(page, gateway.auth.mailedCode());
    },
  ],
  ["consent for a test sale and a long name", `Allow ${LONG_NAME}?`, (page) => page.goto(AUTHORIZE_OTHER)],
  [
    "choice of an account",
    "Choose an account",
    (page) => {
      // Whoever has just signed in has chosen.
      gateway.auth.time.advance(1_000);
      return page.goto(authorizePath({ scope: "openid", prompt: "select_account" }));
    },
  ],
  [
    "sign-out for an application",
    "Sign out?",
    async (page) => {
      const other = await gateway.auth.signIn({ email: "bob@example.org" });
      const { idToken } = await application.tokens(other, { scope: "openid" });
      await page.goto(`${LOGOUT}&id_token_hint=${idToken}`);
    },
  ],
  ["refused sign-out", "This sign-out can’t be completed", (page) => page.goto(`${LOGOUT}/other`)],
  [
    "account",
    "Your account",
    async (page) => {
      await application.code(await gateway.auth.signIn());
      await page.goto("/account");
    },
  ],
  ["account after a change", "Your account", (page) => page.goto("/account?done=withdrawn")],
  [
    "proof of presence",
    "Confirm that you are here",
    async (page) => {
      const refused = { setupState: "failure", setupReason: "The passport has expired." } as const;
      const entity = await addEntity(gateway, { uuid: PERSON, label: LONG_NAME, ...refused });
      const { publicUuid } = await ensureSaleEntity(gateway.entities.context, SALE, entity, USER);
      await page.goto(`/account/liveness?sale=${SALE}&entity=${publicUuid}`);
    },
  ],
  ["confirmed presence", "Thank you, that’s done", (page) => page.getByRole("button", { name: "I am here" }).click()],
  [
    "account with entities",
    "Your account",
    async (page) => {
      await storePermits(gateway, [{ entityUuid: PERSON }]);
      await page.goto("/account");
    },
  ],
  ["a new entity", "Who takes part?", (page) => page.goto(NEW_ENTITY_PATH)],
  ["an entity", LONG_NAME, (page) => page.goto(entityPaths(PERSON).entity)],
  [
    "an entity with an error",
    `Error: ${LONG_NAME}`,
    async (page) => {
      await page.getByLabel("Country").fill("Atlantis");
      await page.getByRole("button", { name: "Send for review" }).click();
    },
  ],
  ["its deletion", `Delete ${LONG_NAME}?`, (page) => page.goto(entityPaths(PERSON).remove)],
  ["a wallet", "Link a wallet", (page) => page.goto(entityPaths(PERSON).wallet)],
  [
    "the text to sign",
    "Sign this text",
    async (page) => {
      await page.getByLabel("Address of the wallet").fill(WALLET.address);
      await page.getByRole("button", { name: "Show the text to sign" }).click();
    },
  ],
  [
    "an entity with a wallet",
    LONG_NAME,
    async (page) => {
      const message = (await page.locator(".sign-text").textContent()) ?? "";
      await page.getByLabel("Signature").fill(await WALLET.signMessage({ message }));
      await page.getByRole("button", { name: "Link the wallet" }).click();
    },
  ],
  ["incomplete link to it", "This link is incomplete", (page) => page.goto("/account/liveness")],
  [
    "the end of mails",
    "No more e-mails about this sale?",
    (page) => page.goto(`/account/alerts/stop?token=${"t".repeat(43)}`),
  ],
  ["new address", "Change your address", (page) => page.goto("/account/email")],
  [
    "code for it",
    "Check your e-mail",
    async (page) => {
      await page.getByLabel("New e-mail address").fill("carol@example.org");
      await page.getByRole("button", { name: "Send me a code" }).click();
    },
  ],
  ["passkeys", "Passkeys", (page) => page.goto("/account/passkeys")],
  [
    "passkeys with long names",
    "Passkeys",
    async (page) => {
      const backedUp = { backupEligible: true, backedUp: true };
      await gateway.auth.people.add(await gateway.auth.signIn(), backedUp, LONG_NAME.slice(0, 64));
      await gateway.auth.addPasskey("Blue key");
      await haveSession(page, "passkey");
      await page.goto("/account/passkeys?done=added");
    },
  ],
  ["account with passkeys", "Your account", (page) => page.goto("/account")],
  [
    "requirement of a passkey by whoever has one",
    "Require a passkey?",
    async (page) => {
      const { accounts } = gateway.auth.people;
      const sessionToken = await gateway.auth.signIn({ by: "passkey" });
      const { passkeys } = await accounts.listPasskeys({ sessionToken });
      await accounts.removePasskey({ sessionToken, passkeyUuid: passkeys[1]?.uuid ?? "" });
      // A removal ends the other sessions.
      await haveSession(page, "passkey");
      await page.goto("/account/passkey-rule");
    },
  ],
  [
    "sign-in that needs a passkey",
    "Sign in with your passkey",
    async (page) => {
      await haveSession(page, "code");
      await page.goto("/account/email");
    },
  ],
  ["recovery", "Recover your account", (page) => page.goto("/account/recovery")],
  [
    "recovery that waits",
    "Recover your account",
    (page) => page.getByRole("button", { name: "Begin the recovery" }).click(),
  ],
  [
    "recovery that can be completed",
    "Recover your account",
    async (page) => {
      gateway.auth.time.advance(WAIT_MS);
      await haveSession(page, "code");
      await page.goto("/account/recovery");
    },
  ],
  ["account with a recovery", "Your account", (page) => page.goto("/account")],
  [
    "recovery of an account that requires a passkey",
    "Your account requires a passkey",
    async (page) => {
      const { accounts } = gateway.auth.people;
      const sessionToken = await gateway.auth.signIn({ by: "passkey" });
      const proof = { proof: { case: "sessionToken" as const, value: sessionToken } };
      const { recovery } = await accounts.getSignInRules({ proof });
      await accounts.stopRecovery({ proof, recoveryUuid: recovery?.uuid ?? "" });
      await accounts.setPasskeyRequired({ sessionToken, required: true });
      await page.goto("/sign-in");
      await page.getByLabel("E-mail address").fill("alice@example.org");
      await page.getByRole("button", { name: "Send me a code" }).click();
      await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
      await enterCode(page, gateway.auth.mailedCode());
      await page.getByRole("heading", { name: "Your account requires a passkey" }).waitFor();
      await haveSession(page, "passkey");
    },
  ],
  ["the offer of a passkey", "Sign in faster next time", (page) => page.goto("/account/passkeys/offer")],
  ["the person’s data", "Your data", (page) => page.goto("/account/data")],
  ["deletion", "Delete your account?", (page) => page.goto("/account/delete")],
  [
    "refused deletion",
    "Error: Delete your account?",
    async (page) => {
      gateway.auth.sales.set(SALE, {});
      const { memberships } = gateway.auth.as("operator");
      await memberships.setMember({ saleUuid: SALE, email: "alice@example.org", role: Role.OWNER });
      await page.getByLabel("I want to delete my account").check();
      await page.getByRole("button", { name: "Delete account" }).click();
    },
  ],
  ["signed out", "You are signed out", (page) => page.goto("/signed-out")],
  ["deleted account", "Your account is deleted", (page) => page.goto("/signed-out?deleted=1")],
  ["error of an unknown application", "This link doesn’t work", (page) => page.goto("/oauth/authorize?client_id=x")],
  [
    "error with a way back",
    "This request can’t be completed",
    async (page) => {
      // Whoever is signed in is led back at once.
      await page.context().clearCookies({ name: "tidemark-session" });
      await page.goto(`/oauth/authorize?client_id=${CLIENT_ID}`);
    },
  ],
  ["expired authorization", "This page is no longer valid", (page) => page.goto("/oauth/continue?authorization=x")],
  [
    "authorization of a user who took too long",
    "This page is no longer valid",
    async (page) => {
      await page.goto(AUTHORIZE_OTHER, { waitUntil: "networkidle" });
      gateway.auth.time.advance(31 * 60_000);
      await page.reload();
    },
  ],
  ["no such page", "There is no page here", (page) => page.goto("/oauth/consent")],
  [
    "too many requests",
    "Please wait a little",
    (page) => {
      gateway.auth.faults.failure = new ConnectError("limited", Code.ResourceExhausted);
      return page.goto(AUTHORIZE);
    },
  ],
  [
    "form that failed",
    "Error: Sign in",
    async (page) => {
      gateway.auth.faults.reset();
      await page.goto("/sign-in");
      gateway.auth.faults.failures.set("BeginSignIn", LIMITED);
      await page.getByLabel("E-mail address").fill("alice@example.org");
      await page.getByRole("button", { name: "Send me a code" }).click();
    },
  ],
  [
    "auth service that is away",
    "We can’t answer at the moment",
    (page) => {
      gateway.auth.faults.failure = new ConnectError("away", Code.Unavailable);
      return page.goto(AUTHORIZE);
    },
  ],
  [
    "fault",
    "Something went wrong on our side",
    (page) => {
      gateway.auth.faults.failure = new ConnectError("fault", Code.Internal);
      return page.goto(AUTHORIZE);
    },
  ],
];

// The layout depends on the width, and contrast on the colours: two of the four will do.
describe.each([
  [360, "light"],
  [1280, "dark"],
] as const)("pages at %i px, %s", (width, colorScheme) => {
  it("are accessible, fit, are small and keep still", async () => {
    const options = { baseURL: gateway.origin, viewport: { width, height: 740 }, colorScheme };
    const { page, complaints, close } = await openWatchedPage(browser, options);
    await page.addInitScript(REPORT_LAYOUT_SHIFTS);
    await page.route(LOGOS, afterFirstPaint);
    const visited = new Set<string>();
    for (const [name, title, reach] of PAGES) {
      await reach(page);
      await expect.poll(() => page.title(), { message: name, timeout: POLL_TIMEOUT_MS }).toBe(`${title} · Tidemark`);
      expect(await violationsOf(page), name).toStrictEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name).toBe(true);
      expect(await page.evaluate(CROWDED), name).toStrictEqual([]);
      const bytes = (await page.content()).length + ASSET_BYTES;
      const advice = "what only one page needs goes into a file of its own instead of PAGE_ASSETS";
      expect(bytes, `The page “${name}” weighs ${bytes} bytes: ${advice}`).toBeLessThan(MAX_PAGE_BYTES);
      expect(complaints, name).toStrictEqual([]);
      visited.add(new URL(page.url()).pathname);
    }
    expect(unvisitedAccountPages(visited)).toStrictEqual([]);
    await close();
  });
});

/** Gives the page a session that begins now. */
async function haveSession(page: Page, by: "code" | "passkey"): Promise<void> {
  const session = { name: "tidemark-session", value: await gateway.auth.signIn({ by }), url: gateway.origin };
  await page.context().addCookies([session]);
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Lets a logo come late, so that what has no place kept for it moves the page. */
async function afterFirstPaint(route: Route): Promise<void> {
  await route.request().frame().page().evaluate(WHOLE_PAGE_PAINTED);
  await route.continue();
}
