import { Code, ConnectError } from "@connectrpc/connect";
import type { Page } from "playwright-core";
import { entityPaths, NEW_ENTITY_PATH } from "../../gateway/account/entities/entity-paths.ts";
import { authorizePath, CLIENT_ID, LOGOUT_URI } from "../../gateway/testing/auth-gateway.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import type { FounderSite } from "../../gateway/testing/founder-site.ts";
import { addEntity } from "../../gateway/testing/own-entities.ts";
import { storePermits } from "../../gateway/testing/taking-part.ts";
import { AUTH_PATHS } from "../../gateway/web/sessions/auth-paths.ts";
import { ensureSaleEntity } from "../../services/entities/entities/sale-entities-store.ts";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import { addApplication, sitePage } from "./site-page.ts";
import type { State } from "./state.ts";

const PERSON = "31313131-3131-4131-8131-313131313131";
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const ENTITY = entityPaths(PERSON);
const AUTHORIZE = authorizePath();
const { code, signIn } = AUTH_PATHS;
const LOGOUT = `${AUTH_PATHS.logout}?client_id=${CLIENT_ID}&post_logout_redirect_uri=${LOGOUT_URI}`;

let addresses = 0;

/** Sends the form with the address of somebody new, as no address gets more than a few codes an hour. */
async function askForCode(page: Page): Promise<void> {
  await page.locator("#email").fill(`alice${++addresses}@example.org`);
  await page.locator("#email").press("Enter");
  await page.locator("#code").waitFor();
}

async function enterCode(page: Page, text: string): Promise<void> {
  await page.locator("#code").fill(text);
  await page.locator("#code").press("Enter");
  await page.waitForLoadState("networkidle");
}

async function enterWrongCodes(page: Page, count: number): Promise<void> {
  await askForCode(page);
  for (let index = 0; index < count; index++) await enterCode(page, "BBBB-BBBB");
}

async function signInByCode(page: Page, { gateway }: FounderSite): Promise<void> {
  await askForCode(page);
  await enterCode(page, gateway.auth.mailedCode());
}

const withEntity = (given: Parameters<typeof addEntity>[1]) => async (site: FounderSite) => {
  await addApplication(site);
  await addEntity(site.gateway, { uuid: PERSON, ...given });
};
const refused = withEntity({ setupState: "failure", setupReason: "The passport has expired." });

/** An account that has something of everything. */
const fullAccount = async (site: FounderSite) => {
  const { gateway } = site;
  const application = await addApplication(site);
  await application.code(site.sessionToken());
  await gateway.auth.addPasskey("Blue key");
  const entity = await addEntity(gateway, { uuid: PERSON, setupState: "complete", country: "AT" });
  await addEntity(gateway, { label: "Harbour Holdings", type: "organization", setupState: "in_review" });
  await ensureSaleEntity(gateway.entities.context, SALE, entity, USER);
  await storePermits(gateway, [{ entityUuid: PERSON }]);
};

const addPasskey = ({ gateway }: FounderSite) => gateway.auth.addPasskey("Blue key");

/** An account that requires a passkey of whoever signs in. */
const requirePasskey = async ({ gateway: { auth } }: FounderSite) => {
  await auth.addPasskey("Blue key");
  const { accounts } = auth.people;
  await accounts.setPasskeyRequired({ sessionToken: await auth.signIn({ by: "passkey" }), required: true });
};

const failing = (code: Code) => async (site: FounderSite) => {
  await addApplication(site);
  site.gateway.auth.faults.failure = new ConnectError("failed", code);
};

const SIGN_IN = { path: signIn, session: "none" } as const;
const SIGNED_OUT = { path: AUTHORIZE, session: "none" } as const;

