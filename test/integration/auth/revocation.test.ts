import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { errorIn, tokensIn } from "../../../services/auth/testing/application.ts";
import { newApplication, userOfApplication } from "../../support/applications/auth-application.ts";
import { describeAuth } from "../../support/processes/auth-fixture.ts";

describeAuth("a revocation", (service) => {
  const tokensOfNewUser = async () => {
    const user = await userOfApplication(service());
    return { ...user, tokens: await user.application.tokens(user.session.sessionToken) };
  };

  describe("of a token", () => {
    it.each(["refreshToken", "accessToken"] as const)("revokes all tokens by the %s", async (name) => {
      const { application, tokens } = await tokensOfNewUser();
      const other = await tokensOfNewUser();
      const { uuid: client_id } = application.client;
      expect(await application.revoke(tokens[name], { client_id, token_type_hint: "nonsense" })).toBe("");
      expect(await application.isValid(tokens.accessToken)).toBe(false);
      expect(errorIn(await application.refresh(tokens.refreshToken))).toBe("invalid_grant");
      expect(await other.application.isValid(other.tokens.accessToken)).toBe(true);
    });

    it("accepts a used token, and needs no client", async () => {
      const { application, tokens } = await tokensOfNewUser();
      const next = tokensIn(await application.refresh(tokens.refreshToken));
      expect(await application.revoke(tokens.refreshToken)).toBe("");
      expect(await application.isValid(next.accessToken)).toBe(false);
    });

    it("is no error for an unknown or revoked token (RFC 7009 section 2.2)", async () => {
      const { application, tokens } = await tokensOfNewUser();
      expect(await application.revoke("nonsense")).toBe("");
      expect(await application.revoke(tokens.accessToken)).toBe("");
      expect(await application.revoke(tokens.accessToken)).toBe("");
      expect(await application.revoke(tokens.refreshToken)).toBe("");
    });

    it("is refused to a client that is unknown or disabled, whatever the token", async () => {
      const { application, tokens } = await tokensOfNewUser();
      const { client: disabled } = await newApplication(service(), { status: "disabled" });
      for (const client_id of [randomUUID(), disabled.uuid]) {
        for (const token of [tokens.refreshToken, tokens.accessToken, "nonsense"]) {
          expect(await application.revoke(token, { client_id })).toBe("invalid_client");
        }
      }
      expect(await application.revoke("nonsense", { client_id: application.client.uuid })).toBe("");
      expect(await application.isValid(tokens.accessToken)).toBe(true);
    });

    it("is refused to another client", async () => {
      const { application, tokens } = await tokensOfNewUser();
      const { client } = await newApplication(service());
      expect(await application.revoke(tokens.refreshToken, { client_id: client.uuid })).toBe("invalid_grant");
      expect(await application.revoke(tokens.refreshToken, { client_id: "x" })).toBe("invalid_client");
      expect(await application.isValid(tokens.accessToken)).toBe(true);
    });
  });

  it("of a consent ends the user's tokens and codes of that client", async () => {
    const { application, session, tokens } = await tokensOfNewUser();
    const other = await newApplication(service());
    const kept = await other.tokens(session.sessionToken);
    const code = await application.code(session.sessionToken);
    const { sessionToken } = session;
    await service().as("gateway").accounts.withdrawConsent({ sessionToken, clientUuid: application.client.uuid });
    expect(await application.isValid(tokens.accessToken)).toBe(false);
    expect(errorIn(await application.exchange(code))).toBe("invalid_grant");
    expect(await other.isValid(kept.accessToken)).toBe(true);
    expect((await application.begin(sessionToken)).step.case).toBe("consent");
  });

  it("at sign-out ends the tokens and codes of all applications where the user wants it, and of nobody else", async () => {
    const { application, session, tokens, email } = await tokensOfNewUser();
    const other = await newApplication(service());
    const stranger = await tokensOfNewUser();
    const { accounts } = service().as("gateway");
    const held = [
      { application, tokens },
      { application: other, tokens: await other.tokens(session.sessionToken) },
    ];
    await accounts.signOut({ sessionToken: (await service().signIn(email)).sessionToken });
    for (const { application: kept, tokens } of held) expect(await kept.isValid(tokens.accessToken)).toBe(true);
    const code = await application.code(session.sessionToken);
    const { sessionToken } = session;
    expect(await accounts.signOut({ sessionToken, endTokens: true })).toMatchObject({ tokensEnded: true });
    for (const { application: ended, tokens } of held) {
      expect(await ended.isValid(tokens.accessToken)).toBe(false);
      expect(errorIn(await ended.refresh(tokens.refreshToken))).toBe("invalid_grant");
    }
    expect(errorIn(await application.exchange(code))).toBe("invalid_grant");
    expect(await stranger.application.isValid(stranger.tokens.accessToken)).toBe(true);
  });

  it("with a change of the address ends the tokens of all applications where the user wants it", async () => {
    for (const endTokens of [false, true]) {
      const { application, session, tokens } = await tokensOfNewUser();
      await service().changeEmail(session, `${randomUUID()}@example.com`, { endTokens });
      expect(await application.isValid(tokens.accessToken)).toBe(!endTokens);
    }
  });

  it("of an account ends all of its tokens", async () => {
    const { application, session, tokens } = await tokensOfNewUser();
    const code = await application.code(session.sessionToken);
    await service().as("gateway").accounts.deleteAccount({ sessionToken: session.sessionToken });
    expect(await application.isValid(tokens.accessToken)).toBe(false);
    expect(errorIn(await application.refresh(tokens.refreshToken))).toBe("invalid_grant");
    expect(errorIn(await application.exchange(code))).toBe("invalid_grant");
  });

  it("of a client ends its tokens, also after it is enabled again", async () => {
    const { application, session, tokens } = await tokensOfNewUser();
    const code = await application.code(session.sessionToken);
    const { uuid: clientUuid } = application.client;
    await service().clients.disableClient({ clientUuid });
    expect(await application.isValid(tokens.accessToken)).toBe(false);
    expect(errorIn(await application.refresh(tokens.refreshToken))).toBe("invalid_client");
    expect(errorIn(await application.exchange(code, { client_id: clientUuid }))).toBe("invalid_client");
    expect(errorIn(await application.exchange(code))).toBe("invalid_grant");
    expect(await application.revoke(tokens.refreshToken, { client_id: clientUuid })).toBe("invalid_client");
    expect(await application.revoke(tokens.refreshToken)).toBe("");
    await service().clients.enableClient({ clientUuid });
    expect(await application.isValid(tokens.accessToken)).toBe(false);
    expect(errorIn(await application.refresh(tokens.refreshToken))).toBe("invalid_grant");
    expect(errorIn(await application.exchange(code))).toBe("invalid_grant");
    const fresh = await application.tokens(session.sessionToken);
    expect(await application.isValid(fresh.accessToken)).toBe(true);
  });

  it("of a consent leaves no token of a concurrent exchange", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { application, session } = await tokensOfNewUser();
      const code = await application.code(session.sessionToken);
      const { sessionToken } = session;
      const { accounts } = service().as("gateway");
      const [result] = await Promise.all([
        application.exchange(code),
        accounts.withdrawConsent({ sessionToken, clientUuid: application.client.uuid }),
      ]);
      if (result.case === "tokens") expect(await application.isValid(result.value.accessToken)).toBe(false);
      else expect(errorIn(result)).toBe("invalid_grant");
    }
  });
});
