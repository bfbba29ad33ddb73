import { decodeJwt } from "jose";
import { describe, expect, it, vi } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { insertClient } from "../applications/applications-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import { insertAuthorizationRequest } from "../authorization/authorization-requests-store.ts";
import { SESSION_IDLE_MS } from "../base/lifetimes.ts";
import { consentStatement } from "../consents/consents-store.ts";
import { storeMember } from "../memberships/members-store.ts";
import { insertSaleAccess } from "../memberships/sale-access-store.ts";
import { type AccountClient, accountClient, failureOf, newBrowserToken, PEER } from "../testing/account-client.ts";
import { sampleClient } from "../testing/sample-application.ts";

const MINUTE_MS = 60_000;
const SALE = "11111111-1111-4111-8111-111111111111";
const STRANGER = "99999999-9999-4999-8999-999999999999";

async function accountUuidOf({ accounts }: AccountClient, sessionToken: string): Promise<string> {
  const { account } = await accounts.getSession({ sessionToken });
  return account?.uuid ?? "";
}

describe("a session", () => {
  it("doesn't become idle while it is used, for 14 days at most", async () => {
    const client = await accountClient();
    const { accounts, context } = client;
    const sessionToken = await client.signIn("a@example.com");
    for (let hours = 0; hours < 14 * 24; hours += 11) {
      await accounts.getSession({ sessionToken });
      context.time.advance(11 * 60 * MINUTE_MS);
    }
    expect(await failureOf(accounts.getSession({ sessionToken }))).toMatchObject({ code: "unauthenticated" });
  });

  it("ends with a sign-out; signing out of an unknown session is no error", async () => {
    const client = await accountClient();
    const sessionToken = await client.signIn("a@example.com");
    await client.accounts.signOut({ sessionToken });
    await client.accounts.signOut({ sessionToken });
    await client.accounts.signOut({ sessionToken: "" });
    expect(await failureOf(client.accounts.getSession({ sessionToken }))).toMatchObject({ code: "unauthenticated" });
  });

  it("lists and ends the other sessions of its account, but of no other account", async () => {
    const client = await accountClient();
    const { accounts, context } = client;
    const laptop = await client.signIn("a@example.com");
    context.time.advance(MINUTE_MS);
    const phone = await client.signIn("a@example.com");
    const stranger = await client.signIn("b@example.com");
    const { sessions } = await accounts.listSessions({ sessionToken: phone });
    expect(sessions.map(({ current }) => current)).toEqual([true, false]);
    expect(sessions[1]).toMatchObject({ userAgent: PEER.userAgent });
    const sessionUuid = sessions[1]?.uuid ?? "";
    expect(await failureOf(accounts.endSession({ sessionToken: stranger, sessionUuid }))).toMatchObject({
      code: "not_found",
    });
    await accounts.endSession({ sessionToken: phone, sessionUuid: sessionUuid.toUpperCase() });
    expect(await failureOf(accounts.getSession({ sessionToken: laptop }))).toMatchObject({ code: "unauthenticated" });
    expect((await accounts.listSessions({ sessionToken: phone })).sessions).toHaveLength(1);
  });

  it("ends all others of its account at once, but of no other account", async () => {
    const client = await accountClient();
    const { accounts, context } = client;
    const others = [await client.signIn("a@example.com"), await client.signIn("a@example.com")];
    const kept = [await client.signIn("a@example.com"), await client.signIn("b@example.com")];
    const [sessionToken = ""] = kept;
    expect(await accounts.endOtherSessions({ sessionToken })).toMatchObject({ ended: 2 });
    for (const token of others) {
      expect(await failureOf(accounts.getSession({ sessionToken: token }))).toMatchObject({ code: "unauthenticated" });
    }
    for (const token of kept) await accounts.getSession({ sessionToken: token });
    expect(await accounts.endOtherSessions({ sessionToken })).toMatchObject({ ended: 0 });
    const events = await context.database.query.selectFrom("audit").select("event").execute();
    expect(events.filter(({ event }) => event === "session.others_ended")).toHaveLength(1);
  });

  it("ends no tokens at sign-out once it has ended itself", async () => {
    const client = await accountClient();
    const sessionToken = await client.signIn("a@example.com");
    expect(await client.accounts.signOut({ sessionToken: newBrowserToken(), endTokens: true })).toMatchObject({
      tokensEnded: false,
    });
    client.context.time.advance(Number(SESSION_IDLE_MS));
    expect(await client.accounts.signOut({ sessionToken, endTokens: true })).toMatchObject({ tokensEnded: false });
  });

  it("gets an actor token for one service, with its own ID and the time of the sign-in", async () => {
    const client = await accountClient();
    const sessionToken = await client.signIn("a@example.com");
    const signedInAt = Number(client.context.clock()) / 1_000;
    client.context.time.advance(5 * MINUTE_MS);
    const { actorToken } = await client.accounts.issueActorToken({ sessionToken, audience: "tidemark.commitments" });
    const { sessions } = await client.accounts.listSessions({ sessionToken });
    expect(decodeJwt(actorToken)).toMatchObject({
      aud: "tidemark.commitments",
      sub: await accountUuidOf(client, sessionToken),
      auth_time: signedInAt,
      sid: sessions[0]?.uuid,
    });
  });

  it("must be live for every call about an account", async () => {
    const { accounts } = await accountClient();
    const sessionToken = newBrowserToken();
    const browserToken = newBrowserToken();
    const calls = [
      accounts.getSession({ sessionToken }),
      accounts.issueActorToken({ sessionToken, audience: "tidemark.auth" }),
      accounts.listSessions({ sessionToken }),
      accounts.endSession({ sessionToken, sessionUuid: STRANGER }),
      accounts.endOtherSessions({ sessionToken }),
      accounts.listConsents({ sessionToken }),
      accounts.listAccountEvents({ sessionToken }),
      accounts.withdrawConsent({ sessionToken, clientUuid: STRANGER }),
      accounts.beginEmailChange({ sessionToken, email: "b@example.com", browserToken }),
      accounts.completeEmailChange({ sessionToken, signInHandle: "x", browserToken, code: "x" }),
      accounts.deleteAccount({ sessionToken }),
    ];
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: "unauthenticated" });
  });
});

