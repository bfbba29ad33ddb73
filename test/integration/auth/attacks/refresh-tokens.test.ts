import { beforeAll, expect, it } from "vitest";
import { DpopApplication } from "../../../support/applications/dpop-application.ts";
import { tokensIn, type WebApplication } from "../../../support/applications/web-application.ts";
import { describeAuthWebOnEachDatabase, type WebUser } from "../../../support/pages/auth-web.ts";

const AT_ONCE = 20;
const GRACE_MS = 10_000;
const INVALID_GRANT = { status: 400, error: "invalid_grant" };
const REQUIRED = "read_entities sale_eligibility_check";

describeAuthWebOnEachDatabase("a stolen refresh token", (web) => {
  let application: WebApplication;
  let user: WebUser;
  beforeAll(async () => {
    [application, user] = [await web().application(), await web().user()];
  });
  const newTokens = () => application.tokens(user.browser);

  it("returns the same successor within the grace period, and no second chain of tokens (RFC 9700 4.14.2)", async () => {
    const { refreshToken } = await newTokens();
    const first = tokensIn(await application.refresh(refreshToken));
    web().service.time.advance(GRACE_MS);
    expect(tokensIn(await application.refresh(refreshToken)).refreshToken).toBe(first.refreshToken);
  });

  it("revokes all tokens after the grace period (RFC 9700 4.14.2)", async () => {
    const { accessToken, refreshToken } = await newTokens();
    const later = tokensIn(await application.refresh(refreshToken));
    web().service.time.advance(GRACE_MS + 1);
    expect(await application.refresh(refreshToken)).toMatchObject(INVALID_GRANT);
    expect(await application.refresh(later.refreshToken)).toMatchObject(INVALID_GRANT);
    for (const token of [accessToken, later.accessToken]) {
      expect(await application.userInfo(token)).toMatchObject({ status: 401, error: "invalid_token" });
    }
  });

  it("revokes all tokens within the grace period too, once its successor was used (RFC 9700 4.14.2)", async () => {
    const { refreshToken } = await newTokens();
    const second = tokensIn(await application.refresh(refreshToken));
    const third = tokensIn(await application.refresh(second.refreshToken));
    expect(await application.refresh(refreshToken)).toMatchObject(INVALID_GRANT);
    expect(await application.refresh(third.refreshToken)).toMatchObject(INVALID_GRANT);
    expect(await application.userInfo(third.accessToken)).toMatchObject({ status: 401 });
  });

  it("revokes all tokens, too, where the thief has bound what he got for it to a key of his own (RFC 9700 4.14.2)", async () => {
    const thief = await DpopApplication.create(web(), application);
    for (const laterMs of [0, GRACE_MS + 1]) {
      const { refreshToken } = await newTokens();
      await thief.renewNonce();
      const stolen = tokensIn(await thief.refresh(refreshToken));
      web().service.time.advance(laterMs);
      expect(await application.refresh(refreshToken)).toMatchObject(INVALID_GRANT);
      await thief.renewNonce();
      expect(await thief.refresh(stolen.refreshToken)).toMatchObject(INVALID_GRANT);
      expect(await thief.userInfo(stolen.accessToken)).toMatchObject({ status: 401, error: "invalid_token" });
    }
  });

  it("revokes all tokens, too, where the thief binds a successor that the application has, whoever is first (RFC 9700 4.14.2)", async () => {
    const thief = await DpopApplication.create(web(), application);
    for (const isFirst of [true, false]) {
      const { refreshToken } = await newTokens();
      const own = tokensIn(await application.refresh(refreshToken));
      await thief.renewNonce();
      const stolen = tokensIn(await thief.refresh(refreshToken));
      const byThief = () => thief.refresh(stolen.refreshToken);
      const byOwner = () => application.refresh(own.refreshToken);
      const [first, second] = isFirst ? [byThief, byOwner] : [byOwner, byThief];
      const { accessToken } = tokensIn(await first());
      web().service.time.advance(GRACE_MS + 1);
      expect(await second()).toMatchObject(INVALID_GRANT);
      await thief.renewNonce();
      for (const refused of [thief.userInfo(accessToken), application.userInfo(accessToken)]) {
        expect(await refused).toMatchObject({ status: 401, error: "invalid_token" });
      }
    }
  });

  it(`has one successor in ${AT_ONCE} concurrent refreshes (RFC 9700 4.14.2)`, async () => {
    const { refreshToken } = await newTokens();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => application.refresh(refreshToken)));
    expect(new Set(answers.map((answer) => tokensIn(answer).refreshToken)).size).toBe(1);
  });

  it(`revokes all tokens once in ${AT_ONCE} concurrent reuses, and never fails (RFC 9700 4.14.2)`, async () => {
    const { refreshToken } = await newTokens();
    const later = tokensIn(await application.refresh(refreshToken));
    web().service.time.advance(GRACE_MS + 1);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => application.refresh(refreshToken)));
    for (const answer of answers) expect(answer).toMatchObject(INVALID_GRANT);
    expect(await application.refresh(later.refreshToken)).toMatchObject(INVALID_GRANT);
  });

  it("can't be used by another client, which can't revoke it either (RFC 6749 10.4)", async () => {
    const { refreshToken } = await newTokens();
    const other = await web().application();
    expect(await other.refresh(refreshToken)).toMatchObject(INVALID_GRANT);
    expect(await other.revoke(refreshToken)).toMatchObject(INVALID_GRANT);
    expect(await application.refresh(refreshToken)).toMatchObject({ status: 200 });
  });

  it("never widens the grant, and isn't used up by the attempt (RFC 6749 6)", async () => {
    const { refreshToken } = await newTokens();
    for (const scope of ["contact_email", `${REQUIRED} contact_email`]) {
      expect(await application.refresh(refreshToken, { scope })).toMatchObject({ status: 400, error: "invalid_scope" });
    }
    const narrow = await application.refresh(refreshToken, { scope: "read_entities" });
    expect(narrow.body["scope"]).toBe("read_entities");
    const wide = await application.refresh(tokensIn(narrow).refreshToken);
    expect(wide.body["scope"]).toBe(REQUIRED);
    expect(await application.userInfo(tokensIn(wide).accessToken)).toMatchObject({ body: { sub: expect.any(String) } });
  });

  it("is refused after its revocation, as is its access token (RFC 7009 2.1)", async () => {
    const { accessToken, refreshToken } = await newTokens();
    expect(await application.revoke(refreshToken)).toMatchObject({ status: 200, body: {} });
    expect(await application.refresh(refreshToken)).toMatchObject(INVALID_GRANT);
    expect(await application.userInfo(accessToken)).toMatchObject({ status: 401 });
  });
});
