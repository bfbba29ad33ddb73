import { decodeJwt } from "jose";
import { expect, it } from "vitest";
import { answerOf, errorIn, tokensIn } from "../../../services/auth/testing/application.ts";
import { newApplication, userOfApplication } from "../../support/applications/auth-application.ts";
import { describeAuth } from "../../support/processes/auth-fixture.ts";

const AT_ONCE = 20;

describeAuth("the exchange of a code", (service) => {
  const events = async (accountUuid: string) => {
    const rows = await service()
      .database.query.selectFrom("audit")
      .select("event")
      .where("account", "=", Buffer.from(accountUuid.replaceAll("-", ""), "hex"))
      .orderBy("event")
      .execute();
    return rows.map(({ event }) => event);
  };

  it("returns tokens that identify user and client, but never the address", async () => {
    const { application, session, email } = await userOfApplication(service());
    const tokens = await application.tokens(session.sessionToken);
    expect(tokens).toMatchObject({
      expiresInSeconds: 900,
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      scope: "read_entities sale_eligibility_check contact_email",
    });
    const claims = decodeJwt(tokens.accessToken);
    const { uuid, saleUuid } = application.client;
    expect(claims).toMatchObject({ client_id: uuid, sale_uuid: saleUuid, tenancy: "live" });
    expect(JSON.stringify(claims)).not.toMatch(new RegExp(`${email}|${session.accountUuid}`));
    const { authorization } = service().as("gateway");
    const { result } = await authorization.getUserInfo({ accessToken: tokens.accessToken });
    expect(result.value).toMatchObject({ subject: claims.sub, email });
    const info = await service()
      .as("resource-server")
      .authorization.introspectToken({ accessToken: tokens.accessToken });
    const { accountUuid } = session;
    expect(info).toMatchObject({ active: true, subject: claims.sub, accountUuid, saleUuid, tenancy: "live" });
  });

  it("shows no address without the scope, and the same subject to each client of a sale", async () => {
    const { application, session } = await userOfApplication(service());
    const other = await newApplication(service(), { saleUuid: application.client.saleUuid });
    const elsewhere = await newApplication(service());
    const attempt = await application.begin(session.sessionToken);
    const step = await application.decide(attempt, session.sessionToken, {
      scopes: ["read_entities", "sale_eligibility_check"],
    });
    const code = { code: answerOf(step).get("code") ?? "", codeVerifier: attempt.codeVerifier };
    const { accessToken, scope } = tokensIn(await application.exchange(code));
    expect(scope).toBe("read_entities sale_eligibility_check");
    const { result } = await service().as("gateway").authorization.getUserInfo({ accessToken });
    expect(result.value).toMatchObject({ email: "" });
    const subjects = await Promise.all(
      [other, elsewhere].map(async (app) => decodeJwt((await app.tokens(session.sessionToken)).accessToken).sub),
    );
    const { sub } = decodeJwt(accessToken);
    expect([subjects[0] === sub, subjects[1] === sub]).toEqual([true, false]);
  });

  it("accepts client and redirect URI if they match", async () => {
    const { application, session } = await userOfApplication(service());
    const { uuid, definition } = application.client;
    const redirect_uri = definition.redirectUris[0] ?? "";
    for (const begun of [{}, { redirect_uri: [] }]) {
      const code = await application.code(session.sessionToken, begun);
      expect(errorIn(await application.exchange(code, { client_id: uuid, redirect_uri }))).toBe("");
    }
  });

  it("refuses parameters that don't match, and doesn't use the code up", async () => {
    const { application, session } = await userOfApplication(service());
    const other = await newApplication(service());
    const code = await application.code(session.sessionToken);
    for (const changes of [
      { code_verifier: "x".repeat(43) },
      { client_id: other.client.uuid },
      { redirect_uri: "https://app.example/callback/" },
      { code: "x".repeat(43) },
    ]) {
      expect(errorIn(await application.exchange(code, changes))).toBe("invalid_grant");
    }
    const tokens = tokensIn(await application.exchange(code));
    for (const changes of [{ code_verifier: "x".repeat(43) }, { client_id: other.client.uuid }]) {
      expect(errorIn(await application.exchange(code, changes))).toBe("invalid_grant");
    }
    expect(await application.isValid(tokens.accessToken)).toBe(true);
  });

  it("refuses a code after a minute", async () => {
    const { application, session } = await userOfApplication(service());
    const [young, old] = [await application.code(session.sessionToken), await application.code(session.sessionToken)];
    service().time.advance(59_999);
    expect(errorIn(await application.exchange(young))).toBe("");
    service().time.advance(1);
    expect(errorIn(await application.exchange(old))).toBe("invalid_grant");
  });

  it("revokes all tokens when a code is used again with its verifier, even a day later", async () => {
    const { application, session } = await userOfApplication(service());
    const code = await application.code(session.sessionToken);
    const tokens = tokensIn(await application.exchange(code));
    const refreshed = tokensIn(await application.refresh(tokens.refreshToken));
    expect(await application.isValid(refreshed.accessToken)).toBe(true);
    expect(errorIn(await application.exchange(code))).toBe("invalid_grant");
    expect(await application.isValid(tokens.accessToken)).toBe(false);
    expect(await application.isValid(refreshed.accessToken)).toBe(false);
    expect(errorIn(await application.refresh(refreshed.refreshToken))).toBe("invalid_grant");
    expect(await events(session.accountUuid)).toEqual(expect.arrayContaining(["code.replayed", "tokens.issued"]));
  });

  it(`redeems a code once in ${AT_ONCE} concurrent exchanges`, async () => {
    const { application, session } = await userOfApplication(service());
    const code = await application.code(session.sessionToken);
    const results = await Promise.all(Array.from({ length: AT_ONCE }, () => application.exchange(code)));
    const errors = results.map(errorIn).toSorted();
    expect(errors).toEqual(["", ...new Array(AT_ONCE - 1).fill("invalid_grant")]);
    const families = await service()
      .database.query.selectFrom("token_family")
      .select("family")
      .where("account", "=", Buffer.from(session.accountUuid.replaceAll("-", ""), "hex"))
      .execute();
    expect(families).toHaveLength(1);
  });
});