/** The states of sign-in, OAuth and the account. */
export const ACCOUNT_STATES: readonly State[] = [
  sitePage("sign-in", "Sign-in.", SIGN_IN),
  sitePage("sign-in-again", "Sign-in once more.", { path: `${signIn}?again=1` }),
  sitePage("sign-in-application", "Sign-in to an application.", { ...SIGNED_OUT, page: AUTH_PATHS.continue }),
  sitePage("sign-in-refused", "An address that is none.", {
    ...SIGN_IN,
    reach: async (page) => {
      await page.locator("#email").fill("alice@nowhere");
      await page.locator("#email").press("Enter");
      await page.getByRole("alert").waitFor();
    },
  }),
  sitePage("code", "The code.", { ...SIGN_IN, page: code, reach: askForCode }),
  sitePage("code-wrong", "A wrong code.", { ...SIGN_IN, page: code, reach: (page) => enterWrongCodes(page, 1) }),
  sitePage("code-over", "A code that is over.", { ...SIGN_IN, page: code, reach: (page) => enterWrongCodes(page, 5) }),
  sitePage("consent", "Consent.", { ...SIGNED_OUT, page: AUTH_PATHS.continue, reach: signInByCode }),
  sitePage("choose-account", "The choice of an account.", {
    path: authorizePath({ scope: "openid", prompt: "select_account" }),
    page: AUTH_PATHS.continue,
    before: async (site) => {
      await addApplication(site);
      site.gateway.auth.time.advance(1_000);
    },
  }),
  sitePage("authorize-unknown", "An application that nobody knows.", {
    ...{ path: `${AUTH_PATHS.authorize}?client_id=x`, session: "none" },
  }),
  sitePage("authorize-refused", "A request that can’t be completed.", {
    ...{ path: `${AUTH_PATHS.authorize}?client_id=${CLIENT_ID}`, session: "none" },
  }),
  sitePage("authorize-over", "A page that is no longer valid.", { path: `${AUTH_PATHS.continue}?authorization=x` }),
  sitePage("authorize-limited", "Too many requests.", { ...SIGNED_OUT, before: failing(Code.ResourceExhausted) }),
  sitePage("authorize-away", "A service is away.", { ...SIGNED_OUT, before: failing(Code.Unavailable) }),
  sitePage("authorize-fault", "A fault.", { ...SIGNED_OUT, before: failing(Code.Internal) }),
  sitePage("logout", "The sign-out that an application asks for.", { path: LOGOUT }),
  sitePage("logout-refused", "A sign-out that can’t be completed.", { path: `${LOGOUT}/other` }),
  sitePage("signed-out", "Signed out.", { path: AUTH_PATHS.signedOut, session: "none" }),
  sitePage("account-deleted", "The account is deleted.", {
    path: `${AUTH_PATHS.signedOut}?deleted=1`,
    session: "none",
  }),
  sitePage("account-empty", "The account of somebody new.", { path: AUTH_PATHS.account }),
  sitePage("account", "The account.", { path: AUTH_PATHS.account, before: fullAccount }),
  sitePage("entity-new", "A new entity.", { path: NEW_ENTITY_PATH }),
  sitePage("entity", "An entity whose check hasn’t begun.", { path: ENTITY.entity, before: withEntity({}) }),
  sitePage("entity-refused", "An entity that was refused.", { path: ENTITY.entity, before: refused }),
  sitePage("entity-complete", "An approved entity.", { path: ENTITY.entity, before: fullAccount }),
  sitePage("entity-delete", "The end of an entity.", { path: ENTITY.remove, before: withEntity({}) }),
  sitePage("wallet", "A wallet.", { path: ENTITY.wallet, before: withEntity({}) }),
  sitePage("wallet-text", "The text to sign.", {
    ...{ path: ENTITY.wallet, before: withEntity({}) },
    reach: async (page) => {
      await page.locator("#address").fill(WALLET);
      await page.locator("#address").press("Enter");
      await page.locator(".sign-text").waitFor();
    },
  }),
  sitePage("liveness", "The proof of presence.", {
    ...{ path: AUTH_PATHS.liveness, before: withEntity({}) },
    reach: async (page, { gateway }) => {
      const { publicUuid } = await ensureSaleEntity(gateway.entities.context, SALE, { uuid: PERSON }, USER);
      await page.goto(`${new URL(page.url()).origin}${AUTH_PATHS.liveness}?sale=${SALE}&entity=${publicUuid}`);
    },
  }),
  sitePage("liveness-incomplete", "A link that lacks something.", { path: AUTH_PATHS.liveness }),
  sitePage("alerts-stop", "The end of mails about a sale.", {
    ...{ path: `${AUTH_PATHS.stopAlerts}?token=${"t".repeat(43)}`, session: "none" },
  }),
  sitePage("email", "A new address.", { path: AUTH_PATHS.email }),
  sitePage("email-code", "The code for it.", { path: AUTH_PATHS.email, page: AUTH_PATHS.emailCode, reach: askForCode }),
  sitePage("passkeys-none", "No passkey.", { path: AUTH_PATHS.passkeys }),
  sitePage("passkeys", "Passkeys.", { path: AUTH_PATHS.passkeys, before: addPasskey }),
  sitePage("passkey-offer", "The offer of a passkey.", { path: AUTH_PATHS.passkeyOffer }),
  sitePage("passkey-rule", "Whether a passkey is needed.", { path: AUTH_PATHS.passkeyRule, before: addPasskey }),
  sitePage("recovery", "The recovery.", { path: AUTH_PATHS.recovery, before: addPasskey, session: "by a code" }),
  sitePage("recovery-by-code", "The recovery of an account that requires a passkey.", {
    ...{ path: signIn, page: AUTH_PATHS.recoveryByPass, before: requirePasskey, session: "none" },
    reach: async (page, site) => {
      site.gateway.auth.time.advance(3_600_000);
      await page.locator("#email").fill(USER);
      await page.locator("#email").press("Enter");
      await page.locator("#code").waitFor();
      await enterCode(page, site.gateway.auth.mailedCode());
    },
  }),
  sitePage("data", "A person’s data.", { path: AUTH_PATHS.data }),
  sitePage("account-delete", "The end of the account.", { path: AUTH_PATHS.deleteAccount }),
  sitePage("account-nothing", "There is no such page.", { path: `${AUTH_PATHS.account}/nothing` }),
];
