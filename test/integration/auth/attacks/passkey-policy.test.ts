import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { AUTH_AUDIENCE, COMMITMENTS_AUDIENCE } from "../../../../common/platform/rpc/identity/audiences.ts";
import type { PageBrowser } from "../../../../gateway/testing/page-browser.ts";
import { Role } from "../../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { Tenancy } from "../../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { changeEmail, lockAccount } from "../../../../services/auth/accounts/accounts-store.ts";
import { storeSignIn } from "../../../../services/auth/accounts/sign-in.ts";
import { newOpaqueToken } from "../../../../services/auth/base/opaque-token.ts";
import type { AuthDatabase } from "../../../../services/auth/base/schema.ts";
import { insertSignIn } from "../../../../services/auth/mailed-codes/sign-ins-store.ts";
import { givePasskey, sessionBy } from "../../../../services/auth/testing/passkey-holder.ts";
import { SoftwareAuthenticator } from "../../../../services/auth/testing/software-authenticator.ts";
import { tokensIn } from "../../../support/applications/web-application.ts";
import {
  type AuthWeb,
  describeAuthWebOnEachDatabase,
  newEmail,
  SESSION_COOKIE,
} from "../../../support/pages/auth-web.ts";
import { ISSUER, type SignedIn } from "../../../support/processes/auth-fixture.ts";
import { SOON } from "../../../support/repository/polling.ts";
import { auction, refusal } from "../../../support/sales/sale-messages.ts";

const HOUR_MS = 3_600_000n;
const AT_ONCE = 20;
const BROWSER_TOKEN = "b".repeat(43);
const PASSKEY_RULE = { code: "failed_precondition", violations: [{ rule: "passkey.sign_in_required" }] };
const SALE_RULE = { code: "failed_precondition", violations: [{ rule: "sale.passkey_required" }] };
const ENDED = { code: "unauthenticated" };

/** Somebody with a passkey, and a thief who reads their e-mails: each has a session. */
interface Victim {
  readonly account: { readonly uuid: string; readonly email: string };
  /** Session of the owner, who signed in with the passkey. */
  readonly owner: SignedIn;
  /** Session of the thief, who signed in with a code. */
  readonly thief: SignedIn;
}

const proofOf = ({ sessionToken }: SignedIn) => ({ proof: { case: "sessionToken" as const, value: sessionToken } });

function dependenciesOf({ service }: AuthWeb) {
  return { database: service.database, clock: service.time.now };
}

async function holderOf(web: AuthWeb, account: Victim["account"]): Promise<SignedIn> {
  const sessionToken = await sessionBy(dependenciesOf(web), "passkey", account);
  return { accountUuid: account.uuid, sessionToken };
}

async function victimOf(web: AuthWeb): Promise<Victim> {
  const email = newEmail();
  const thief = await web.service.signIn(email);
  const account = { uuid: thief.accountUuid, email };
  await givePasskey(dependenciesOf(web), account.uuid);
  return { account, thief, owner: await holderOf(web, account) };
}

const accountsOf = ({ service }: AuthWeb) => service.as("gateway").accounts;

function browserWith(web: AuthWeb, sessionToken: string): PageBrowser {
  const browser = web.browser();
  browser.cookies.set(SESSION_COOKIE, sessionToken);
  return browser;
}

/** Begins a recovery as the thief does. @returns its UUID */
async function beginRecovery(web: AuthWeb, thief: SignedIn): Promise<string> {
  const { recovery } = await accountsOf(web).beginRecovery({ proof: proofOf(thief) });
  return recovery?.uuid ?? "";
}

async function passkeysOf(web: AuthWeb, session: SignedIn): Promise<number> {
  return (await accountsOf(web).getSignInRules({ proof: proofOf(session) })).passkeys;
}

