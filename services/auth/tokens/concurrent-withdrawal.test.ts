import { beforeEach, describe, expect, it } from "vitest";
import { deleteConsents } from "../consents/consents-store.ts";
import { findSession } from "../sessions/sessions-store.ts";
import { type Application, answerOf, errorIn } from "../testing/application.ts";
import { type AuthorizationClient, authorizationClient } from "../testing/authorization-client.ts";
import { sampleDefinition } from "../testing/sample-application.ts";
import { revokeFamiliesOf } from "./token-families-store.ts";

/** The rate limit is taken between the reads and the writes of a call, so that a withdrawal can happen there. */
describe("a consent that is withdrawn during a call", () => {
  let auth: AuthorizationClient;
  let application: Application;
  let session: string;
  let meanwhile: { readonly limit: string; readonly work: () => Promise<void> } | undefined;
  beforeEach(async () => {
    meanwhile = undefined;
    const take = async (limit: string) => {
      if (limit !== meanwhile?.limit) return;
      const { work } = meanwhile;
      meanwhile = undefined;
      await work();
    };
    auth = await authorizationClient({ rateLimits: { take } });
    application = await auth.application();
    session = await auth.signIn();
  });

  const withdraw = async () => {
    const { database, clock } = auth.context;
    const accountUuid = (await findSession(database, session, clock()))?.accountUuid ?? "";
    const key = { accountUuid, clientUuid: application.client.uuid };
    await database.write(async (transaction) => {
      await deleteConsents(transaction, key);
      await revokeFamiliesOf(transaction, key, clock());
    });
  };
  const events = async () => {
    const rows = await auth.context.database.query.selectFrom("audit").select("event").execute();
    return rows.map(({ event }) => event);
  };

  it("gets no code", async () => {
    await application.tokens(session);
    meanwhile = { limit: "authorize_account", work: withdraw };
    await expect(application.begin(session)).rejects.toThrow("withdrawn meanwhile");
    expect((await application.begin(session)).step.case).toBe("consent");
  });

  it("gets no code for openid alone either, which needs no scope", async () => {
    const definition = sampleDefinition({ scopes: [{ scope: "contact_email", required: false }] });
    application = await auth.application({ uuid: "55555555-5555-4555-8555-555555555555", definition });
    await application.code(session, { scope: "openid" });
    meanwhile = { limit: "authorize_account", work: withdraw };
    await expect(application.begin(session, { scope: "openid" })).rejects.toThrow("withdrawn meanwhile");
    expect((await application.begin(session, { scope: "openid" })).step.case).toBe("consent");
  });

  it("gets an error with prompt=none", async () => {
    await application.tokens(session);
    meanwhile = { limit: "authorize_account", work: withdraw };
    const { step } = await application.begin(session, { prompt: "none" });
    expect([answerOf(step).get("error"), answerOf(step).has("code")]).toEqual(["server_error", false]);
    expect((await application.begin(session)).step.case).toBe("consent");
  });

  it("gets no tokens for its code, whose exchange is no replay", async () => {
    const code = await application.code(session);
    meanwhile = { limit: "token_account", work: withdraw };
    expect(errorIn(await application.exchange(code))).toBe("invalid_grant");
    expect(await events()).not.toContain("code.replayed");
  });
});
