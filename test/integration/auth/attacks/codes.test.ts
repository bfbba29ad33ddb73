import { beforeAll, expect, it } from "vitest";
import { newToken } from "../../../../services/auth/testing/application.ts";
import { tokensIn, type WebApplication } from "../../../support/applications/web-application.ts";
import { describeAuthWebOnEachDatabase, type WebUser } from "../../../support/pages/auth-web.ts";

const AT_ONCE = 20;
const INVALID_GRANT = { status: 400, error: "invalid_grant" };

describeAuthWebOnEachDatabase("a stolen code", (web) => {
  let application: WebApplication;
  let user: WebUser;
  beforeAll(async () => {
    [application, user] = [await web().application(), await web().user()];
    await application.code(user.browser);
  });
  const code = () => application.code(user.browser);

  it(`is redeemed once in ${AT_ONCE} concurrent exchanges, and then revokes the tokens (RFC 6749 4.1.2)`, async () => {
    const stolen = await code();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => application.exchange(stolen)));
    const [first, ...others] = answers.toSorted((a, b) => a.status - b.status);
    expect(others).toHaveLength(AT_ONCE - 1);
    for (const other of others) expect(other).toMatchObject(INVALID_GRANT);
    const { accessToken, refreshToken } = tokensIn(first ?? expect.fail());
    expect(await application.userInfo(accessToken)).toMatchObject({ status: 401, error: "invalid_token" });
    expect(await application.refresh(refreshToken)).toMatchObject(INVALID_GRANT);
  });

  it("revokes nothing without its verifier, before and after it was redeemed (RFC 9700 4.5.3.1)", async () => {
    const stolen = await code();
    const wrong = { code_verifier: newToken() };
    expect(await application.exchange(stolen, wrong)).toMatchObject(INVALID_GRANT);
    const { accessToken, refreshToken } = tokensIn(await application.exchange(stolen));
    expect(await application.exchange(stolen, wrong)).toMatchObject(INVALID_GRANT);
    expect(await application.userInfo(accessToken)).toMatchObject({ status: 200 });
    expect(await application.refresh(refreshToken)).toMatchObject({ status: 200 });
  });

  it("revokes refreshed tokens too when it is used again with its verifier (RFC 9700 4.2.4)", async () => {
    const stolen = await code();
    const { refreshToken } = tokensIn(await application.exchange(stolen));
    const later = tokensIn(await application.refresh(refreshToken));
    expect(await application.exchange(stolen)).toMatchObject(INVALID_GRANT);
    expect(await application.userInfo(later.accessToken)).toMatchObject({ status: 401 });
    expect(await application.refresh(later.refreshToken)).toMatchObject(INVALID_GRANT);
  });

  it("can't be injected into another authorization, which has another challenge (RFC 9700 4.5.3.1)", async () => {
    const victims = await code();
    const attackers = newToken();
    expect(await application.exchange(victims, { code_verifier: attackers })).toMatchObject(INVALID_GRANT);
  });

  it("can't be redeemed with its challenge, as plain PKCE would allow (RFC 7636 7.2)", async () => {
    const { codeChallenge } = application;
    expect(await application.exchange(await code(), { code_verifier: codeChallenge })).toMatchObject(INVALID_GRANT);
    const named = { code_verifier: codeChallenge, code_challenge_method: "plain" };
    expect(await application.exchange(await code(), named)).toMatchObject(INVALID_GRANT);
  });

  it("whose request named no method is bound by S256 too (RFC 9700 2.1.1)", async () => {
    const issued = await application.code(user.browser, { code_challenge_method: [] });
    expect(await application.exchange(issued, { code_verifier: application.codeChallenge })).toMatchObject(
      INVALID_GRANT,
    );
    expect(await application.exchange(issued)).toMatchObject({ status: 200 });
  });

  it("is refused after a minute (RFC 6749 4.1.2)", async () => {
    const late = await code();
    web().service.time.advance(60_000);
    expect(await application.exchange(late)).toMatchObject(INVALID_GRANT);
  });

  it("is refused once its user has withdrawn the consent (RFC 7009 2.1)", async () => {
    const [fresh, account] = [await code(), await user.browser.open("/account")];
    await user.browser.send(account, { action: "/account/applications/withdraw" });
    expect(await application.exchange(fresh)).toMatchObject(INVALID_GRANT);
  });
});