describeAuthWebOnEachDatabase("a thief who reads the e-mails of somebody with a passkey", (web) => {
  it("can't change the passkeys, the address or the requirement, nor delete the account, with a code session", async () => {
    const { thief } = await victimOf(web());
    const { sessionToken } = thief;
    const accounts = accountsOf(web());
    const passkeyUuid = (await accounts.listPasskeys({ sessionToken })).passkeys[0]?.uuid ?? "";
    const calls = [
      () => accounts.beginPasskeyAddition({ sessionToken, browserToken: BROWSER_TOKEN }),
      () => accounts.renamePasskey({ sessionToken, passkeyUuid, name: "Mine" }),
      () => accounts.removePasskey({ sessionToken, passkeyUuid }),
      () => accounts.beginEmailChange({ sessionToken, email: newEmail(), browserToken: BROWSER_TOKEN }),
      () => accounts.setPasskeyRequired({ sessionToken, required: true }),
      () => accounts.deleteAccount({ sessionToken }),
    ];
    for (const call of calls) expect(await refusal(call())).toMatchObject(PASSKEY_RULE);
  });

  it("can't add a passkey that was begun before the owner added one", async () => {
    const email = newEmail();
    const thief = await web().service.signIn(email);
    const { sessionToken } = thief;
    const accounts = accountsOf(web());
    const asked = { sessionToken, browserToken: BROWSER_TOKEN };
    const { optionsJson } = await accounts.beginPasskeyAddition(asked);
    await givePasskey(dependenciesOf(web()), thief.accountUuid);
    const credentialJson = new SoftwareAuthenticator({ origin: ISSUER }).create(optionsJson);
    expect(await refusal(accounts.completePasskeyAddition({ ...asked, credentialJson }))).toMatchObject(PASSKEY_RULE);
    expect(await passkeysOf(web(), thief)).toBe(1);
  });

  it("can't complete a change of the address that was begun before the owner added a passkey", async () => {
    const [email, own] = [newEmail(), newEmail()];
    const { accountUuid, sessionToken } = await web().service.signIn(email);
    const accounts = accountsOf(web());
    const begun = await accounts.beginEmailChange({ sessionToken, email: own, browserToken: BROWSER_TOKEN });
    await givePasskey(dependenciesOf(web()), accountUuid);
    const code = await web().mailedCode(own);
    const entry = { sessionToken, browserToken: BROWSER_TOKEN, signInHandle: begun.signInHandle, code };
    expect(await refusal(accounts.completeEmailChange(entry))).toMatchObject(PASSKEY_RULE);
    expect((await accounts.getSession({ sessionToken })).account?.email).toBe(email);
  });

  it(`can't complete a recovery before 72 hours, also by ${AT_ONCE} concurrent requests, nor begin one that is ready`, async () => {
    const { account, thief } = await victimOf(web());
    const recoveryUuid = await beginRecovery(web(), thief);
    const complete = async (session: SignedIn) =>
      refusal(accountsOf(web()).completeRecovery({ proof: proofOf(session), recoveryUuid }));
    expect(await complete(thief)).toMatchObject({ code: "failed_precondition" });
    // Signing in moves the clock by a millisecond.
    web().service.time.advance(72n * HOUR_MS - 2n);
    const fresh = await web().service.signIn(account.email);
    const early = await Promise.all(Array.from({ length: AT_ONCE }, () => complete(fresh)));
    expect(new Set(early.map(({ code }) => code))).toEqual(new Set(["failed_precondition"]));
    expect(await beginRecovery(web(), fresh)).toBe(recoveryUuid);
    expect(await passkeysOf(web(), fresh)).toBe(1);
    web().service.time.advance(1n);
    await accountsOf(web()).completeRecovery({ proof: proofOf(fresh), recoveryUuid });
  });

  it(`gets no second session of a recovery by ${AT_ONCE} concurrent completions, and every other session ends`, async () => {
    const { account, thief } = await victimOf(web());
    const recoveryUuid = await beginRecovery(web(), thief);
    web().service.time.advance(72n * HOUR_MS);
    const fresh = await web().service.signIn(account.email);
    const holder = await holderOf(web(), account);
    const request = { proof: proofOf(fresh), recoveryUuid };
    const answers = await Promise.allSettled(
      Array.from({ length: AT_ONCE }, () => accountsOf(web()).completeRecovery(request)),
    );
    const done = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    expect(done).toHaveLength(1);
    const sessionToken = done[0]?.sessionToken ?? "";
    expect((await accountsOf(web()).listSessions({ sessionToken })).sessions).toHaveLength(1);
    for (const { sessionToken: old } of [fresh, holder]) {
      expect(await refusal(accountsOf(web()).getSession({ sessionToken: old }))).toMatchObject(ENDED);
    }
    expect(await passkeysOf(web(), { ...fresh, sessionToken })).toBe(0);
  });

  it("can't complete a recovery that is stopped at the same time, or else it can't be stopped", async () => {
    const { account, thief } = await victimOf(web());
    const recoveryUuid = await beginRecovery(web(), thief);
    web().service.time.advance(72n * HOUR_MS);
    const [fresh, holder] = [await web().service.signIn(account.email), await holderOf(web(), account)];
    const [completed, stopped] = await Promise.allSettled([
      accountsOf(web()).completeRecovery({ proof: proofOf(fresh), recoveryUuid }),
      accountsOf(web()).stopRecovery({ proof: proofOf(holder), recoveryUuid }),
    ]);
    expect([completed?.status, stopped?.status].toSorted()).toEqual(["fulfilled", "rejected"]);
    const { passkey } = await web()
      .service.database.query.selectFrom("passkey")
      .select((one) => one.fn.countAll<bigint | number>().as("passkey"))
      .where("account", "=", Buffer.from(account.uuid.replaceAll("-", ""), "hex"))
      .executeTakeFirstOrThrow();
    expect(Number(passkey)).toBe(stopped?.status === "fulfilled" ? 1 : 0);
  });

  it("has no use of a recovery after its 7 days, or with a code that is older than ten minutes", async () => {
    const { account, thief } = await victimOf(web());
    const recoveryUuid = await beginRecovery(web(), thief);
    web().service.time.advance(72n * HOUR_MS);
    const fresh = await web().service.signIn(account.email);
    web().service.time.advance(600_001n);
    const complete = async (session: SignedIn) =>
      refusal(accountsOf(web()).completeRecovery({ proof: proofOf(session), recoveryUuid }));
    expect(await complete(fresh)).toMatchObject({ code: "failed_precondition" });
    web().service.time.advance(7n * 24n * HOUR_MS);
    expect(await complete(await web().service.signIn(account.email))).toMatchObject({ code: "failed_precondition" });
  });

  it("begins one recovery by concurrent requests, and later ones don't postpone it", async () => {
    const { account, thief } = await victimOf(web());
    const begun = await Promise.all(Array.from({ length: AT_ONCE }, () => beginRecovery(web(), thief)));
    expect(new Set(begun).size).toBe(1);
    web().service.time.advance(71n * HOUR_MS);
    expect(await beginRecovery(web(), await web().service.signIn(account.email))).toBe(begun[0]);
    web().service.time.advance(HOUR_MS);
    const fresh = await web().service.signIn(account.email);
    const { recovery } = await accountsOf(web()).getSignInRules({ proof: proofOf(fresh) });
    expect(recovery?.ready).toBe(true);
  });
});