describe("the record of an account", () => {
  it("has what happened to it, the newest first, without the addresses of others", async () => {
    const client = await accountClient();
    const { database, clock, time } = client.context;
    const sessionToken = await client.signIn("a@example.com");
    const accountUuid = await accountUuidOf(client, sessionToken);
    const stranger = await client.signIn("b@example.com");
    time.advance(1_000);
    const saleUuid = STRANGER;
    const details = { address: "192.0.2.66" };
    for (const by of [STRANGER, accountUuid]) {
      const event = { event: "member.changed", accountUuid, saleUuid, details: { ...details, by } } as const;
      await recordEvent(database.query, event, clock());
    }
    const { events } = await client.accounts.listAccountEvents({ sessionToken });
    const changes = events.filter(({ event }) => event === "member.changed");
    expect(changes.map(({ address }) => address).toSorted()).toEqual(["", "192.0.2.66"]);
    expect(changes[0]).toMatchObject({ saleUuid, clientUuid: "" });
    expect(events.slice(0, 2)).toEqual(changes);
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(["account.created", "sign_in.completed"]));
    const others = (await client.accounts.listAccountEvents({ sessionToken: stranger })).events;
    expect(others.map(({ event }) => event)).not.toContain("member.changed");
  });
});

describe("a change of the address", () => {
  async function begun(client: AccountClient, sessionToken: string, email: string) {
    const browserToken = newBrowserToken();
    const { signInHandle } = await client.accounts.beginEmailChange({ sessionToken, email, browserToken, peer: PEER });
    const code = client.outbox.lastCode();
    return (change: { sessionToken?: string; code?: string; browserToken?: string } = {}) =>
      client.accounts.completeEmailChange({ sessionToken, signInHandle, browserToken, code, peer: PEER, ...change });
  }

  it("needs the code sent to the new address, and notifies the old one", async () => {
    const client = await accountClient();
    const sessionToken = await client.signIn("old@example.com");
    const enter = await begun(client, sessionToken, "New@example.com");
    expect(client.outbox.mails.at(-1)).toMatchObject({ to: "new@example.com" });
    expect(await enter({ code: "BBBB-BBBB" })).toMatchObject({ result: CodeResult.WRONG, triesLeft: 4 });
    expect(await enter()).toMatchObject({ result: CodeResult.CORRECT, account: { email: "new@example.com" } });
    expect(client.outbox.mails.at(-1)).toMatchObject({
      to: "old@example.com",
      subject: "The e-mail address of your account was changed",
    });
    const uuid = await accountUuidOf(client, sessionToken);
    expect(await accountUuidOf(client, await client.signIn("new@example.com"))).toBe(uuid);
    expect(await accountUuidOf(client, await client.signIn("old@example.com"))).not.toBe(uuid);
    expect(await enter()).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
  });

  it("ends all other sessions, and says so to the old address", async () => {
    const client = await accountClient();
    const thief = await client.signIn("old@example.com");
    const sessionToken = await client.signIn("old@example.com");
    const bystander = await client.signIn("b@example.com");
    await (await begun(client, sessionToken, "new@example.com"))();
    expect(await failureOf(client.accounts.getSession({ sessionToken: thief }))).toMatchObject({
      code: "unauthenticated",
    });
    for (const kept of [sessionToken, bystander]) await client.accounts.getSession({ sessionToken: kept });
    const { text } = client.outbox.mails.at(-1) ?? {};
    expect(text).toContain("every other browser is signed out");
    expect(text).toContain("Applications keep the access");
  });

  it("needs a recent sign-in to begin", async () => {
    const client = await accountClient();
    const sessionToken = await client.signIn("a@example.com");
    client.context.time.advance(10 * MINUTE_MS + 1);
    expect(await failureOf(begun(client, sessionToken, "b@example.com"))).toMatchObject({
      code: "failed_precondition",
    });
  });

  it("can't take over an address that has an account", async () => {
    const client = await accountClient();
    await client.signIn("taken@example.com");
    const sessionToken = await client.signIn("a@example.com");
    const enter = await begun(client, sessionToken, "taken@example.com");
    expect(await failureOf(enter())).toMatchObject({ code: "already_exists" });
    expect(await client.accounts.getSession({ sessionToken })).toMatchObject({ account: { email: "a@example.com" } });
  });

  it("is bound to the account and the browser that began it", async () => {
    const client = await accountClient();
    const stranger = await client.signIn("stranger@example.com");
    const enter = await begun(client, await client.signIn("a@example.com"), "b@example.com");
    expect(await enter({ sessionToken: stranger })).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
    expect(await enter({ browserToken: newBrowserToken() })).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
    expect(await enter()).toMatchObject({ result: CodeResult.CORRECT });
  });

  it("accepts no code of a sign-in, and a sign-in accepts none of a change", async () => {
    const client = await accountClient();
    const sessionToken = await client.signIn("a@example.com");
    const browserToken = newBrowserToken();
    const email = "b@example.com";
    const changing = await client.accounts.beginEmailChange({ sessionToken, email, browserToken });
    const change = { signInHandle: changing.signInHandle, browserToken, code: client.outbox.lastCode() };
    expect(await client.accounts.completeSignIn(change)).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
    const { signInHandle } = await client.accounts.beginSignIn({ email, browserToken });
    const signIn = { signInHandle, browserToken, sessionToken, code: client.outbox.lastCode() };
    expect(await client.accounts.completeEmailChange(signIn)).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
  });

  it("is limited per account", async () => {
    const take = vi.fn(async () => {});
    const client = await accountClient({ rateLimits: { take } });
    const sessionToken = await client.signIn("a@example.com");
    await begun(client, sessionToken, "b@example.com");
    expect(take).toHaveBeenLastCalledWith("change_account", await accountUuidOf(client, sessionToken));
  });
});

