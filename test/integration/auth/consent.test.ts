import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { ErrorReason } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { answerOf, errorIn } from "../../../services/auth/testing/application.ts";
import { userOfApplication } from "../../support/applications/auth-application.ts";
import { describeAuth } from "../../support/processes/auth-fixture.ts";

const AT_ONCE = 10;
const REQUIRED = ["read_entities", "sale_eligibility_check"];

describeAuth("a consent", (service) => {
  it("is stored as it was given", async () => {
    const { application, session } = await userOfApplication(service());
    const { sessionToken } = session;
    const { accounts } = service().as("gateway");
    await application.decide(await application.begin(sessionToken), sessionToken, { scopes: REQUIRED });
    const before = await accounts.listConsents({ sessionToken });
    expect(before.consents).toMatchObject([{ grantedScopes: REQUIRED, declinedScopes: ["contact_email"] }]);
    const again = await application.begin(sessionToken, { prompt: "consent" });
    await application.decide(again, sessionToken);
    const after = await accounts.listConsents({ sessionToken });
    expect(after.consents).toMatchObject([{ grantedScopes: [...REQUIRED, "contact_email"], declinedScopes: [] }]);
  });

  it("is requested again for an added scope", async () => {
    const { application, session } = await userOfApplication(service());
    const { sessionToken } = session;
    await application.decide(await application.begin(sessionToken, { scope: "read_entities" }), sessionToken);
    expect((await application.begin(sessionToken, { scope: "read_entities" })).step.case).toBe("redirect");
    expect((await application.begin(sessionToken)).step.case).toBe("consent");
  });

  it("of an older version, which has no version of its words, is asked for again, once", async () => {
    const { application, session } = await userOfApplication(service());
    const { sessionToken, accountUuid } = session;
    await application.decide(await application.begin(sessionToken), sessionToken);
    expect((await application.begin(sessionToken)).step.case).toBe("redirect");
    const older = await service()
      .database.query.updateTable("consent")
      .set({ words_version: null })
      .where("account", "=", bytesOfHex(accountUuid))
      .executeTakeFirst();
    expect(older.numUpdatedRows).toBe(1n);
    const again = await application.begin(sessionToken);
    expect(again.step.case).toBe("consent");
    await application.decide(again, sessionToken);
    expect((await application.begin(sessionToken)).step.case).toBe("redirect");
  });

  it("accepts a hostile state and returns it exactly", async () => {
    const { application, session } = await userOfApplication(service());
    const state = `&code=x#"><script>\\'%00;--`;
    const attempt = await application.begin(session.sessionToken, { state });
    const answer = answerOf(await application.decide(attempt, session.sessionToken));
    expect([answer.getAll("state"), answer.getAll("code").length]).toEqual([[state], 1]);
  });

  it(`gives one code for ${AT_ONCE} concurrent answers`, async () => {
    const { application, session } = await userOfApplication(service());
    const { sessionToken } = session;
    const attempt = await application.begin(sessionToken);
    const steps = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        application.decide(attempt, sessionToken, { approve: index % 2 === 0 }),
      ),
    );
    const redirects = steps.filter((step) => step.case === "redirect");
    const reasons = steps.flatMap((step) => (step.case === "error" ? [step.value.reason] : []));
    expect(redirects).toHaveLength(1);
    expect(reasons).toEqual(new Array(AT_ONCE - 1).fill(ErrorReason.ANSWERED));
  });

  it("and a concurrent deletion of its account leave nothing behind", async () => {
    const { application, session } = await userOfApplication(service());
    const { sessionToken, accountUuid } = session;
    const attempt = await application.begin(sessionToken);
    const { accounts } = service().as("gateway");
    const [decided] = await Promise.allSettled([
      application.decide(attempt, sessionToken),
      accounts.deleteAccount({ sessionToken }),
    ]);
    if (decided.status === "fulfilled" && decided.value.case === "redirect") {
      const code = { code: answerOf(decided.value).get("code") ?? "", codeVerifier: attempt.codeVerifier };
      expect(errorIn(await application.exchange(code))).toBe("invalid_grant");
    }
    const consents = await service()
      .database.query.selectFrom("consent")
      .select("client")
      .where("account", "=", Buffer.from(accountUuid.replaceAll("-", ""), "hex"))
      .execute();
    expect(consents).toEqual([]);
  });
});