describeAuthWebOnEachDatabase("a thief who has a passkey of an account", (web) => {
  it(`has no tokens after its owner's recovery, by ${AT_ONCE} authorizations while it is completed`, async () => {
    const { account, thief } = await victimOf(web());
    const recoveryUuid = await beginRecovery(web(), thief);
    web().service.time.advance(72n * HOUR_MS);
    const fresh = await web().service.signIn(account.email);
    const application = await web().application();
    const browsers = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => browserWith(web(), (await holderOf(web(), account)).sessionToken)),
    );
    await application.tokens(browsers[0] ?? web().browser());
    const authorizations = browsers.map((browser) => application.authorize(browser));
    const complete = accountsOf(web()).completeRecovery({ proof: proofOf(fresh), recoveryUuid });
    const [shown] = await Promise.all([Promise.all(authorizations), complete]);
    const codes = shown.flatMap(({ leftTo }) => (leftTo && new URL(leftTo).searchParams.get("code")) ?? []);
    for (const code of codes) expect(await application.exchange(code)).toMatchObject({ error: "invalid_grant" });
  });
});

describeAuthWebOnEachDatabase("somebody else's recovery", (web) => {
  it("is neither seen, stopped nor completed by a stranger", async () => {
    const { thief } = await victimOf(web());
    const { thief: stranger, owner } = await victimOf(web());
    const recoveryUuid = await beginRecovery(web(), thief);
    const accounts = accountsOf(web());
    expect((await accounts.getSignInRules({ proof: proofOf(stranger) })).recovery).toBeUndefined();
    for (const session of [stranger, owner]) {
      const stop = accounts.stopRecovery({ proof: proofOf(session), recoveryUuid });
      expect(await refusal(stop)).toMatchObject({ code: "not_found" });
    }
    await beginRecovery(web(), stranger);
    web().service.time.advance(72n * HOUR_MS);
    const email = newEmail();
    const fresh = await web().service.signIn(email);
    const complete = accounts.completeRecovery({ proof: proofOf(fresh), recoveryUuid });
    expect(await refusal(complete)).toMatchObject({ code: "failed_precondition" });
    const anybody = { proof: { case: "recoveryPass" as const, value: "x".repeat(43) } };
    expect(await refusal(accounts.stopRecovery({ proof: anybody, recoveryUuid }))).toMatchObject(ENDED);
  });
});