describe("consents", () => {
  const consent = { granted: ["read_entities", "sale_eligibility_check"], declined: ["contact_email"] };

  async function consented(email: string) {
    const client = await accountClient();
    const { database, clock } = client.context;
    const sessionToken = await client.signIn(email);
    const accountUuid = await accountUuidOf(client, sessionToken);
    const application = sampleClient();
    const key = { accountUuid, clientUuid: application.uuid };
    await database.write(async (transaction) => {
      await insertClient(transaction, application);
      await transaction.executeQuery(consentStatement(database.dialect, key, consent, clock()));
    });
    return { ...client, client, sessionToken, application, clientUuid: application.uuid };
  }

  it("are listed with the application's name and logo", async () => {
    const { accounts, sessionToken, application } = await consented("a@example.com");
    expect((await accounts.listConsents({ sessionToken })).consents).toMatchObject([
      {
        clientUuid: application.uuid,
        clientName: application.definition.name,
        saleUuid: application.saleUuid,
        grantedScopes: consent.granted,
        declinedScopes: consent.declined,
        squareLogo: application.squareLogo ?? "",
      },
    ]);
  });

  it("are deleted when their own account withdraws them", async () => {
    const { client, accounts, sessionToken, clientUuid } = await consented("a@example.com");
    const stranger = await client.signIn("b@example.com");
    expect(await failureOf(accounts.withdrawConsent({ sessionToken: stranger, clientUuid }))).toMatchObject({
      code: "not_found",
    });
    await accounts.withdrawConsent({ sessionToken, clientUuid: clientUuid.toUpperCase(), peer: PEER });
    expect((await accounts.listConsents({ sessionToken })).consents).toEqual([]);
    expect(await failureOf(accounts.withdrawConsent({ sessionToken, clientUuid }))).toMatchObject({
      code: "not_found",
    });
  });

  it("end with their tokens and codes", async () => {
    const { accounts, sessionToken, clientUuid, client } = await consented("a@example.com");
    const { query } = client.context.database;
    const account = bytesOfHex(await accountUuidOf(client, sessionToken));
    const common = { client: bytesOfHex(clientUuid), account, scopes: "", token_generation: 0n };
    const times = { authenticated_at_ms: 0n, created_at_ms: 0n, expires_at_ms: 2n ** 60n };
    const family = bytesOfHex("aa".repeat(16));
    await query
      .insertInto("token_family")
      .values({ ...common, ...times, family })
      .execute();
    const code = { code: bytesOfHex("bb".repeat(32)), redirect_uri: "", code_challenge: "" };
    await query
      .insertInto("authorization_code")
      .values({ ...common, ...times, ...code, family })
      .execute();
    await accounts.withdrawConsent({ sessionToken, clientUuid });
    const [stored] = await query.selectFrom("token_family").select("revoked_at_ms").execute();
    expect(stored?.revoked_at_ms).toBe(client.context.clock());
    expect(await query.selectFrom("authorization_code").select("code").execute()).toEqual([]);
  });
});

