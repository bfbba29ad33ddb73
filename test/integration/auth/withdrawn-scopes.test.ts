import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { type Application, answerOf, errorIn, tokensIn } from "../../../services/auth/testing/application.ts";
import { definitionInit } from "../../../services/auth/testing/sample-application.ts";
import { type UserOfApplication, userOfApplication } from "../../support/applications/auth-application.ts";
import { describeAuth } from "../../support/processes/auth-fixture.ts";

const REQUIRED = ["read_entities", "sale_eligibility_check"];
const ALL = [...REQUIRED, "contact_email"];
const OPTIONAL_EMAIL = definitionInit().scopes;
/** Rounds of a race, so that either may win. */
const ROUNDS = 6;
const NO_EMAIL = OPTIONAL_EMAIL.filter(({ scope }) => scope !== "contact_email");
const REQUIRED_EMAIL = OPTIONAL_EMAIL.map(({ scope }) => ({ scope, required: true }));

describeAuth("a scope that was granted", (service) => {
  const decide = async ({ application, session }: UserOfApplication, scopes: string[]) => {
    const attempt = await application.begin(session.sessionToken, { prompt: "consent" });
    const step = await application.decide(attempt, session.sessionToken, { scopes });
    return { code: answerOf(step).get("code") ?? "", codeVerifier: attempt.codeVerifier };
  };
  const grantAll = async () => {
    const user = await userOfApplication(service());
    return { ...user, tokens: tokensIn(await user.application.exchange(await decide(user, ALL))) };
  };
  const configure = async ({ client }: Application, scopes: typeof OPTIONAL_EMAIL) => {
    const { client: now } = await service().clients.getClient({ clientUuid: client.uuid });
    const definition = definitionInit({ scopes });
    await service().clients.updateClient({ clientUuid: client.uuid, definition, expectedVersion: now?.version ?? 0n });
  };
  const userInfo = async (accessToken: string) => {
    const { result } = await service().as("gateway").authorization.getUserInfo({ accessToken });
    return result.case === "error" ? result.value.error : result.value?.email;
  };
  const introspected = (accessToken: string) =>
    service().as("resource-server").authorization.introspectToken({ accessToken });

  describe.each<[string, (user: UserOfApplication) => Promise<unknown>, string]>([
    ["that the user takes back", (user) => decide(user, REQUIRED), "no tokens: invalid_grant"],
    ["that the founder removes", ({ application }) => configure(application, NO_EMAIL), REQUIRED.join(" ")],
  ])("%s", (_, withdraw, ofPendingCode) => {
    it("is gone from userinfo, introspection and every later token at once", async () => {
      const user = await grantAll();
      const { application, email, tokens } = user;
      expect(await userInfo(tokens.accessToken)).toBe(email);
      expect((await introspected(tokens.accessToken)).scope).toBe(ALL.join(" "));
      await withdraw(user);
      expect(await userInfo(tokens.accessToken)).toBe("");
      expect(await introspected(tokens.accessToken)).toMatchObject({ active: true, scope: REQUIRED.join(" ") });
      const named = await application.refresh(tokens.refreshToken, { scope: ALL.join(" ") });
      expect(errorIn(named)).toBe("invalid_scope");
      const refreshed = tokensIn(await application.refresh(tokens.refreshToken));
      expect([refreshed.scope, decodeJwt(refreshed.accessToken)["scope"]]).toEqual(Array(2).fill(REQUIRED.join(" ")));
      expect(await userInfo(refreshed.accessToken)).toBe("");
      const repeated = tokensIn(await application.refresh(tokens.refreshToken));
      expect(repeated.scope).toBe(REQUIRED.join(" "));
    });

    it("isn't in the tokens of an earlier code", async () => {
      const user = await userOfApplication(service());
      const code = await decide(user, ALL);
      await withdraw(user);
      const result = await user.application.exchange(code);
      expect(result.case === "tokens" ? result.value.scope : `no tokens: ${errorIn(result)}`).toBe(ofPendingCode);
    });
  });

  it("and is granted again after it was taken back, isn't in any earlier token", async () => {
    const user = await grantAll();
    const { application, email, tokens } = user;
    const pending = await decide(user, ALL);
    await decide(user, REQUIRED);
    const again = tokensIn(await application.exchange(await decide(user, ALL)));
    expect([again.scope, await userInfo(again.accessToken)]).toEqual([ALL.join(" "), email]);
    expect(await userInfo(tokens.accessToken)).toBe("");
    expect(tokensIn(await application.refresh(tokens.refreshToken)).scope).toBe(REQUIRED.join(" "));
    expect(errorIn(await application.exchange(pending))).toBe("invalid_grant");
  });

  it("isn't restored in tokens of an exchange that runs while it is taken back", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await userOfApplication(service());
      const code = await decide(user, ALL);
      const [result] = await Promise.all([user.application.exchange(code), decide(user, REQUIRED)]);
      await decide(user, ALL);
      if (result.case !== "tokens") {
        expect(errorIn(result)).toBe("invalid_grant");
      } else {
        expect(await userInfo(result.value.accessToken)).toBe("");
        const refreshed = await user.application.refresh(result.value.refreshToken);
        expect(tokensIn(refreshed).scope).toBe(REQUIRED.join(" "));
      }
    }
  });

  it("later than others isn't in an earlier token", async () => {
    const user = await userOfApplication(service());
    const before = tokensIn(await user.application.exchange(await decide(user, REQUIRED)));
    await decide(user, ALL);
    expect(tokensIn(await user.application.refresh(before.refreshToken)).scope).toBe(REQUIRED.join(" "));
    expect(await userInfo(before.accessToken)).toBe("");
  });

  it("and taken back before this was noticed isn't restored by a new consent", async () => {
    const user = await grantAll();
    const { database } = service();
    // As a version of Tidemark has left it that didn't narrow earlier grants.
    const declined = { granted: REQUIRED.join(" "), declined: "contact_email" };
    const account = Buffer.from(user.session.accountUuid.replaceAll("-", ""), "hex");
    await database.query.updateTable("consent").set(declined).where("account", "=", account).execute();
    expect(await userInfo(user.tokens.accessToken)).toBe("");
    await decide(user, ALL);
    expect(await userInfo(user.tokens.accessToken)).toBe("");
    expect(tokensIn(await user.application.refresh(user.tokens.refreshToken)).scope).toBe(REQUIRED.join(" "));
  });

  it("stays when another one is taken back, in a code that has only it, too", async () => {
    const user = await grantAll();
    const pending = await decide(user, REQUIRED);
    await decide(user, ALL);
    expect(tokensIn(await user.application.exchange(pending)).scope).toBe(REQUIRED.join(" "));
    expect(await user.application.isValid(user.tokens.accessToken)).toBe(true);
  });

  it("no longer suffices where the founder requires one that wasn't", async () => {
    const user = await userOfApplication(service());
    const { application } = user;
    const code = await decide(user, REQUIRED);
    const tokens = tokensIn(await application.exchange(await decide(user, REQUIRED)));
    await configure(application, REQUIRED_EMAIL);
    expect(errorIn(await application.refresh(tokens.refreshToken))).toBe("invalid_grant");
    expect(errorIn(await application.exchange(code))).toBe("invalid_grant");
    expect(await userInfo(tokens.accessToken)).toBe("insufficient_scope");
    expect(await introspected(tokens.accessToken)).toMatchObject({ active: false, scope: "" });
    expect((await application.begin(user.session.sessionToken)).step.case).toBe("consent");
    await configure(application, OPTIONAL_EMAIL);
    expect(errorIn(await application.refresh(tokens.refreshToken))).toBe("");
    expect(await application.isValid(tokens.accessToken)).toBe(true);
  });

  it("suffices for userinfo in a token for which the application asked for fewer", async () => {
    const { application, email, tokens } = await grantAll();
    const narrow = tokensIn(await application.refresh(tokens.refreshToken, { scope: "contact_email" }));
    expect(await userInfo(narrow.accessToken)).toBe(email);
    expect(await introspected(narrow.accessToken)).toMatchObject({ active: true, scope: "contact_email" });
  });
});