describeAuthWebOnEachDatabase("an account that requires a passkey", (web) => {
  const requirePasskey = ({ owner }: Victim) =>
    accountsOf(web()).setPasskeyRequired({ sessionToken: owner.sessionToken, required: true });

  it("isn't signed in to by a code; the pass that it gives is no session, and signs no application in", async () => {
    const victim = await victimOf(web());
    await requirePasskey(victim);
    const accounts = accountsOf(web());
    const { email } = victim.account;
    // Mails of the same millisecond have no order.
    web().service.time.advance(1);
    const { signInHandle } = await accounts.beginSignIn({ email, browserToken: BROWSER_TOKEN });
    const code = await web().mailedCode(email);
    const entered = await accounts.completeSignIn({ signInHandle, browserToken: BROWSER_TOKEN, code });
    expect([entered.sessionToken, entered.session, entered.account]).toEqual(["", undefined, undefined]);
    const sessionToken = entered.recoveryPass;
    expect(sessionToken).toMatch(/^[\w-]{43}$/);
    const calls = [
      () => accounts.getSession({ sessionToken }),
      () => accounts.issueActorToken({ sessionToken, audience: AUTH_AUDIENCE }),
      () => accounts.listConsents({ sessionToken }),
      () => accounts.listPasskeys({ sessionToken }),
      () => accounts.setPasskeyRequired({ sessionToken, required: false }),
    ];
    for (const call of calls) expect(await refusal(call())).toMatchObject(ENDED);
    const browser = browserWith(web(), sessionToken);
    const application = await web().application();
    expect((await application.authorize(browser)).html).toContain('name="email"');
    expect(
      (await accounts.getSignInRules({ proof: { proof: { case: "recoveryPass", value: sessionToken } } })).email,
    ).toBe(email);
    web().service.time.advance(600_000n);
    const late = { proof: { case: "recoveryPass" as const, value: sessionToken } };
    expect(await refusal(accounts.beginRecovery({ proof: late }))).toMatchObject(ENDED);
  });

  it("ends what began with a code: sessions, codes and refresh tokens of applications; those by passkey stay", async () => {
    const { browser, ...thief } = await web().user();
    const account = { uuid: thief.accountUuid, email: thief.email };
    const application = await web().application();
    const tokens = await application.tokens(browser);
    const code = await application.code(browser);
    await givePasskey(dependenciesOf(web()), account.uuid);
    const owner = await holderOf(web(), account);
    const own = browserWith(web(), owner.sessionToken);
    const ownTokens = await application.tokens(own);
    await requirePasskey({ account, owner, thief });
    expect(await refusal(accountsOf(web()).getSession(thief))).toMatchObject(ENDED);
    expect(await application.refresh(tokens.refreshToken)).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(await application.exchange(code)).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(await application.userInfo(tokens.accessToken)).toMatchObject({ status: 401 });
    expect(tokensIn(await application.refresh(ownTokens.refreshToken)).accessToken).not.toBe("");
    await accountsOf(web()).getSession(owner);
  });

  it("isn't signed in to by a session that begins while the requirement is stored", async () => {
    const victim = await victimOf(web());
    await requirePasskey(victim);
    const sessionToken = await sessionBy(dependenciesOf(web()), "code", victim.account);
    expect(await refusal(accountsOf(web()).getSession({ sessionToken }))).toMatchObject(ENDED);
    const browser = browserWith(web(), sessionToken);
    expect((await browser.open("/account")).path).toBe("/sign-in");
  });
});