describe("the deletion of an account", () => {
  it("needs a recent sign-in", async () => {
    const client = await accountClient();
    const sessionToken = await client.signIn("a@example.com");
    client.context.time.advance(10 * MINUTE_MS + 1);
    const call = client.accounts.deleteAccount({ sessionToken });
    expect(await failureOf(call)).toMatchObject({ code: "failed_precondition" });
    await client.accounts.getSession({ sessionToken });
  });

  it("ends all of its sessions, and the next sign-in creates another account", async () => {
    const client = await accountClient();
    const [one, two] = [await client.signIn("a@example.com"), await client.signIn("a@example.com")];
    const uuid = await accountUuidOf(client, one);
    await client.accounts.deleteAccount({ sessionToken: one, peer: PEER });
    for (const sessionToken of [one, two]) {
      expect(await failureOf(client.accounts.getSession({ sessionToken }))).toMatchObject({ code: "unauthenticated" });
    }
    expect(client.outbox.mails.at(-1)).toMatchObject({ to: "a@example.com", subject: "Your account was deleted" });
    expect(await accountUuidOf(client, await client.signIn("a@example.com"))).not.toBe(uuid);
    for (const table of ["consent", "member", "founder"] as const) {
      expect(await client.context.database.query.selectFrom(table).select("account").execute()).toEqual([]);
    }
  });

  it("is refused to the only owner of a sale, and granted to one of two", async () => {
    const client = await accountClient();
    const { database } = client.context;
    const [one, two] = [await client.signIn("a@example.com"), await client.signIn("b@example.com")];
    const own = async (sessionToken: string) => {
      const accountUuid = await accountUuidOf(client, sessionToken);
      await database.write((transaction) =>
        storeMember(transaction, database.dialect, SALE, { accountUuid, role: "owner" }),
      );
    };
    await database.write((transaction) => insertSaleAccess(transaction, SALE));
    await own(one);
    const call = client.accounts.deleteAccount({ sessionToken: one });
    expect(await failureOf(call)).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining(SALE),
    });
    await own(two);
    await client.accounts.deleteAccount({ sessionToken: one });
    expect(await failureOf(client.accounts.deleteAccount({ sessionToken: two }))).toMatchObject({
      code: "failed_precondition",
    });
  });
});

describe("the mail of a sign-in for an application", () => {
  it("names application and sale, in the browser that began the authorization", async () => {
    const client = await accountClient();
    const { database, clock } = client.context;
    const application = sampleClient();
    const browserToken = newBrowserToken();
    const authorizationHandle = await database.write(async (transaction) => {
      await insertClient(transaction, application);
      return insertAuthorizationRequest(transaction, database.dialect, browserToken, {
        clientUuid: application.uuid,
        redirectUri: "https://app.example/callback",
        scopes: ["read_entities"],
        state: undefined,
        codeChallenge: "c".repeat(43),
        prompts: [],
        maxAgeSeconds: undefined,
        loginHint: undefined,
        nonce: undefined,
        hintedSubject: undefined,
        keyThumbprint: undefined,
        createdAtMs: clock(),
      });
    });
    const email = "a@example.com";
    await client.accounts.beginSignIn({ email, browserToken, authorizationHandle });
    expect(client.outbox.mails.at(-1)).toMatchObject({
      subject: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4} is your sign-in code$/),
      text: expect.stringContaining("to the application “Portal” of the sale “Sale”"),
    });
    await client.accounts.beginSignIn({ email, browserToken: newBrowserToken(), authorizationHandle });
    expect(client.outbox.mails.at(-1)?.text).not.toContain("Portal");
  });

  it("names neither where the authorization is unknown", async () => {
    const client = await accountClient();
    const call = { email: "a@example.com", browserToken: newBrowserToken(), authorizationHandle: "unknown" };
    await client.accounts.beginSignIn(call);
    expect(client.outbox.mails.at(-1)?.text).toMatch(/^You asked to sign in\. /);
  });
});
