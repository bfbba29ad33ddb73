import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { PasskeyResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { failureOf, newBrowserToken, PEER } from "../testing/account-client.ts";
import { passkeyClient } from "../testing/passkey-client.ts";
import { type AnswerChanges, coseRsaKey } from "../testing/software-authenticator.ts";
import { MAX_PASSKEYS } from "./passkey.ts";

const EMAIL = "a@example.com";
const MINUTE_MS = 60_000;
const { ACCEPTED, REFUSED, QUESTION_OVER, ALREADY_ADDED, TOO_MANY } = PasskeyResult;

describe("a new passkey", () => {
  it("is asked for with all that a sign-in without a name needs", async () => {
    const client = await passkeyClient();
    const { accounts, browserToken } = client;
    const sessionToken = await client.holderOfPasskey(EMAIL);
    const [passkey] = (await accounts.listPasskeys({ sessionToken })).passkeys;
    const { optionsJson } = await accounts.beginPasskeyAddition({ sessionToken, browserToken });
    expect(JSON.parse(optionsJson)).toEqual({
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      rp: { id: "auth.example", name: "auth.example" },
      user: { id: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/), name: EMAIL, displayName: EMAIL },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
      timeout: 300_000,
      excludeCredentials: [{ type: "public-key", id: passkey?.credentialId, transports: ["internal", "hybrid"] }],
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none",
    });
  });

  it("names the account by the same random bytes each time, which aren't its UUID", async () => {
    const client = await passkeyClient();
    const { accounts, browserToken } = client;
    const handle = async (sessionToken: string): Promise<string> =>
      JSON.parse((await accounts.beginPasskeyAddition({ sessionToken, browserToken })).optionsJson).user.id;
    const sessionToken = await client.signIn(EMAIL);
    const [first, second] = [await handle(sessionToken), await handle(sessionToken)];
    expect(second).toBe(first);
    expect(await handle(await client.signIn("b@example.com"))).not.toBe(first);
    const { account } = await accounts.getSession({ sessionToken });
    expect(Buffer.from(first, "base64url").toString("hex")).not.toContain(account?.uuid.replaceAll("-", ""));
  });

  it("is listed, and its owner gets a mail", async () => {
    const client = await passkeyClient();
    const sessionToken = await client.signIn(EMAIL);
    expect(await client.add(sessionToken, { counter: 3 }, " Blue key ")).toBe(ACCEPTED);
    const { passkeys, maxPasskeys } = await client.accounts.listPasskeys({ sessionToken });
    expect(maxPasskeys).toBe(MAX_PASSKEYS);
    expect(passkeys).toMatchObject([
      {
        name: "Blue key",
        counter: 3,
        backupEligible: false,
        backedUp: false,
        transports: ["internal", "hybrid"],
        aaguid: "00000000-0000-0000-0000-000000000000",
      },
    ]);
    expect(passkeys[0]?.lastUsedAt).toBeUndefined();
    expect(client.outbox.mails.at(-1)).toMatchObject({
      to: EMAIL,
      subject: "A passkey was added to your account",
      text: expect.stringContaining("“Blue key” was added to your account with Firefox on Windows"),
    });
    // Without another passkey nobody can remove it at once.
    expect(client.outbox.mails.at(-1)?.text).toContain(
      "If you have another passkey, sign in with it and remove this one.",
    );
  });

  it("is named after the browser where its owner doesn't name it", async () => {
    const client = await passkeyClient();
    const sessionToken = await client.signIn(EMAIL);
    await client.add(sessionToken, {}, " ");
    expect((await client.accounts.listPasskeys({ sessionToken })).passkeys[0]?.name).toBe("Firefox on Windows");
  });

  it.each<[string, AnswerChanges]>([
    ["made for another site", { rpId: "evil.example" }],
    ["of a page of another origin", { origin: "https://evil.example" }],
    ["of a page that another origin has framed", { crossOrigin: true }],
    ["for a sign-in", { type: "webauthn.get" }],
    ["without user verification", { userVerified: false }],
    ["without user presence", { userPresent: false }],
    ["that claims to be backed up, but can't be", { backedUp: true }],
    ["of an algorithm that wasn't asked for", { algorithm: -47 }],
    [
      "with a certificate, whose revocation list would be loaded",
      { attestation: { format: "packed", statement: new Map([["x5c", [Buffer.from("certificate")]]]) } },
    ],
    ["with another attestation", { attestation: { format: "fido-u2f", statement: new Map() } }],
    ["of none whose statement isn't empty", { attestation: { format: "none", statement: new Map([["a", 1]]) } }],
    ["with an RSA key of 16,384 bits, which takes long to verify", { publicKey: coseRsaKey(2_048, [1, 0, 1]) }],
    ["with an RSA key of 1,024 bits, which is weak", { publicKey: coseRsaKey(128, [1, 0, 1]) }],
    ["with an RSA key whose exponent is 1, for which anybody can sign", { publicKey: coseRsaKey(256, [1]) }],
    ["with an RSA key whose exponent is as long", { publicKey: coseRsaKey(384, Array(384).fill(0x7f)) }],
    ["of itself with a wrong signature", { attestation: { format: "packed", statement: new Map([["alg", -7]]) } }],
  ])("refuses an answer %s", async (_, changes) => {
    const client = await passkeyClient();
    const sessionToken = await client.signIn(EMAIL);
    expect(await client.add(sessionToken, changes)).toBe(REFUSED);
    expect((await client.accounts.listPasskeys({ sessionToken })).passkeys).toEqual([]);
  });

  it.each([256, 512])("can have an RSA key of %i bytes", async (bytes) => {
    const client = await passkeyClient();
    const publicKey = coseRsaKey(bytes, [1, 0, 1]);
    expect(await client.add(await client.signIn(EMAIL), { publicKey })).toBe(ACCEPTED);
  });

  it("isn't added by an answer to a question of another account, browser or time, nor by a second one", async () => {
    const client = await passkeyClient();
    const { accounts, authenticator, browserToken, context } = client;
    const sessionToken = await client.holderOfPasskey(EMAIL);
    const question = async (token = sessionToken) =>
      (await accounts.beginPasskeyAddition({ sessionToken: token, browserToken })).optionsJson;
    const answer = async (credentialJson: string, browser = browserToken) =>
      (await accounts.completePasskeyAddition({ sessionToken, browserToken: browser, credentialJson })).result;
    const other = await client.signIn("b@example.com");
    expect(await answer(authenticator.create(await question(other)))).toBe(QUESTION_OVER);
    expect(await answer(authenticator.create(await question()), newBrowserToken())).toBe(QUESTION_OVER);
    const old = await question();
    context.time.advance(5 * MINUTE_MS);
    expect(await answer(authenticator.create(old))).toBe(QUESTION_OVER);
    const used = authenticator.create(await question());
    expect([await answer(used), await answer(used)]).toEqual([ACCEPTED, QUESTION_OVER]);
  });

  it("is refused if an account has it already", async () => {
    const client = await passkeyClient();
    await client.ownerOfPasskey(EMAIL);
    const credentialId = client.authenticator.passkeys.at(-1)?.credentialId ?? "";
    const other = await client.signIn("b@example.com");
    expect(await client.add(other, { credentialId })).toBe(ALREADY_ADDED);
    expect((await client.accounts.listPasskeys({ sessionToken: other })).passkeys).toEqual([]);
  });

  it("is refused if the account has as many as it may", async () => {
    const client = await passkeyClient();
    const { accounts, browserToken, authenticator } = client;
    const sessionToken = await client.holderOfPasskey(EMAIL);
    for (let added = 2; added < MAX_PASSKEYS; added++) await client.add(sessionToken);
    const { optionsJson } = await accounts.beginPasskeyAddition({ sessionToken, browserToken });
    expect(await client.add(sessionToken)).toBe(ACCEPTED);
    const credentialJson = authenticator.create(optionsJson);
    expect((await accounts.completePasskeyAddition({ sessionToken, browserToken, credentialJson })).result).toBe(
      TOO_MANY,
    );
    expect(await failureOf(accounts.beginPasskeyAddition({ sessionToken, browserToken }))).toMatchObject({
      code: "failed_precondition",
    });
  });

  it("has a name that can be read, and isn't long", async () => {
    const client = await passkeyClient();
    const sessionToken = await client.signIn(EMAIL);
    for (const name of ["https://evil.example", "a\u202eb", "<b>", "x".repeat(65)]) {
      await expect(client.add(sessionToken, {}, name)).rejects.toThrow("the name of the passkey is not accepted");
    }
  });
});

