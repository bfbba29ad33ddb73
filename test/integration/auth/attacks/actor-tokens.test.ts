import { beforeAll, expect, it } from "vitest";
import { ACTOR_HEADER } from "../../../../common/platform/rpc/identity/actor.ts";
import { AUTH_AUDIENCE, COMMITMENTS_AUDIENCE } from "../../../../common/platform/rpc/identity/audiences.ts";
import { type Genuine, HEADER_FORGERIES, takenApart } from "../../../support/applications/forged-tokens.ts";
import { describeAuthWeb, type WebUser } from "../../../support/pages/auth-web.ts";
import { refusal } from "../../../support/sales/sale-messages.ts";

describeAuthWeb("a forged actor token", (web) => {
  let user: WebUser;
  let genuine: Genuine;
  beforeAll(async () => {
    user = await web().user();
    genuine = await takenApart(web().service, await web().service.actorToken(user, COMMITMENTS_AUDIENCE));
  });
  const call = (token: string) =>
    web().service.commitments.as("gateway", token).sales.getSale({ saleUuid: "99999999-9999-4999-8999-999999999999" });

  it.each(HEADER_FORGERIES.filter(([attack]) => attack !== "typ of an actor token"))(
    "is refused: %s (%s)",
    async (_, __, make) => {
      expect(await refusal(call(await make(genuine)))).toMatchObject({ code: "unauthenticated" });
    },
  );

  it("differs from a valid one only in the change", async () => {
    expect(await refusal(call(await genuine.sign(genuine.header, genuine.payload)))).toMatchObject({
      code: "not_found",
    });
  });

  it("is not accepted as an access token, though the same key signs both (RFC 8725 3.11)", async () => {
    const { accessToken } = await (await web().application()).tokens(user.browser);
    expect(await refusal(call(accessToken))).toMatchObject({ code: "unauthenticated" });
    const { payload, header, sign } = genuine;
    const typed = await sign({ ...header, typ: "at+jwt" }, payload);
    expect(await refusal(call(typed))).toMatchObject({ code: "unauthenticated" });
  });

  it("is not accepted from a browser (RFC 9700 2.1)", async () => {
    const [victim, attacker] = [user, await web().user()];
    const headers = { [ACTOR_HEADER]: await web().service.actorToken(victim, AUTH_AUDIENCE) };
    expect((await attacker.browser.open("/account", headers)).html).not.toContain(victim.email);
    expect((await web().browser().open("/account", headers)).path).toBe("/sign-in");
  });

  it.each(["AccountService/IssueActorToken", "AuthorizationService/IntrospectToken", "KeyService/RotateKeys"])(
    "can't be requested from outside: %s isn't reachable",
    async (method) => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ sessionToken: user.sessionToken, audience: AUTH_AUDIENCE });
      const answer = await fetch(`${web().origin}/tidemark.auth.v1.${method}`, { method: "POST", headers, body });
      expect(answer.status).toBe(404);
    },
  );
});
