import { beforeEach, describe, expect, it } from "vitest";
import { ErrorReason } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { updateClient } from "../applications/applications-store.ts";
import {
  type Application,
  type Attempt,
  answerOf,
  newToken,
  type SentParameters,
  tokensIn,
} from "../testing/application.ts";
import { type AuthorizationClient, signedInUser } from "../testing/authorization-client.ts";
import { LOOPBACK_CLIENT, sampleClient, sampleDefinition } from "../testing/sample-application.ts";

describe("an authorization that was answered, and is begun again", () => {
  let auth: AuthorizationClient;
  let application: Application;
  let session: string;
  beforeEach(async () => {
    ({ auth, application, session } = await signedInUser());
  });

  const repeat = (attempt: Attempt, sessionToken = session) => application.continue(attempt, sessionToken, true);
  const codes = async () =>
    (await auth.context.database.query.selectFrom("authorization_code").selectAll().execute()).length;
  /** Begins an authorization, whose consent page is shown, and answers it. */
  const answered = async (changes: SentParameters = {}, approve = true) => {
    const attempt = await application.begin(session, changes);
    await application.decide(attempt, session, { approve });
    return attempt;
  };

  it("has one code for two answers at once, and then another one with the state and challenge of the same request", async () => {
    const attempt = await application.begin(session, { nonce: "n1" });
    const steps = await Promise.all([application.decide(attempt, session), application.decide(attempt, session)]);
    expect([steps.map((step) => step.case).toSorted(), await codes()]).toStrictEqual([["error", "redirect"], 1]);
    const answer = answerOf(await repeat(attempt));
    expect([answer.get("state"), await codes()]).toStrictEqual(["a state", 2]);
    const code = answer.get("code") ?? "";
    const stolen = await application.exchange({ code, codeVerifier: newToken() });
    expect(stolen.case).toBe("error");
    const { accessToken } = tokensIn(
      await application.exchange({ ...attempt, code: answerOf(await repeat(attempt)).get("code") ?? "" }),
    );
    expect(accessToken).not.toBe("");
  });

  it.each<[string, SentParameters]>([
    ["prompt=login", { prompt: "login" }],
    ["max_age=0", { max_age: "0" }],
    ["prompt=select_account", { prompt: "select_account" }],
  ])("counts the sign-in for the first one: %s", async (_, changes) => {
    const attempt = await application.begin(session, changes);
    auth.context.time.advance(1_000);
    const signedIn = await auth.signIn();
    const step = await application.continue(attempt, signedIn);
    await application.decide({ ...attempt, step }, signedIn);
    expect(answerOf(await repeat(attempt, signedIn)).has("code")).toBe(true);
  });

  it("counts the account that was chosen for the first one", async () => {
    auth.context.time.advance(1_000);
    const attempt = await application.begin(session, { prompt: "select_account" });
    if (attempt.step.case !== "chooseAccount") throw new Error("no account was to be chosen");
    const { authorizationHandle, accountUuid } = attempt.step.value;
    const { browserToken } = attempt;
    const choice = { authorizationHandle, browserToken, sessionToken: session, accountUuid };
    const { step } = await auth.authorization.chooseAccount(choice);
    await application.decide({ ...attempt, step: step?.step ?? { case: undefined } }, session);
    expect(answerOf(await repeat(attempt)).has("code")).toBe(true);
  });

  it("asks again where no consent is remembered: after a cancel, for prompt=consent, and on a loopback URI", async () => {
    expect((await repeat(await answered({}, false))).case).toBe("consent");
    const second = await repeat(await answered({ prompt: "consent" }));
    expect(second).toMatchObject({ case: "consent", value: { client: { name: "Portal" } } });
    application = await auth.application(LOOPBACK_CLIENT);
    expect((await repeat(await answered())).case).toBe("consent");
    expect(await codes()).toBe(2);
  });

  it("signs in first where the session has ended", async () => {
    const attempt = await answered();
    const step = await repeat(attempt, "");
    expect(step.case).toBe("signIn");
    expect(answerOf(await application.continue({ ...attempt, step }, session)).has("code")).toBe(true);
  });

  it("gives nothing to another browser, nor for an unknown handle", async () => {
    const attempt = await answered();
    const stranger = await repeat({ ...attempt, browserToken: newToken() });
    expect(stranger).toMatchObject({ case: "error", value: { reason: ErrorReason.OTHER_BROWSER, redirectUrl: "" } });
    const request = { authorizationHandle: newToken(), browserToken: newToken(), sessionToken: session, repeats: true };
    const { step } = await auth.authorization.continueAuthorization(request);
    expect(step?.step).toMatchObject({ case: "error", value: { reason: ErrorReason.EXPIRED } });
    expect(await codes()).toBe(1);
  });

  it("gives nothing half an hour after the first one, and the page offers it no longer", async () => {
    const attempt = await answered();
    const page = { reason: ErrorReason.ANSWERED, authorizationHandle: expect.stringMatching(/^[\w-]{43}$/) };
    expect(await application.continue(attempt, session)).toMatchObject({ case: "error", value: page });
    auth.context.time.advance(29 * 60_000);
    const again = await repeat(attempt, "");
    auth.context.time.advance(60_000);
    const late = { case: "error", value: { reason: ErrorReason.ANSWERED, authorizationHandle: "" } };
    expect([await repeat(attempt), await application.continue(attempt, session)]).toMatchObject([late, late]);
    const second = await application.continue({ ...attempt, step: again }, session);
    expect(second).toMatchObject({ case: "error", value: { reason: ErrorReason.EXPIRED } });
  });

  it("gives nothing where the client has changed its redirect URI since", async () => {
    const attempt = await answered();
    const definition = sampleDefinition({ redirectUris: ["https://app.example/new"] });
    await auth.context.database.write((transaction) => updateClient(transaction, sampleClient({ definition })));
    expect(await repeat(attempt)).toMatchObject({ case: "error", value: { reason: ErrorReason.UNTRUSTED } });
  });

  it("continues where it isn't answered yet", async () => {
    const attempt = await application.begin(session);
    expect(await repeat(attempt)).toMatchObject({ case: "consent", value: attempt.step.value });
  });
});
