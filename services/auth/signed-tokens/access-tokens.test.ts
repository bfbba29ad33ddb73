import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import type { AccessTokenGrant } from "../base/issued-tokens.ts";
import { authContext } from "../testing/auth-context.ts";
import { ISSUER } from "../testing/test-auth-config.ts";

const grant: AccessTokenGrant = {
  clientUuid: "22222222-2222-4222-8222-222222222222",
  saleUuid: "11111111-1111-4111-8111-111111111111",
  tenancy: "test",
  accountUuid: "33333333-3333-4333-8333-333333333333",
  familyUuid: "44444444-4444-4444-8444-444444444444",
  subjectSalt: new Uint8Array(32).fill(5),
  scopes: ["read_entities", "contact_email"],
};

describe("AccessTokens", () => {
  it("have the claims of RFC 9068, and neither account nor family in plain form", async () => {
    const { accessTokens, time } = await authContext();
    const { token, expiresInSeconds } = await accessTokens.issue(grant);
    const iat = Number(time.now() / 1_000n);
    expect(expiresInSeconds).toBe(900);
    expect(decodeJwt(token)).toEqual({
      iss: ISSUER,
      aud: ISSUER,
      sub: expect.stringMatching(/^[\w-]{43}$/),
      client_id: grant.clientUuid,
      sale_uuid: grant.saleUuid,
      tenancy: "test",
      scope: "read_entities contact_email",
      jti: expect.stringMatching(/^[\w-]{22}\.[\w-]{22}$/),
      iat,
      exp: iat + 900,
    });
  });

  it("are verified, with their family", async () => {
    const { accessTokens, time } = await authContext();
    const { token } = await accessTokens.issue(grant);
    expect(await accessTokens.verify(token)).toMatchObject({
      clientUuid: grant.clientUuid,
      saleUuid: grant.saleUuid,
      tenancy: "test",
      familyUuid: grant.familyUuid,
      scopes: grant.scopes,
      expiresAtMs: time.now() + 900_000n,
    });
    time.advance(906_000);
    expect(await accessTokens.verify(token)).toBeUndefined();
  });

  it("have another subject for a person in each sale, and the same one within a sale", async () => {
    const { accessTokens } = await authContext();
    const subjectOf = async (change: Partial<AccessTokenGrant>) =>
      decodeJwt((await accessTokens.issue({ ...grant, ...change })).token).sub;
    const subject = await subjectOf({});
    expect(await subjectOf({ scopes: [] })).toBe(subject);
    expect(await subjectOf({ subjectSalt: new Uint8Array(32).fill(6) })).not.toBe(subject);
    expect(await subjectOf({ accountUuid: grant.familyUuid })).not.toBe(subject);
  });

  it("never share an ID", async () => {
    const { accessTokens } = await authContext();
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => decodeJwt((await accessTokens.issue(grant)).token).jti),
    );
    expect(new Set(ids).size).toBe(20);
  });

  it("are neither actor tokens nor tokens with a foreign ID", async () => {
    const { accessTokens, actorTokens, keyRing } = await authContext();
    const { token } = await actorTokens.issue({ ...grant, authenticatedAtMs: 0n }, ISSUER);
    expect(await accessTokens.verify(token)).toBeUndefined();
    const claims = decodeJwt((await accessTokens.issue(grant)).token);
    for (const jti of ["", "a.b", `${"A".repeat(22)}.${"A".repeat(21)}`]) {
      expect(await accessTokens.verify(await keyRing.sign("at+jwt", { ...claims, jti }))).toBeUndefined();
    }
    expect(await accessTokens.verify("")).toBeUndefined();
  });
});
