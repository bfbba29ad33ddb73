import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { urlJwks } from "../../../../common/platform/jwt/jwks-source.ts";
import { AUTH_AUDIENCE } from "../../../../common/platform/rpc/identity/audiences.ts";
import { AUTH_PATHS } from "../../../../gateway/web/sessions/auth-paths.ts";
import { AccessTokenVerifier } from "../../../../services/auth/testing/access-token-verifier.ts";
import {
  CLAIM_FORGERIES,
  type Genuine,
  HEADER_FORGERIES,
  SIGNATURE_FORGERIES,
  takenApart,
} from "../../../support/applications/forged-tokens.ts";
import type { WebApplication, WebTokens } from "../../../support/applications/web-application.ts";
import { describeAuthWeb } from "../../../support/pages/auth-web.ts";
import { ISSUER } from "../../../support/processes/auth-fixture.ts";

describeAuthWeb("a forged access token", (web) => {
  let application: WebApplication;
  let tokens: WebTokens;
  let genuine: Genuine;
  let verifier: AccessTokenVerifier;
  beforeAll(async () => {
    const { service, origin } = web();
    const user = await web().user();
    application = await web().application();
    tokens = await application.tokens(user.browser);
    genuine = await takenApart(service, tokens.accessToken);
    verifier = new AccessTokenVerifier({
      jwks: urlJwks(origin + AUTH_PATHS.jwks),
      issuer: ISSUER,
      audience: ISSUER,
      issuedFor: "any sale",
      tenancy: "live",
      now: () => Number(service.time.now()),
    });
  });
  const verify = (token: string) => verifier.verify(`Bearer ${token}`, ["read_entities"]);

  it.each([...HEADER_FORGERIES, ...SIGNATURE_FORGERIES, ...CLAIM_FORGERIES])(
    "is refused: %s (%s)",
    async (_, __, make) => {
      const token = await make(genuine);
      const answer = await application.userInfo(token);
      expect([answer.status, answer.error]).toEqual([401, "invalid_token"]);
      expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
      await expect(verify(token)).rejects.toMatchObject({ code: "unauthenticated" });
      expect(await application.revoke(token)).toMatchObject({ status: expect.toSatisfy((status) => status < 500) });
      expect(await application.userInfo(tokens.accessToken)).toMatchObject({ status: 200 });
    },
  );

  it("differs from a valid one only in the change", async () => {
    const again = await genuine.sign(genuine.header, genuine.payload);
    expect(await application.userInfo(again)).toMatchObject({ status: 200 });
    await expect(verify(again)).resolves.toMatchObject({ scopes: ["read_entities", "sale_eligibility_check"] });
  });

  it.each(["refresh token", "code", "session", "actor token"])(
    "can't be replaced by a %s (RFC 8725 3.11)",
    async (kind) => {
      const { service } = web();
      const user = await web().user();
      const token = {
        "refresh token": async () => tokens.refreshToken,
        code: () => application.code(user.browser),
        session: async () => user.sessionToken,
        "actor token": () => service.actorToken(user, AUTH_AUDIENCE),
      }[kind];
      const text = (await token?.()) ?? "";
      expect(await application.userInfo(text)).toMatchObject({ status: 401, error: "invalid_token" });
      await expect(verify(text)).rejects.toMatchObject({ code: "unauthenticated" });
    },
  );

  it.each([
    ["in the query", "/oauth/userinfo?access_token=", {}],
    ["by another scheme", "/oauth/userinfo", { authorization: "Basic " }],
    ["twice", "/oauth/userinfo", { authorization: "Bearer a.b.c, Bearer " }],
  ])("is not accepted %s (RFC 9700 4.3.2)", async (_, path, headers: Record<string, string>) => {
    const url = `${web().origin}${path}${path.includes("?") ? tokens.accessToken : ""}`;
    const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value + tokens.accessToken]));
    const answer = await fetch(url, { headers: sent });
    expect([400, 401]).toContain(answer.status);
    expect(await answer.json()).not.toHaveProperty("sub");
  });

  it("can't keep others from being checked by the largest tokens and proofs that fit beside theirs in a call", async () => {
    const [accessToken, proof] = ["x".repeat(8192), "x".repeat(16_384)];
    const dpop = { proof, method: "POST", uri: `https://${"x".repeat(2040)}`, requestId: randomUUID() };
    const accessTokens = [tokens.accessToken, ...Array(99).fill(accessToken)];
    const proofs = accessTokens.map((_, index) => (index === 0 ? {} : { dpop }));
    const { checks } = await web().service.as("entities").authorization.checkAccess({ accessTokens, proofs });
    expect(checks.map(({ access }) => access?.email)).toEqual([expect.any(String), ...Array(99).fill(undefined)]);
  });

  it("can't be about a user who passes for a client, nor a client for a user (RFC 9700 4.15)", () => {
    const { sub, client_id: clientId } = genuine.payload;
    expect([sub, clientId]).toEqual([expect.stringMatching(/^[\w-]{43}$/), application.client.uuid]);
  });

  it("lacks scopes that weren't granted, and shows no address without its scope (RFC 6750 3.1)", async () => {
    expect((await application.userInfo(tokens.accessToken)).body).toEqual({ sub: expect.any(String) });
    const call = verifier.verify(`Bearer ${tokens.accessToken}`, ["contact_email"]);
    await expect(call).rejects.toMatchObject({ code: "permission_denied" });
  });
});
