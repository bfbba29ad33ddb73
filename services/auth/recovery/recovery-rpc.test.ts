import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { withCallSignal } from "../../../common/platform/concurrency/call-signal.ts";
import { AuthenticationMethod, CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { type AccountClient, accountClient, failureOf, newBrowserToken, PEER } from "../testing/account-client.ts";
import { givePasskey, sessionBy } from "../testing/passkey-holder.ts";
import { sendDueNotices } from "./send-due-notices.ts";
import { stopRecoveryBySignIn } from "./stop-recovery.ts";

const HOUR_MS = 3_600_000;
const EMAIL = "a@example.com";
const GERMAN_PEER = { ...PEER, language: "de" };

let client: AccountClient;
let account: { uuid: string; email: string };

const bySession = (value: string) => ({ proof: { case: "sessionToken" as const, value } });
const byPass = (value: string) => ({ proof: { case: "recoveryPass" as const, value } });
const signIn = () => client.signIn(EMAIL);
const signInByPasskey = () => sessionBy(client.context, "passkey", account);
const advance = (hours: number) => client.context.time.advance(hours * HOUR_MS);
const notices = () => sendDueNotices(client.context, new AbortController().signal);
const subjects = () => client.outbox.mails.map(({ subject }) => subject).filter((subject) => !/code/i.test(subject));
const recoveryOf = async (value: string) =>
  (await client.accounts.getSignInRules({ proof: bySession(value) })).recovery;

/** Enters a code. @returns the pass that it gives where it doesn't sign in */
async function enterCode(): Promise<string> {
  const browserToken = newBrowserToken();
  const { signInHandle } = await client.accounts.beginSignIn({ email: EMAIL, browserToken, peer: PEER });
  const entry = { signInHandle, browserToken, code: client.outbox.lastCode(), peer: PEER };
  const { result, recoveryPass, sessionToken } = await client.accounts.completeSignIn(entry);
  expect([result, sessionToken]).toEqual([CodeResult.PASSKEY_REQUIRED, ""]);
  return recoveryPass;
}

async function begun(): Promise<string> {
  const { recovery } = await client.accounts.beginRecovery({ proof: bySession(await signIn()), peer: PEER });
  return recovery?.uuid ?? "";
}

beforeEach(async () => {
  client = await accountClient();
  const found = await client.accounts.getSession({ sessionToken: await signIn() });
  account = { uuid: found.account?.uuid ?? "", email: EMAIL };
  await givePasskey(client.context, account.uuid);
});

describe("a recovery", () => {
  it("is mailed at its beginning although the call that began it has ended by then", async () => {
    const proof = bySession(await signIn());
    const call = new AbortController();
    const { database } = client.context;
    const writeLocked = database.writeLocked.bind(database);
    const spy = vi.spyOn(database, "writeLocked").mockImplementation(async (work) => {
      const stored = await writeLocked(work);
      call.abort();
      return stored;
    });
    onTestFinished(() => spy.mockRestore());
    await withCallSignal(call.signal, () => client.accounts.beginRecovery({ proof, peer: PEER }));
    await expect.poll(subjects).toEqual([expect.stringMatching(/passkeys/)]);
  });

  it("removes the passkeys, the sessions and the requirement after 72 hours, and signs in", async () => {
    const holder = await signInByPasskey();
    await client.accounts.setPasskeyRequired({ sessionToken: holder, required: true, peer: PEER });
    const proof = byPass(await enterCode());
    const { recovery } = await client.accounts.beginRecovery({ proof, peer: GERMAN_PEER });
    const recoveryUuid = recovery?.uuid ?? "";
    expect(await failureOf(client.accounts.completeRecovery({ proof, recoveryUuid }))).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("72 hours"),
    });
    advance(72);
    const later = byPass(await enterCode());
    expect(await client.accounts.getSignInRules({ proof: later })).toMatchObject({
      email: EMAIL,
      passkeys: 1,
      passkeyRequired: true,
      recovery: { uuid: recoveryUuid, ready: true },
    });
    const done = await client.accounts.completeRecovery({ proof: later, recoveryUuid, peer: PEER });
    const rules = await client.accounts.getSignInRules({ proof: bySession(done.sessionToken) });
    expect(rules).toMatchObject({ passkeys: 0, passkeyRequired: false });
    expect(rules.recovery).toBeUndefined();
    expect(await failureOf(client.accounts.getSession({ sessionToken: holder }))).toMatchObject({
      code: "unauthenticated",
    });
    expect(await failureOf(client.accounts.getSignInRules({ proof: later }))).toMatchObject({
      code: "unauthenticated",
    });
    expect((await client.accounts.listSessions({ sessionToken: done.sessionToken })).sessions).toHaveLength(1);
    await signIn();
  });

  it("is mailed at its beginning, a day before its end, when it can be completed, and when it has expired", async () => {
    await client.accounts.beginRecovery({ proof: bySession(await signIn()), peer: GERMAN_PEER });
    await expect.poll(subjects).toEqual(["Jemand will Ihr Konto ohne Passkeys wiederherstellen"]);
    for (const hours of [47, 1, 0, 24, 0, 168, 0]) {
      advance(hours);
      await notices();
    }
    expect(subjects().slice(1)).toEqual([
      "Ihr Konto kann morgen wiederhergestellt werden",
      "Ihr Konto kann nun wiederhergestellt werden",
      "Die Wiederherstellung Ihres Kontos ist verfallen",
    ]);
    expect(client.outbox.mails.map(({ text, html }) => text + html).join()).not.toMatch(/https?:\/\/[^\s"]*\?/);
    expect(await recoveryOf(await signIn())).toBeUndefined();
  });

  it("is mailed again after a failure, and once by two processes", async () => {
    client.outbox.broken = true;
    const { database, clock } = client.context;
    const uuid = await client.accounts
      .beginRecovery({ proof: bySession(await sessionBy({ database, clock }, "code", account)), peer: PEER })
      .then(({ recovery }) => recovery?.uuid);
    expect(uuid).toBeDefined();
    client.outbox.broken = false;
    advance(0.1);
    await Promise.all([notices(), notices()]);
    expect(subjects()).toEqual(["Somebody wants to recover your account without its passkeys"]);
  });

  it("that waits already stays as it is", async () => {
    const first = await begun();
    advance(24);
    expect(await begun()).toBe(first);
    await expect.poll(subjects).toHaveLength(1);
  });

  it("is stopped by a session of any kind, and mailed", async () => {
    for (const token of [await signIn(), await signInByPasskey()]) {
      const recoveryUuid = await begun();
      await client.accounts.stopRecovery({ proof: bySession(token), recoveryUuid, peer: PEER });
      expect(await recoveryOf(token)).toBeUndefined();
      await expect.poll(() => subjects().at(-1)).toBe("The recovery of your account was stopped");
    }
  });

  it("isn't for an account without passkeys, nor for whoever has one, nor for an old session", async () => {
    const [old, holder] = [await signIn(), await signInByPasskey()];
    advance(1);
    const other = await client.signIn("b@example.com");
    for (const token of [old, holder, other]) {
      const failure = await failureOf(client.accounts.beginRecovery({ proof: bySession(token) }));
      expect(failure).toMatchObject({ code: "failed_precondition" });
    }
  });

  it("ends with the account", async () => {
    await begun();
    await client.accounts.deleteAccount({ sessionToken: await signInByPasskey() });
    const { query } = client.context.database;
    expect(await query.selectFrom("recovery").select("recovery").execute()).toEqual([]);
  });
});

describe("an account with a passkey", () => {
  it.each(["code", "passkey"] as const)("with a %s changes its address or is deleted, or not", async (method) => {
    const sessionToken = await sessionBy(client.context, method, account);
    const change = client.accounts.beginEmailChange({
      sessionToken,
      email: "b@example.com",
      browserToken: newBrowserToken(),
      peer: PEER,
    });
    if (method === "passkey") {
      await change;
      await client.accounts.deleteAccount({ sessionToken });
      return;
    }
    const refusal = { code: "failed_precondition", violations: [{ rule: "passkey.sign_in_required" }] };
    expect(await failureOf(change)).toMatchObject(refusal);
    expect(await failureOf(client.accounts.deleteAccount({ sessionToken }))).toMatchObject(refusal);
  });
});

describe("requiring a passkey", () => {
  it("ends the sessions that began with a code, for good", async () => {
    const code = await signIn();
    const holder = await signInByPasskey();
    await client.accounts.setPasskeyRequired({ sessionToken: holder, required: true, peer: PEER });
    const racing = await sessionBy(client.context, "code", account);
    for (const sessionToken of [code, racing]) {
      expect(await failureOf(client.accounts.getSession({ sessionToken }))).toMatchObject({ code: "unauthenticated" });
    }
    expect((await client.accounts.listSessions({ sessionToken: holder })).sessions).toHaveLength(1);
    await client.accounts.setPasskeyRequired({ sessionToken: holder, required: false, peer: PEER });
    await expect
      .poll(subjects)
      .toEqual(["Your account now requires a passkey", "Your account no longer requires a passkey"]);
    await signIn();
  });

  it("wants a passkey, and a recent sign-in with it", async () => {
    const holder = await signInByPasskey();
    const failures = [await signIn(), holder].map(async (sessionToken, index) => {
      if (index === 1) advance(1);
      return failureOf(client.accounts.setPasskeyRequired({ sessionToken, required: true }));
    });
    for (const failure of failures) expect(await failure).toMatchObject({ code: "failed_precondition" });
  });
});

describe("somebody who enters codes of an account with a passkey", () => {
  it("doesn't use up the changes of its owner", async () => {
    const taken: string[] = [];
    const take = async (limit: string) => void taken.push(limit);
    client = await accountClient({ rateLimits: { take }, database: client.context.database });
    const sessionToken = await signIn();
    await begun();
    expect(await failureOf(client.accounts.setPasskeyRequired({ sessionToken, required: true }))).toMatchObject({
      violations: [{ rule: "passkey.sign_in_required" }],
    });
    expect(taken).toContain("recovery_account");
    expect(taken).not.toContain("change_account");
  });

  it("has no use of a pass once the address has changed", async () => {
    const holder = await signInByPasskey();
    await client.accounts.setPasskeyRequired({ sessionToken: holder, required: true });
    const proof = byPass(await enterCode());
    const browserToken = newBrowserToken();
    const change = { sessionToken: holder, email: "new@example.com", browserToken };
    const { signInHandle } = await client.accounts.beginEmailChange(change);
    const entry = { sessionToken: holder, signInHandle, browserToken, code: client.outbox.lastCode() };
    await client.accounts.completeEmailChange(entry);
    expect(await failureOf(client.accounts.beginRecovery({ proof }))).toMatchObject({ code: "unauthenticated" });
  });
});

describe("a recovery that the operator begins", () => {
  const recover = (stop = false) => client.accounts.recoverAccount({ email: EMAIL, stop });

  it("replaces the owner's, isn't stopped by a thief's passkey, and is completed by a code", async () => {
    const first = await begun();
    const { recovery } = await recover();
    const recoveryUuid = recovery?.uuid ?? "";
    expect([recoveryUuid === first, recovery?.byOperator]).toEqual([false, true]);
    expect((await recover()).recovery?.uuid).toBe(recoveryUuid);
    const { database, clock } = client.context;
    const stopped = await database.write((transaction) => stopRecoveryBySignIn(transaction, account.uuid, "", clock()));
    expect(stopped).toBe(false);
    for (const token of [await signIn(), await signInByPasskey()]) {
      const stop = client.accounts.stopRecovery({ proof: bySession(token), recoveryUuid });
      expect(await failureOf(stop)).toMatchObject({ code: "failed_precondition" });
    }
    await notices();
    expect(subjects()).toContain("The operator has begun the recovery of your account");
    advance(72);
    await client.accounts.completeRecovery({ proof: bySession(await signIn()), recoveryUuid });
  });

  it("isn't undone by a thief's passkey: until then neither the address changes nor the account is deleted", async () => {
    const sessionToken = await signInByPasskey();
    const browserToken = newBrowserToken();
    const begin = () => client.accounts.beginEmailChange({ sessionToken, email: "thief@example.com", browserToken });
    const { signInHandle } = await begin();
    const code = client.outbox.lastCode();
    await recover();
    const calls = [
      begin(),
      client.accounts.completeEmailChange({ sessionToken, signInHandle, browserToken, code }),
      client.accounts.deleteAccount({ sessionToken }),
    ];
    const refused = { code: "failed_precondition", violations: [{ rule: "account.operator_recovery" }] };
    for (const call of calls) expect(await failureOf(call)).toMatchObject(refused);
    await recover(true);
    await begin();
  });

  it("isn't kept from its completion by a thief's passkey, who ends the session by code or requires passkeys", async () => {
    const sessionToken = await signInByPasskey();
    const { recovery } = await recover();
    advance(72);
    const thief = await signInByPasskey();
    const proof = bySession(await signIn());
    const { accounts } = client;
    const { sessions } = await accounts.listSessions({ sessionToken: thief });
    const [owners] = sessions.filter(({ authenticatedBy }) => authenticatedBy === AuthenticationMethod.CODE);
    const calls = [
      accounts.endOtherSessions({ sessionToken: thief }),
      accounts.endSession({ sessionToken: thief, sessionUuid: owners?.uuid ?? "" }),
      accounts.setPasskeyRequired({ sessionToken: thief, required: true }),
    ];
    const refused = { code: "failed_precondition", violations: [{ rule: "account.operator_recovery" }] };
    for (const call of calls) expect(await failureOf(call)).toMatchObject(refused);
    await accounts.completeRecovery({ proof, recoveryUuid: recovery?.uuid ?? "" });
    for (const old of [sessionToken, thief]) {
      expect(await failureOf(accounts.getSession({ sessionToken: old }))).toMatchObject({ code: "unauthenticated" });
    }
  });

  it("is stopped by the operator, as is any other", async () => {
    for (const begin of [recover, begun]) {
      await begin();
      await recover(true);
      expect(await recoveryOf(await signIn())).toBeUndefined();
    }
    await recover(true);
    const other = client.accounts.recoverAccount({ email: "nobody@example.com" });
    expect(await failureOf(other)).toMatchObject({ code: "not_found" });
  });
});
