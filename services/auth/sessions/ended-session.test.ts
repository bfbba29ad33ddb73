import { beforeEach, describe, expect, it, vi } from "vitest";
import { endSignIn } from "../accounts/sign-out.ts";
import { failureOf, newBrowserToken, PEER } from "../testing/account-client.ts";
import { answerOf } from "../testing/application.ts";
import type { TestContext } from "../testing/auth-context.ts";
import { authorizationClient } from "../testing/authorization-client.ts";
import { type PasskeyClient, passkeyClient } from "../testing/passkey-client.ts";
import { givePasskey, sessionBy } from "../testing/passkey-holder.ts";

const EMAIL = "owner@example.com";
const OTHER_EMAIL = "thief@example.com";
const RECOVERY_WAIT_MS = 72 * 3_600_000;
const ENDED = { code: "unauthenticated", message: expect.stringContaining("session has ended") };

/** Does something during the next call, once it has read its session. @param index of the call's transaction before which, from 0 */
function beforeTransaction({ database }: TestContext, index: number, work: () => Promise<unknown>): void {
  const write = database.write.bind(database);
  let others = index;
  const spy = vi.spyOn(database, "write").mockImplementation(async (transaction) => {
    if (others === 0) {
      spy.mockRestore();
      await work();
    }
    others -= 1;
    return write(transaction);
  });
}

describe("a call of a thief, who has a passkey of the account, while its owner", () => {
  let client: PasskeyClient;
  let account: { readonly uuid: string; readonly email: string };
  /** The session of the thief. */
  let sessionToken: string;
  /** The passkey of the thief. */
  let stolen: string;
  beforeEach(async () => {
    client = await passkeyClient();
    const { accounts, context } = client;
    sessionToken = await client.holderOfPasskey(EMAIL);
    account = { uuid: (await accounts.getSession({ sessionToken })).account?.uuid ?? "", email: EMAIL };
    stolen = (await accounts.listPasskeys({ sessionToken })).passkeys[0]?.uuid ?? "";
    context.time.advance(RECOVERY_WAIT_MS);
    sessionToken = await sessionBy(context, "passkey", account);
  });

  /** Prepares a recovery, which waits as long as it must. @returns its completion */
  async function readyRecovery(): Promise<() => Promise<unknown>> {
    const { accounts, context } = client;
    const own = async () => {
      const value = await sessionBy(context, "code", account);
      return { proof: { case: "sessionToken" as const, value } };
    };
    const { recovery } = await accounts.beginRecovery({ proof: await own(), peer: PEER });
    context.time.advance(RECOVERY_WAIT_MS);
    const proof = await own();
    sessionToken = await sessionBy(context, "passkey", account);
    return () => accounts.completeRecovery({ proof, recoveryUuid: recovery?.uuid ?? "", peer: PEER });
  }

  /** Gives the owner another passkey. @returns how the owner removes the stolen one, in a session by the other */
  async function removal(): Promise<() => Promise<unknown>> {
    await givePasskey(client.context, account.uuid);
    const owner = await sessionBy(client.context, "passkey", account);
    return () => client.accounts.removePasskey({ sessionToken: owner, passkeyUuid: stolen, peer: PEER });
  }

  const passkeys = async () => {
    const owner = await sessionBy(client.context, "passkey", account);
    return (await client.accounts.listPasskeys({ sessionToken: owner })).passkeys.map(({ uuid }) => uuid);
  };

  it.each([
    ["completes a recovery", readyRecovery, 0],
    ["removes that passkey", removal, 1],
  ])("%s: adds no passkey", async (_, prepared, left) => {
    const work = await prepared();
    const { accounts, authenticator, browserToken, context } = client;
    const { optionsJson } = await accounts.beginPasskeyAddition({ sessionToken, browserToken });
    const credentialJson = authenticator.create(optionsJson);
    // The first transaction uses the challenge up, which a recovery would delete.
    beforeTransaction(context, 1, work);
    const call = accounts.completePasskeyAddition({ sessionToken, browserToken, credentialJson, peer: PEER });
    expect(await failureOf(call)).toMatchObject(ENDED);
    expect(await passkeys()).toHaveLength(left);
  });

  it("removes that passkey: removes none of the owner's", async () => {
    const work = await removal();
    const passkeyUuid = (await passkeys()).find((uuid) => uuid !== stolen) ?? "";
    beforeTransaction(client.context, 0, work);
    const call = client.accounts.removePasskey({ sessionToken, passkeyUuid, peer: PEER });
    expect(await failureOf(call)).toMatchObject(ENDED);
    expect(await passkeys()).toEqual([passkeyUuid]);
  });

  it("removes that passkey: doesn't lift the requirement of one", async () => {
    const work = await removal();
    const { accounts, context } = client;
    await accounts.setPasskeyRequired({ sessionToken, required: true, peer: PEER });
    beforeTransaction(context, 0, work);
    const call = accounts.setPasskeyRequired({ sessionToken, required: false, peer: PEER });
    expect(await failureOf(call)).toMatchObject(ENDED);
    const value = await sessionBy(context, "passkey", account);
    const rules = await accounts.getSignInRules({ proof: { proof: { case: "sessionToken", value } } });
    expect(rules.passkeyRequired).toBe(true);
  });

  it("completes a recovery: doesn't give the account another address", async () => {
    const work = await readyRecovery();
    const { accounts, outbox, context } = client;
    const browserToken = newBrowserToken();
    const request = { sessionToken, email: OTHER_EMAIL, browserToken, peer: PEER };
    const { signInHandle } = await accounts.beginEmailChange(request);
    const entry = { sessionToken, signInHandle, browserToken, code: outbox.lastCode(), peer: PEER };
    // The first transaction counts the entered code.
    beforeTransaction(context, 1, work);
    expect(await failureOf(accounts.completeEmailChange(entry))).toMatchObject(ENDED);
    const owner = await sessionBy(context, "code", account);
    expect((await accounts.getSession({ sessionToken: owner })).account?.email).toBe(EMAIL);
  });

  it("completes a recovery: doesn't delete the account", async () => {
    const work = await readyRecovery();
    beforeTransaction(client.context, 0, work);
    expect(await failureOf(client.accounts.deleteAccount({ sessionToken, peer: PEER }))).toMatchObject(ENDED);
    const owner = await sessionBy(client.context, "code", account);
    expect((await client.accounts.getSession({ sessionToken: owner })).account?.uuid).toBe(account.uuid);
  });
});

it("an authorization while its user signs out with the tokens of all applications gets no code", async () => {
  const auth = await authorizationClient();
  const application = await auth.application();
  const session = await auth.signIn();
  await application.tokens(session);
  const { context } = auth;
  beforeTransaction(context, 0, () => endSignIn(context, session, "all"));
  await expect(application.begin(session)).rejects.toThrow("session has ended meanwhile");
  const another = await auth.signIn();
  const decided = await application.begin(another, { prompt: "consent" });
  beforeTransaction(context, 0, () => endSignIn(context, another, "all"));
  await expect(application.decide(decided, another)).rejects.toThrow("session has ended meanwhile");
  expect(answerOf((await application.begin(await auth.signIn())).step).has("code")).toBe(true);
});