describeAuthWebOnEachDatabase("a code that is entered while the requirement is stored", (web) => {
  it(`gives no session that counts once the requirement is lifted, by ${AT_ONCE} of them at once`, async () => {
    const victim = await victimOf(web());
    const { database, clock } = dependenciesOf(web());
    const { email } = victim.account;
    const begun = Array.from({ length: AT_ONCE }, () => ({ handle: newOpaqueToken(), token: newOpaqueToken() }));
    for (const { handle } of begun) {
      const signIn = {
        handle,
        browserToken: newOpaqueToken(),
        purpose: "sign_in" as const,
        email,
        code: undefined,
        hasCode: true,
      };
      await insertSignIn(database, Buffer.alloc(32), signIn, clock());
    }
    const browser = { previousToken: "", userAgent: "", address: "", network: undefined };
    const setRule = (required: boolean) =>
      accountsOf(web()).setPasskeyRequired({ sessionToken: victim.owner.sessionToken, required });
    const enter = begun.map((each) => storeSignIn(database, { ...each, email, ...browser }, clock()));
    const [entered] = await Promise.all([Promise.all(enter), setRule(true)]);
    expect(entered.every((signedIn) => signedIn?.account.email === email)).toBe(true);
    await setRule(false);
    for (const { token } of begun) {
      expect(await refusal(accountsOf(web()).getSession({ sessionToken: token }))).toMatchObject(ENDED);
    }
  });
});

/** Whether another connection is about to lock an account, which it can't while this test holds it. */
async function isLockAwaited({ query }: AuthDatabase): Promise<boolean> {
  const { rows } = await sql`select 1 from information_schema.processlist
    where id <> connection_id() and info like 'update account set locks%'`.execute(query);
  return rows.length > 0;
}

