import { expect, it } from "vitest";
import { errorIn, tokensIn } from "../../../services/auth/testing/application.ts";
import { newApplication, userOfApplication } from "../../support/applications/auth-application.ts";
import { describeAuth } from "../../support/processes/auth-fixture.ts";

const AT_ONCE = 10;
const DAY_MS = 24 * 3_600_000;

describeAuth("a refresh", (service) => {
  const tokensOfNewUser = async () => {
    const { application, session } = await userOfApplication(service());
    return { application, session, tokens: await application.tokens(session.sessionToken) };
  };

  it("returns another token each time, and the granted scopes", async () => {
    const { application, tokens } = await tokensOfNewUser();
    const next = tokensIn(await application.refresh(tokens.refreshToken));
    expect(next.refreshToken).not.toBe(tokens.refreshToken);
    expect(next.scope).toBe(tokens.scope);
    expect(await application.isValid(next.accessToken)).toBe(true);
    expect(errorIn(await application.refresh(next.refreshToken))).toBe("");
  });

  it("narrows only the access token, and never widens it", async () => {
    const { application, tokens } = await tokensOfNewUser();
    const wide = await application.refresh(tokens.refreshToken, { scope: "read_entities openid" });
    expect(errorIn(wide)).toBe("invalid_scope");
    const narrow = tokensIn(await application.refresh(tokens.refreshToken, { scope: "read_entities" }));
    expect(narrow.scope).toBe("read_entities");
    expect(tokensIn(await application.refresh(narrow.refreshToken)).scope).toBe(tokens.scope);
  });

  it("refuses another client, and doesn't use the token up", async () => {
    const { application, tokens } = await tokensOfNewUser();
    const other = await newApplication(service());
    expect(errorIn(await other.refresh(tokens.refreshToken))).toBe("invalid_grant");
    expect(errorIn(await application.refresh("x".repeat(43)))).toBe("invalid_grant");
    expect(errorIn(await application.refresh(tokens.refreshToken))).toBe("");
  });

  it("returns the same successor again for ten seconds, as long as that is unused", async () => {
    const { application, tokens } = await tokensOfNewUser();
    const first = tokensIn(await application.refresh(tokens.refreshToken));
    service().time.advance(10_000);
    const again = tokensIn(await application.refresh(tokens.refreshToken));
    expect(again.refreshToken).toBe(first.refreshToken);
    expect(errorIn(await application.refresh(first.refreshToken))).toBe("");
    expect(errorIn(await application.refresh(tokens.refreshToken))).toBe("invalid_grant");
    expect(await application.isValid(again.accessToken)).toBe(false);
  });

  it("treats later reuse as theft, and revokes all tokens", async () => {
    const { application, tokens } = await tokensOfNewUser();
    const first = tokensIn(await application.refresh(tokens.refreshToken));
    service().time.advance(10_001);
    expect(errorIn(await application.refresh(tokens.refreshToken))).toBe("invalid_grant");
    expect(await application.isValid(first.accessToken)).toBe(false);
    expect(errorIn(await application.refresh(first.refreshToken))).toBe("invalid_grant");
  });

  it(`returns one successor to ${AT_ONCE} concurrent calls`, async () => {
    const { application, tokens } = await tokensOfNewUser();
    const results = await Promise.all(Array.from({ length: AT_ONCE }, () => application.refresh(tokens.refreshToken)));
    const successors = new Set(results.map((result) => tokensIn(result).refreshToken));
    expect(successors.size).toBe(1);
    const [successor = ""] = successors;
    expect(errorIn(await application.refresh(successor))).toBe("");
  });

  it("is refused after 30 unused days", async () => {
    const { application, tokens } = await tokensOfNewUser();
    service().time.advance(30 * DAY_MS);
    expect(errorIn(await application.refresh(tokens.refreshToken))).toBe("invalid_grant");
  });

  it("is refused after 90 days, however much the tokens were used", async () => {
    const { application, tokens } = await tokensOfNewUser();
    let { refreshToken } = tokens;
    for (let days = 0; days < 87; days += 29) {
      service().time.advance(29 * DAY_MS);
      refreshToken = tokensIn(await application.refresh(refreshToken)).refreshToken;
    }
    service().time.advance(3 * DAY_MS - 1);
    const last = tokensIn(await application.refresh(refreshToken));
    service().time.advance(1);
    expect(errorIn(await application.refresh(last.refreshToken))).toBe("invalid_grant");
  });
});