describe("the passkeys of an account", () => {
  it("can be renamed and removed by their owner only", async () => {
    const client = await passkeyClient();
    const { accounts } = client;
    const sessionToken = await client.holderOfPasskey(EMAIL);
    const stranger = await client.signIn("b@example.com");
    const [passkey] = (await accounts.listPasskeys({ sessionToken })).passkeys;
    const passkeyUuid = (passkey?.uuid ?? "").toUpperCase();
    const notFound = expect.objectContaining({ code: "not_found" });
    expect(await failureOf(accounts.renamePasskey({ sessionToken: stranger, passkeyUuid, name: "x" }))).toEqual(
      notFound,
    );
    expect(await failureOf(accounts.removePasskey({ sessionToken: stranger, passkeyUuid }))).toEqual(notFound);
    await accounts.renamePasskey({ sessionToken, passkeyUuid, name: " Red key " });
    expect((await accounts.listPasskeys({ sessionToken })).passkeys).toMatchObject([{ name: "Red key" }]);
    expect((await accounts.listPasskeys({ sessionToken: stranger })).passkeys).toEqual([]);
    await accounts.removePasskey({ sessionToken, passkeyUuid, peer: PEER });
    expect((await accounts.listPasskeys({ sessionToken })).passkeys).toEqual([]);
    expect(client.outbox.mails.at(-1)).toMatchObject({ to: EMAIL, subject: "A passkey was removed from your account" });
  });

  it("end the other sessions by passkey when one is removed: its device may be in the wrong hands", async () => {
    const client = await passkeyClient();
    const { accounts } = client;
    const sessionToken = await client.holderOfPasskey(EMAIL);
    const [passkey] = (await accounts.listPasskeys({ sessionToken })).passkeys;
    const [thief, byCode] = [(await client.signInByPasskey()).sessionToken, await client.signIn(EMAIL)];
    await accounts.removePasskey({ sessionToken, passkeyUuid: passkey?.uuid ?? "", peer: PEER });
    expect(await failureOf(client.add(thief))).toMatchObject({ code: "unauthenticated" });
    for (const kept of [sessionToken, byCode]) await accounts.getSession({ sessionToken: kept });
    const { events } = await accounts.listAccountEvents({ sessionToken });
    expect(events.map(({ event }) => event)).toContain("session.others_ended");
  });

  it("can be used to change the address: a thief with a code ends sessions by passkey a few times an hour only", async () => {
    const taken: string[] = [];
    const client = await passkeyClient({ rateLimits: { take: async (limit) => void taken.push(limit) } });
    const sessionToken = await client.holderOfPasskey(EMAIL);
    const { accounts } = client;
    const thief = await client.signIn(EMAIL);
    const [first] = (await accounts.listSessions({ sessionToken: thief })).sessions.filter(({ current }) => !current);
    taken.length = 0;
    await accounts.endSession({ sessionToken: thief, sessionUuid: first?.uuid ?? "" });
    await accounts.endOtherSessions({ sessionToken: thief });
    expect(taken).toEqual(["end_sessions_account", "end_sessions_account"]);
    expect(await failureOf(accounts.getSession({ sessionToken }))).toMatchObject({ code: "unauthenticated" });
    const { sessionToken: owner } = await client.signInByPasskey();
    const without = await client.signIn("without@example.com");
    taken.length = 0;
    for (const unlimited of [owner, without]) await accounts.endOtherSessions({ sessionToken: unlimited });
    expect(taken).toEqual([]);
  });

  it("can be removed although a thief who has one has used up the hour's changes", async () => {
    let isUsedUp = false;
    const take = async (limit: string) => {
      if (isUsedUp && limit === "change_account") throw new ServiceError("resource_exhausted", "used up");
    };
    const client = await passkeyClient({ rateLimits: { take } });
    const sessionToken = await client.holderOfPasskey(EMAIL);
    const [stolen] = (await client.accounts.listPasskeys({ sessionToken })).passkeys;
    isUsedUp = true;
    expect(await failureOf(client.add(sessionToken))).toMatchObject({ code: "resource_exhausted" });
    await client.accounts.removePasskey({ sessionToken, passkeyUuid: stolen?.uuid ?? "", peer: PEER });
    expect((await client.accounts.listPasskeys({ sessionToken })).passkeys).toEqual([]);
  });

  it("change only within ten minutes of a sign-in", async () => {
    const client = await passkeyClient();
    const { accounts, browserToken, context } = client;
    const sessionToken = await client.holderOfPasskey(EMAIL);
    const [passkey] = (await accounts.listPasskeys({ sessionToken })).passkeys;
    const passkeyUuid = passkey?.uuid ?? "";
    context.time.advance(11 * MINUTE_MS);
    const calls = [
      accounts.beginPasskeyAddition({ sessionToken, browserToken }),
      accounts.completePasskeyAddition({ sessionToken, browserToken, credentialJson: "{}" }),
      accounts.renamePasskey({ sessionToken, passkeyUuid, name: "x" }),
      accounts.removePasskey({ sessionToken, passkeyUuid }),
    ];
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: "failed_precondition" });
    const fresh = await client.signInByPasskey();
    await accounts.removePasskey({ sessionToken: fresh.sessionToken, passkeyUuid });
  });

  it("are known to whoever signs in with a code", async () => {
    const client = await passkeyClient();
    const { accounts, outbox, browserToken } = client;
    const signIn = async () => {
      const { signInHandle } = await accounts.beginSignIn({ email: EMAIL, browserToken });
      return accounts.completeSignIn({ signInHandle, browserToken, code: outbox.lastCode() });
    };
    expect((await signIn()).hasPasskey).toBe(false);
    await client.ownerOfPasskey(EMAIL);
    expect((await signIn()).hasPasskey).toBe(true);
  });
});