describeAuthWebOnEachDatabase(
  "the reader of the previous mailbox, who enters a code while the address changes,",
  (web) => {
    it("has neither a session nor a pass afterwards", async () => {
      for (const required of [false, true]) {
        const victim = await victimOf(web());
        const { sessionToken } = victim.owner;
        if (required) await accountsOf(web()).setPasskeyRequired({ sessionToken, required });
        const { database, clock } = dependenciesOf(web());
        const { uuid, email } = victim.account;
        const [handle, token] = [newOpaqueToken(), newOpaqueToken()];
        const signIn = {
          handle,
          browserToken: BROWSER_TOKEN,
          purpose: "sign_in" as const,
          email,
          code: undefined,
          hasCode: true,
        };
        await insertSignIn(database, Buffer.alloc(32), signIn, clock());
        const browser = { previousToken: "", userAgent: "", address: "", network: undefined };
        const proven = { handle, token, email, ...browser };
        let entered: ReturnType<typeof storeSignIn> | undefined;
        await database.write(async (transaction) => {
          await lockAccount(transaction, database.dialect, uuid);
          entered = storeSignIn(database, proven, clock());
          // SQLite lets it begin afterwards only.
          if (database.dialect.name === "mysql") await expect.poll(() => isLockAwaited(database), SOON).toBe(true);
          await changeEmail(transaction, database.dialect, uuid, newEmail());
        });
        expect((await entered)?.account.uuid).not.toBe(uuid);
        const account = Buffer.from(uuid.replaceAll("-", ""), "hex");
        const passes = database.query.selectFrom("recovery_pass").select("token").where("account", "=", account);
        expect(await passes.execute()).toEqual([]);
        const { sessions } = await accountsOf(web()).listSessions({ sessionToken });
        expect(sessions).toHaveLength(required ? 1 : 2);
      }
    });
  },
);

describeAuthWebOnEachDatabase("a sale that requires passkeys", (web) => {
  it("is closed to its owner's code sessions and old actor tokens, at auth and at other services", async () => {
    const victim = await victimOf(web());
    const { service } = web();
    const { sales } = await service.saleClientsOf(victim.owner);
    const { sale } = await sales.createSale({ tenancy: Tenancy.TEST, definition: auction() });
    const saleUuid = sale?.uuid ?? "";
    // Issued before the rule was made.
    const [atAuth, atCommitments] = [await service.asPerson(victim.thief), await service.saleClientsOf(victim.thief)];
    await atCommitments.sales.getSale({ saleUuid });
    expect(await refusal(atAuth.memberships.setSalePasskeyRule({ saleUuid, required: true }))).toMatchObject(SALE_RULE);
    await (await service.asPerson(victim.owner)).memberships.setSalePasskeyRule({ saleUuid, required: true });
    const calls = [
      () => atCommitments.sales.getSale({ saleUuid }),
      () => atCommitments.sales.updateSale({ saleUuid, definition: auction(), expectedDefinitionVersion: 1n }),
      () => atAuth.memberships.listMembers({ saleUuid }),
      () => atAuth.memberships.setMember({ saleUuid, email: newEmail(), role: Role.OWNER }),
      () => atAuth.memberships.setSalePasskeyRule({ saleUuid, required: false }),
      async () => (await service.saleClientsOf(victim.thief)).sales.getSale({ saleUuid }),
    ];
    for (const call of calls) expect(await refusal(call())).toMatchObject(SALE_RULE);
    expect((await sales.getSale({ saleUuid })).sale?.uuid).toBe(saleUuid);
  });

  it("can't be entered by a claim of the caller: auth signs how the person signed in", async () => {
    const { thief } = await victimOf(web());
    for (const audience of [AUTH_AUDIENCE, COMMITMENTS_AUDIENCE]) {
      const [, claims = ""] = (await web().service.actorToken(thief, audience)).split(".");
      const read = JSON.parse(Buffer.from(claims, "base64url").toString());
      expect(read).toMatchObject({ authenticated_by: "code" });
      const [header, , signature] = (await web().service.actorToken(thief, audience)).split(".");
      const forged = Buffer.from(JSON.stringify({ ...read, authenticated_by: "passkey" })).toString("base64url");
      const { memberships } = web().service.as("gateway", `${header}.${forged}.${signature}`);
      const call = memberships.listMembers({ saleUuid: randomUUID() });
      expect(await refusal(call)).toMatchObject({ code: "unauthenticated" });
    }
  });
});
