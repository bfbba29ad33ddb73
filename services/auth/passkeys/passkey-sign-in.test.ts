import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { AuthenticationMethod, PasskeyResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { failureOf, newBrowserToken, PEER } from "../testing/account-client.ts";
import { passkeyClient } from "../testing/passkey-client.ts";
import { type AnswerChanges, SoftwareAuthenticator } from "../testing/software-authenticator.ts";
import { ISSUER } from "../testing/test-auth-config.ts";

const EMAIL = "a@example.com";
const MINUTE_MS = 60_000;
const { ACCEPTED, REFUSED, QUESTION_OVER, UNKNOWN, COPY_SUSPECTED } = PasskeyResult;

describe("a sign-in with a passkey", () => {
  it("starts a session that counts as recent and says how it began, and ends the previous one", async () => {
    const client = await passkeyClient();
    const { accounts, browserToken, authenticator, context } = client;
    const previousSessionToken = await client.ownerOfPasskey(EMAIL);
    context.time.advance(60 * MINUTE_MS);
    const { optionsJson } = await accounts.beginPasskeySignIn({ browserToken });
    const credentialJson = authenticator.get(optionsJson);
    const request = { browserToken, credentialJson, previousSessionToken, peer: PEER };
    const { result, sessionToken, session, account, knownBrowser } = await accounts.completePasskeySignIn(request);
    expect(result).toBe(ACCEPTED);
    expect(account?.email).toBe(EMAIL);
    expect(session).toMatchObject({ authenticatedBy: AuthenticationMethod.PASSKEY, userAgent: PEER.userAgent });
    expect(knownBrowser).not.toBe("");
    await accounts.deleteAccount({ sessionToken });
    expect(await failureOf(accounts.getSession({ sessionToken: previousSessionToken }))).toMatchObject({
      code: "unauthenticated",
    });
  });

  it("asks for any passkey of the host of AUTH_URL, and for user verification", async () => {
    const { accounts } = await passkeyClient();
    const { optionsJson } = await accounts.beginPasskeySignIn({ browserToken: newBrowserToken() });
    expect(JSON.parse(optionsJson)).toEqual({
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      rpId: "auth.example",
      timeout: 300_000,
      userVerification: "required",
    });
  });

  it("keeps the counter, the backup state and the time", async () => {
    const authenticator = new SoftwareAuthenticator({ origin: ISSUER, backedUp: true });
    const client = await passkeyClient({}, authenticator);
    const sessionToken = await client.ownerOfPasskey(EMAIL);
    await client.signInByPasskey({ counter: 41, backedUp: false });
    const [passkey] = (await client.accounts.listPasskeys({ sessionToken })).passkeys;
    expect(passkey).toMatchObject({ counter: 41, backupEligible: true, backedUp: false });
    expect(passkey?.lastUsedAt).toBeDefined();
  });

  it.each<[string, AnswerChanges]>([
    ["made for another site", { rpId: "evil.example" }],
    ["made for a domain above", { rpId: "example" }],
    ["of a page of another origin", { origin: "https://evil.example" }],
    ["of another scheme of the same host", { origin: "http://auth.example" }],
    ["of another port of the same host", { origin: `${ISSUER}:8443` }],
    ["of an origin that begins like ours", { origin: `${ISSUER}.evil.example` }],
    ["of a page that another origin has framed", { crossOrigin: true }],
    ["with a top origin", { topOrigin: "https://evil.example" }],
    ["whose crossOrigin is no boolean", { crossOrigin: "false" }],
    ["for a new passkey", { type: "webauthn.create" }],
    ["without user verification", { userVerified: false }],
    ["without user presence", { userPresent: false }],
    ["with another signature", { privateKey: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey }],
    ["of another account", { userHandle: Buffer.alloc(32, 1).toString("base64url") }],
    ["that claims to be backed up, but can't be", { backedUp: true }],
    ["that can be backed up all at once", { backupEligible: true }],
  ])("refuses an answer %s", async (_, changes) => {
    const client = await passkeyClient();
    await client.ownerOfPasskey(EMAIL);
    expect(await client.signInByPasskey(changes)).toMatchObject({ result: REFUSED, sessionToken: "" });
    expect((await client.signInByPasskey()).result).toBe(ACCEPTED);
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["another type", JSON.stringify({ id: "AAAA", type: "password", response: {} })],
    ["no response", JSON.stringify({ id: "AAAA", type: "public-key" })],
    ["an ID that is too long", JSON.stringify({ id: "A".repeat(1_365), type: "public-key", response: {} })],
    ["an ID of other characters", JSON.stringify({ id: "AA==", type: "public-key", response: {} })],
    ["no fields", JSON.stringify({ id: "AAAA", type: "public-key", response: {} })],
  ])("refuses an answer that is %s", async (_, credentialJson) => {
    const { accounts } = await passkeyClient();
    const request = { browserToken: newBrowserToken(), credentialJson };
    expect((await accounts.completePasskeySignIn(request)).result).toBe(REFUSED);
  });

  it("refuses an answer whose parts are cut", async () => {
    const client = await passkeyClient();
    const { accounts, browserToken, authenticator } = client;
    await client.ownerOfPasskey(EMAIL);
    for (const field of ["clientDataJSON", "authenticatorData", "signature", "userHandle"]) {
      const { optionsJson } = await accounts.beginPasskeySignIn({ browserToken });
      const credential = JSON.parse(authenticator.get(optionsJson));
      credential.response[field] = credential.response[field].slice(0, -8);
      const credentialJson = JSON.stringify(credential);
      expect((await accounts.completePasskeySignIn({ browserToken, credentialJson })).result).toBe(REFUSED);
    }
  });

  it("takes each answer once, also a refused one", async () => {
    const client = await passkeyClient();
    const { accounts, browserToken, authenticator } = client;
    await client.ownerOfPasskey(EMAIL);
    const { optionsJson } = await accounts.beginPasskeySignIn({ browserToken });
    const wrong = authenticator.get(optionsJson, { userVerified: false });
    const right = authenticator.get(optionsJson);
    const complete = async (credentialJson: string) =>
      (await accounts.completePasskeySignIn({ browserToken, credentialJson })).result;
    expect([await complete(wrong), await complete(right), await complete(right)]).toEqual([
      REFUSED,
      QUESTION_OVER,
      QUESTION_OVER,
    ]);
  });

  it("takes no answer of another browser, to an older question, to one for a new passkey, or to none", async () => {
    const client = await passkeyClient();
    const { accounts, browserToken, authenticator, context } = client;
    const sessionToken = await client.holderOfPasskey(EMAIL);
    const answer = async (optionsJson: string, token = browserToken, changes: AnswerChanges = {}) => {
      const credentialJson = authenticator.get(optionsJson, changes);
      return (await accounts.completePasskeySignIn({ browserToken: token, credentialJson })).result;
    };
    const question = async () => (await accounts.beginPasskeySignIn({ browserToken })).optionsJson;
    expect(await answer(await question(), newBrowserToken())).toBe(QUESTION_OVER);
    expect(await answer(await question(), browserToken, { challenge: "AAAA" })).toBe(QUESTION_OVER);
    const { optionsJson } = await accounts.beginPasskeyAddition({ sessionToken, browserToken });
    expect(await answer(optionsJson)).toBe(QUESTION_OVER);
    const old = await question();
    context.time.advance(5 * MINUTE_MS);
    expect(await answer(old)).toBe(QUESTION_OVER);
  });

  it("doesn't use up a question that another browser answers", async () => {
    const client = await passkeyClient();
    const { accounts, browserToken, authenticator } = client;
    await client.ownerOfPasskey(EMAIL);
    const { optionsJson } = await accounts.beginPasskeySignIn({ browserToken });
    const credentialJson = authenticator.get(optionsJson);
    const complete = async (token: string) =>
      (await accounts.completePasskeySignIn({ browserToken: token, credentialJson })).result;
    expect([await complete(newBrowserToken()), await complete(browserToken)]).toEqual([QUESTION_OVER, ACCEPTED]);
  });

  it("refuses a counter that hasn't risen, warns the owner, and doesn't keep it", async () => {
    const client = await passkeyClient();
    const sessionToken = await client.ownerOfPasskey(EMAIL);
    expect((await client.signInByPasskey({ counter: 7 })).result).toBe(ACCEPTED);
    for (const counter of [7, 6, 0]) expect((await client.signInByPasskey({ counter })).result).toBe(COPY_SUSPECTED);
    const [passkey] = (await client.accounts.listPasskeys({ sessionToken })).passkeys;
    expect(passkey?.counter).toBe(7);
    const warnings = client.outbox.mails.filter(({ subject }) => subject === "A sign-in with your passkey was refused");
    expect(warnings.map(({ to }) => to)).toContain(EMAIL);
    expect(warnings[0]?.text).toContain("“My key”");
    // A code doesn't get to the passkeys of an account that has one: what it can do is begin the recovery.
    expect(warnings[0]?.text).toContain("sign in with a code and choose “All passkeys lost?” in your account");
    expect((await client.signInByPasskey({ counter: 8 })).result).toBe(ACCEPTED);
  });

  it("accepts a counter that stays 0, as with passkeys that are copied to other devices", async () => {
    const client = await passkeyClient({}, new SoftwareAuthenticator({ origin: ISSUER, hasCounter: false }));
    await client.ownerOfPasskey(EMAIL);
    for (let use = 0; use < 2; use++) expect((await client.signInByPasskey()).result).toBe(ACCEPTED);
  });

  it("doesn't know a passkey that was removed, or whose account was deleted", async () => {
    const client = await passkeyClient();
    const { accounts } = client;
    const sessionToken = await client.holderOfPasskey(EMAIL);
    const [passkey] = (await accounts.listPasskeys({ sessionToken })).passkeys;
    await accounts.removePasskey({ sessionToken, passkeyUuid: passkey?.uuid ?? "" });
    expect((await client.signInByPasskey()).result).toBe(UNKNOWN);
    await client.add(sessionToken);
    await accounts.deleteAccount({ sessionToken });
    expect((await client.signInByPasskey()).result).toBe(UNKNOWN);
  });

  it("is recorded, and refused answers with their reason", async () => {
    const client = await passkeyClient();
    await client.ownerOfPasskey(EMAIL);
    for (const changes of [{ crossOrigin: true }, { counter: 5 }, { counter: 5 }]) {
      client.context.time.advance(1);
      await client.signInByPasskey(changes);
    }
    const rows = await client.context.database.query.selectFrom("audit").selectAll().orderBy("at_ms").execute();
    const found = rows
      .filter(({ event }) => event === "passkey.refused" || event === "sign_in.completed")
      .map(({ event, account, details }) => ({ event, hasAccount: account !== null, ...JSON.parse(details) }));
    const address = PEER.address;
    expect(found).toEqual([
      { event: "sign_in.completed", hasAccount: true, by: "code", address, session: expect.any(String) },
      { event: "passkey.refused", hasAccount: false, purpose: "sign_in", reason: "cross_origin", address },
      { event: "sign_in.completed", hasAccount: true, by: "passkey", address, session: expect.any(String) },
      { event: "passkey.refused", hasAccount: true, purpose: "sign_in", reason: "copy_suspected", address },
    ]);
  });

  it("is counted, but recorded no more, beyond the limit of refused answers from an address", async () => {
    let left = 1;
    const take = async (limit: string) => {
      if (limit !== "passkey_refusal_address") return;
      if (left === 0) throw new ServiceError("resource_exhausted", "used up");
      left -= 1;
    };
    const { accounts, browserToken, context, metrics } = await passkeyClient({ rateLimits: { take } });
    for (let answer = 0; answer < 3; answer += 1) {
      const { result } = await accounts.completePasskeySignIn({ browserToken, credentialJson: "{}", peer: PEER });
      expect(result).toBe(REFUSED);
    }
    const rows = await context.database.query.selectFrom("audit").select("event").execute();
    expect(rows).toEqual([{ event: "passkey.refused" }]);
    const { values } = await metrics.passkeySignIns.get();
    expect(values.find(({ labels }) => labels.result === "refused")?.value).toBe(3);
  });

  it("is counted by result", async () => {
    const client = await passkeyClient();
    await client.ownerOfPasskey(EMAIL);
    await client.signInByPasskey();
    await client.signInByPasskey({ userVerified: false });
    const { values } = await client.metrics.passkeySignIns.get();
    const counted = values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels.result, value]);
    expect(counted).toEqual([
      ["accepted", 1],
      ["refused", 1],
    ]);
  });

  it("is within the limits of the address", async () => {
    const taken: string[] = [];
    const rateLimits = { take: async (limit: string, key: string) => void taken.push(`${limit} ${key}`) };
    const client = await passkeyClient({ rateLimits });
    await client.ownerOfPasskey(EMAIL);
    await client.signInByPasskey();
    expect(taken.filter((each) => each.startsWith("passkey_address"))).toEqual([
      `passkey_address ${PEER.address}`,
      `passkey_address ${PEER.address}`,
    ]);
  });
});
