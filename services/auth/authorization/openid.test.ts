import { decodeJwt } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { updateClient } from "../applications/applications-store.ts";
import { accessTokenHash } from "../signed-tokens/id-tokens.ts";
import { type Application, answerOf, newToken, type SentParameters, tokensIn } from "../testing/application.ts";
import { type AuthorizationClient, signedInUser } from "../testing/authorization-client.ts";
import { sampleClient, sampleDefinition, sampleSecurity } from "../testing/sample-application.ts";

const REQUIRED = "openid read_entities sale_eligibility_check";
const OPTIONAL_ONLY = sampleDefinition({ scopes: [{ scope: "contact_email", required: false }] });

describe("OpenID Connect", () => {
  let auth: AuthorizationClient;
  let application: Application;
  let session: string;
  beforeEach(async () => {
    ({ auth, application, session } = await signedInUser());
  });

  const claimsOf = (idToken: string) => decodeJwt(idToken);
  const tokens = (changes: SentParameters = {}) => application.tokens(session, { scope: "openid", ...changes });
  const userInfo = async (accessToken: string) => (await auth.authorization.getUserInfo({ accessToken })).result;

  describe("the scope openid", () => {
    it("gives an ID token, and the client's required scopes stay in", async () => {
      const { scope, idToken, accessToken } = await tokens({ nonce: "n1" });
      expect(scope).toBe(REQUIRED);
      const { sub } = decodeJwt(accessToken);
      expect(claimsOf(idToken)).toMatchObject({ sub, aud: application.client.uuid, nonce: "n1", amr: ["otp"] });
      expect(claimsOf(idToken)["at_hash"]).toBe(accessTokenHash(accessToken));
      expect(await userInfo(accessToken)).toMatchObject({ case: "userInfo", value: { subject: sub, email: "" } });
    });

    it("comes with what others ask of every server, which is ignored; the answer says what was granted", async () => {
      const { scope, idToken, refreshToken } = await tokens({ scope: " openid  profile email offline_access" });
      expect([scope, idToken]).toEqual([REQUIRED, expect.stringContaining(".")]);
      const again = tokensIn(await application.refresh(refreshToken, { scope: "openid profile  email" }));
      expect([again.scope, again.idToken]).toEqual(["openid", expect.stringContaining(".")]);
    });

    it("isn't asked for by a request without scope, which gets no ID token, nor does a nonce ask for it", async () => {
      const { scope, idToken } = await tokens({ scope: [], nonce: "n1" });
      expect([scope, idToken]).toEqual(["read_entities sale_eligibility_check contact_email", ""]);
    });

    it("is asked for without a page by a client to which the user has consented before", async () => {
      await application.tokens(session, { scope: [] });
      const { step } = await application.begin(session, { scope: "openid", prompt: "none" });
      expect(answerOf(step).has("code")).toBe(true);
    });

    it("is in no consent, so that it can't be declined", async () => {
      const attempt = await application.begin(session, { scope: "openid" });
      expect(attempt.step).toMatchObject({ case: "consent", value: { identifies: true } });
      const names = attempt.step.case === "consent" ? attempt.step.value.scopes.map(({ scope }) => scope) : [];
      expect(names).toEqual(["read_entities", "sale_eligibility_check"]);
      const refused = application.decide(attempt, session, { scopes: ["openid", ...names] });
      await expect(refused).rejects.toThrow("must be among the requested ones");
      await application.decide(attempt, session);
      const { granted } = await auth.context.database.query.selectFrom("consent").selectAll().executeTakeFirstOrThrow();
      expect(granted).toBe("read_entities sale_eligibility_check");
    });

    it("alone, of a client that requires nothing, is asked once and remembered", async () => {
      const other = await auth.application(
        sampleClient({ uuid: "55555555-5555-4555-8555-555555555555", definition: OPTIONAL_ONLY }),
      );
      const attempt = await other.begin(session, { scope: "openid" });
      expect(attempt.step).toMatchObject({ case: "consent", value: { scopes: [], identifies: true } });
      const answer = answerOf(await other.decide(attempt, session));
      const exchanged = await other.exchange({ code: answer.get("code") ?? "", codeVerifier: attempt.codeVerifier });
      expect(tokensIn(exchanged)).toMatchObject({ scope: "openid", idToken: expect.stringContaining(".") });
      expect(answerOf((await other.begin(session, { scope: "openid", prompt: "none" })).step).has("code")).toBe(true);
      const more = await other.begin(session, { scope: "openid contact_email", prompt: "none" });
      expect(answerOf(more.step).get("error")).toBe("consent_required");
    });

    it("stays in tokens whose other scopes the founder has removed", async () => {
      const { refreshToken } = await tokens({ scope: "openid contact_email" });
      const scopes = application.client.definition.scopes.filter(({ required }) => required);
      const changed = { ...application.client, version: 4n, definition: sampleDefinition({ scopes }) };
      await auth.context.database.write((transaction) => updateClient(transaction, changed));
      expect(tokensIn(await application.refresh(refreshToken)).scope).toBe(REQUIRED);
    });
  });

  describe("an ID token", () => {
    it("is signed with the algorithm of the client: RS256, or ES256 if it wants that", async () => {
      const algorithmOf = (token: string) =>
        JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).alg;
      expect(algorithmOf((await tokens()).idToken)).toBe("RS256");
      const security = sampleSecurity({ idTokenSignedResponseAlg: "ES256" });
      const changed = { ...application.client, version: 4n, definition: sampleDefinition({ security }) };
      await auth.context.database.write((transaction) => updateClient(transaction, changed));
      expect(algorithmOf((await tokens()).idToken)).toBe("ES256");
    });

    it("says that the user signed in with a passkey, also after a refresh (RFC 8176)", async () => {
      session = await auth.signIn("user@example.com", "passkey");
      const { idToken, refreshToken } = await tokens();
      const refreshed = tokensIn(await application.refresh(refreshToken)).idToken;
      for (const each of [idToken, refreshed]) {
        expect(claimsOf(each)).toMatchObject({ acr: "phr", amr: expect.arrayContaining(["pop"]) });
      }
    });

    it("has no nonce unless the request has one (Core section 2)", async () => {
      expect(claimsOf((await tokens()).idToken)).not.toHaveProperty("nonce");
    });

    it("comes with each refresh: same issuer, subject and sign-in, without nonce (Core section 12.2)", async () => {
      const first = await tokens({ nonce: "n1", max_age: "60" });
      auth.context.time.advance(60_000);
      const second = tokensIn(await application.refresh(first.refreshToken));
      const [before, after] = [claimsOf(first.idToken), claimsOf(second.idToken)];
      const same = ["iss", "sub", "aud", "auth_time", "acr", "amr"];
      expect(same.map((name) => after[name])).toEqual(same.map((name) => before[name]));
      expect(before["auth_time"]).toBe(before.iat);
      expect(after).not.toHaveProperty("nonce");
      expect(after.iat).toBe((before.iat ?? 0) + 60);
      expect(after["at_hash"]).toBe(accessTokenHash(second.accessToken));
    });

    it("doesn't come with a refresh that asks for fewer scopes than openid", async () => {
      const { refreshToken } = await tokens();
      expect(tokensIn(await application.refresh(refreshToken, { scope: "read_entities" })).idToken).toBe("");
    });

    it("is no access token for userinfo, introspection and revocation", async () => {
      const { idToken, accessToken } = await tokens();
      expect(await userInfo(idToken)).toMatchObject({ case: "error", value: { error: "invalid_token" } });
      expect((await auth.authorization.introspectToken({ accessToken: idToken })).active).toBe(false);
      await application.revoke(idToken);
      expect(await application.isValid(accessToken)).toBe(true);
    });
  });

  describe("max_age", () => {
    it("wants a new sign-in once the last one is older, with prompt=none an error (Core section 3.1.2.1)", async () => {
      await application.code(session);
      auth.context.time.advance(60_000);
      const begin = (changes: SentParameters) => application.begin(session, { scope: "openid", ...changes });
      expect((await begin({ max_age: "60" })).step.case).toBe("redirect");
      expect((await begin({ max_age: "59" })).step.case).toBe("signIn");
      expect((await begin({ max_age: "0" })).step.case).toBe("signIn");
      expect(answerOf((await begin({ max_age: "59", prompt: "none" })).step).get("error")).toBe("login_required");
    });

    it("is satisfied by the sign-in that it asks for, and auth_time shows it", async () => {
      await application.code(session);
      auth.context.time.advance(60_000);
      const attempt = await application.begin(session, { scope: "openid", max_age: "1" });
      expect((await application.continue(attempt, session)).case).toBe("signIn");
      auth.context.time.advance(60_000);
      const renewed = await auth.signIn();
      const answer = answerOf(await application.continue(attempt, renewed));
      const result = await application.exchange({ code: answer.get("code") ?? "", codeVerifier: attempt.codeVerifier });
      const { auth_time, iat } = claimsOf(tokensIn(result).idToken);
      expect(auth_time).toBe(iat);
    });
  });

  describe("prompt=select_account", () => {
    const begin = () => application.begin(session, { prompt: "select_account" });
    const choose = (attempt: Awaited<ReturnType<typeof begin>>, accountUuid?: string) => {
      if (attempt.step.case !== "chooseAccount") throw new Error(`no choice: ${attempt.step.case}`);
      const { authorizationHandle, accountUuid: shown } = attempt.step.value;
      const { browserToken } = attempt;
      const request = { authorizationHandle, browserToken, sessionToken: session, accountUuid: accountUuid ?? shown };
      return auth.authorization.chooseAccount(request);
    };
    beforeEach(async () => {
      await application.code(session);
      auth.context.time.advance(1);
    });

    it("lets the user go on with the account, once per request", async () => {
      const attempt = await begin();
      expect(attempt.step).toMatchObject({ case: "chooseAccount", value: { email: "user@example.com" } });
      const { step } = await choose(attempt);
      expect(answerOf(step?.step ?? { case: undefined }).has("code")).toBe(true);
      expect((await begin()).step.case).toBe("chooseAccount");
    });

    it("lets the user sign in with another account", async () => {
      const attempt = await begin();
      expect((await application.continue(attempt, "")).case).toBe("signIn");
      const other = await auth.signIn("other@example.com");
      expect(await application.continue(attempt, other)).toMatchObject({
        case: "consent",
        value: { email: "other@example.com" },
      });
    });

    it("doesn't take the choice of an account that isn't signed in, or of another browser", async () => {
      const attempt = await begin();
      const { step } = await choose(attempt, "99999999-9999-4999-8999-999999999999");
      expect(step?.step.case).toBe("chooseAccount");
      const elsewhere = await choose({ ...attempt, browserToken: newToken() });
      expect(elsewhere.step?.step).toMatchObject({ case: "error" });
      expect((await application.continue(attempt, session)).case).toBe("chooseAccount");
    });
  });

  describe("login_hint", () => {
    it("goes to the sign-in page, whatever page comes first", async () => {
      const attempt = await application.begin("", { login_hint: "a@example.org" });
      expect(attempt.step).toMatchObject({ case: "signIn", value: { loginHint: "a@example.org" } });
      expect(await application.continue(attempt, "")).toMatchObject({ value: { loginHint: "a@example.org" } });
    });
  });

  describe("id_token_hint", () => {
    const begin = (hint: string, changes: SentParameters = {}) =>
      application.begin(session, { scope: "openid", id_token_hint: hint, ...changes });

    it("of the user who has signed in changes nothing", async () => {
      const { idToken } = await tokens();
      auth.context.time.advance(7_200_000);
      expect(answerOf((await begin(idToken, { prompt: "none" })).step).has("code")).toBe(true);
    });

    it("of another user is login_required with prompt=none, else a sign-in, which only that user can finish", async () => {
      const { idToken } = await tokens();
      const other = await auth.signIn("other@example.com");
      auth.context.time.advance(1);
      const silent = await application.begin(other, { scope: "openid", id_token_hint: idToken, prompt: "none" });
      expect(answerOf(silent.step).get("error")).toBe("login_required");
      const attempt = await application.begin(other, { scope: "openid", id_token_hint: idToken });
      expect(attempt.step.case).toBe("signIn");
      const wrong = await auth.signIn("third@example.com");
      expect(answerOf(await application.continue(attempt, wrong)).get("error")).toBe("login_required");
      expect(answerOf(await application.continue(attempt, await auth.signIn())).has("code")).toBe(true);
    });

    it("that isn't this client's own ID token is login_required, as nobody knows whom it expects", async () => {
      const { idToken, accessToken } = await tokens();
      const other = await auth.application(sampleClient({ uuid: "55555555-5555-4555-8555-555555555555" }));
      const foreign = await other.tokens(session, { scope: "openid" });
      const [header = "", payload = ""] = idToken.split(".");
      const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${payload}.`;
      for (const hint of [accessToken, foreign.idToken, none, `${header}.${payload}.AAAA`, "x"]) {
        expect(answerOf((await begin(hint)).step).get("error")).toBe("login_required");
      }
    });
  });
});
