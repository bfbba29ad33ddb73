import { decodeProtectedHeader } from "jose";
import { beforeAll, expect, it } from "vitest";
import { COMMITMENTS_AUDIENCE } from "../../../../common/platform/rpc/identity/audiences.ts";
import { tokensIn } from "../../../../services/auth/testing/application.ts";
import { userOfApplication } from "../../../support/applications/auth-application.ts";
import { type Genuine, takenApart } from "../../../support/applications/forged-tokens.ts";
import { type AuthFixture, describeAuth, type SignedIn } from "../../../support/processes/auth-fixture.ts";
import { refusal } from "../../../support/sales/sale-messages.ts";

/** The time in which the commitments service loads auth's keys again. */
const KEYS_FRESH_MS = 5_000;
const SALE = "99999999-9999-4999-8999-999999999999";

describeAuth("somebody who has a signing key that was removed", (service) => {
  let user: Awaited<ReturnType<typeof userOfApplication>>;
  let refreshToken: string;
  let access: Genuine;
  let actor: Genuine;
  const accessTokenNow = () => access.sign(access.header, { ...access.payload, exp: secondsOf(service()) + 600 });
  const actorTokenNow = () => {
    const iat = secondsOf(service());
    return actor.sign(actor.header, { ...actor.payload, iat, exp: iat + 100 });
  };
  const askCommitments = (token: string) =>
    service().commitments.as("gateway", token).sales.getSale({ saleUuid: SALE });

  beforeAll(async () => {
    user = await userOfApplication(service());
    const tokens = await user.application.tokens(user.session.sessionToken);
    refreshToken = tokens.refreshToken;
    access = await takenApart(service(), tokens.accessToken);
    actor = await takenApart(service(), await service().actorToken(user.session, COMMITMENTS_AUDIENCE));
    // What the thief signs is as good as what auth signs.
    expect(await user.application.isValid(await accessTokenNow())).toBe(true);
    expect(await refusal(askCommitments(await actorTokenNow()))).toMatchObject({ code: "not_found" });
    await service().keys.removeKeys({ which: { case: "keyId", value: keyIdOf(tokens.accessToken) } });
  });

  it("signs no token for userinfo and introspection (RFC 9068 section 4)", async () => {
    expect(await user.application.isValid(await accessTokenNow())).toBe(false);
  });

  it("signs no token for the calls of applications", async () => {
    const accessTokens = [await accessTokenNow()];
    const { checks } = await service().as("entities").authorization.checkAccess({ accessTokens });
    expect(checks.map(({ access }) => access)).toEqual([undefined]);
  });

  it("signs no token by which the gateway would act for a person", async () => {
    const forAuth = await actor.sign(actor.header, { ...actor.payload, aud: "tidemark.auth" });
    const call = service().as("gateway", forAuth).memberships.listMemberships({});
    expect(await refusal(call)).toMatchObject({ code: "unauthenticated" });
    service().time.advance(KEYS_FRESH_MS);
    expect(await refusal(askCommitments(await actorTokenNow()))).toMatchObject({ code: "unauthenticated" });
  });

  it("finds the key in no JWKS, and it can't be removed twice", async () => {
    const { jwksJson } = await service().as("gateway").authorization.getJwks({});
    expect(jwksJson).not.toContain(keyIdOf(await accessTokenNow()));
    const again = { which: { case: "keyId", value: keyIdOf(await accessTokenNow()) } } as const;
    expect(await refusal(service().keys.removeKeys(again))).toMatchObject({ code: "not_found" });
  });

  it("harms neither sessions nor refresh tokens: new tokens have another key", async () => {
    const { accessToken } = tokensIn(await user.application.refresh(refreshToken));
    expect(keyIdOf(accessToken)).not.toBe(keyIdOf(await accessTokenNow()));
    expect(await user.application.isValid(accessToken)).toBe(true);
    expect(await actsFor(service(), user.session)).toMatchObject({ code: "not_found" });
  });

  it("has nothing of any key once all are removed", async () => {
    const { accessToken } = await user.application.tokens(user.session.sessionToken);
    const before = (await service().keys.listKeys({})).keys.map(({ keyId }) => keyId);
    const { removed, keys } = await service().keys.removeKeys({ which: { case: "all", value: true } });
    expect(removed.map(({ keyId }) => keyId)).toEqual(before);
    expect(keys.map(({ keyId }) => before.includes(keyId))).toEqual(keys.map(() => false));
    expect(await user.application.isValid(accessToken)).toBe(false);
    const { accessToken: anew } = await user.application.tokens(user.session.sessionToken);
    expect(await user.application.isValid(anew)).toBe(true);
    service().time.advance(KEYS_FRESH_MS);
    expect(await actsFor(service(), user.session)).toMatchObject({ code: "not_found" });
  });

  it("removes no key for anybody but an operator", async () => {
    for (const caller of ["gateway", "commitments", "entities", "resource-server", "stranger"] as const) {
      const call = service()
        .as(caller)
        .keys.removeKeys({ which: { case: "all", value: true } });
      expect(await refusal(call)).toMatchObject({ code: "permission_denied" });
    }
  });
});

/** The refusal of a call to the commitments service for a person, of a sale that doesn't exist. */
async function actsFor(service: AuthFixture, session: SignedIn) {
  const { sales } = await service.saleClientsOf(session);
  return refusal(sales.getSale({ saleUuid: SALE }));
}

function secondsOf({ time }: AuthFixture): number {
  return Number(time.now() / 1_000n);
}

function keyIdOf(token: string): string {
  return decodeProtectedHeader(token).kid ?? "";
}
