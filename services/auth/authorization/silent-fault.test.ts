import { beforeEach, describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { type Application, answerOf } from "../testing/application.ts";
import { type AuthorizationClient, authorizationClient } from "../testing/authorization-client.ts";
import { ISSUER } from "../testing/test-auth-config.ts";

describe("a fault while an authorization is decided", () => {
  let auth: AuthorizationClient;
  let application: Application;
  let session: string;
  let fault: { readonly limit: string; readonly error: Error } | undefined;
  const { logger, lines } = captureLog();
  beforeEach(async () => {
    fault = undefined;
    lines.length = 0;
    const take = async (limit: string) => {
      if (limit === fault?.limit) throw fault.error;
    };
    auth = await authorizationClient({ rateLimits: { take }, logger });
    application = await auth.application();
    session = await auth.signIn();
    await application.tokens(session);
  });
  const silently = async () =>
    Object.fromEntries(answerOf((await application.begin(session, { prompt: "none" })).step));

  it.each<[string, Error, string, string]>([
    ["the service is overloaded", new ServiceError("unavailable", "inside"), "server_error", "the request can't be"],
    ["the account was deleted", new ServiceError("aborted", "inside"), "server_error", "the request can't be"],
    ["a limit is exceeded", new ServiceError("resource_exhausted", "inside"), "temporarily_unavailable", "too many"],
    ["of our own", new TypeError("inside"), "server_error", "internal error "],
  ])("is answered to the client with prompt=none: %s", async (_, error, code, description) => {
    fault = { limit: "authorize_account", error };
    expect(await silently()).toEqual({
      error: code,
      error_description: expect.stringMatching(new RegExp(`^${description}(?!.*inside)`)),
      state: "a state",
      iss: ISSUER,
    });
  });

  it("is in the log under the ID that the client gets", async () => {
    fault = { limit: "authorize_account", error: new TypeError("inside") };
    const { error_description: description } = await silently();
    const [line] = lines.filter(({ msg }) => msg === "call failed");
    expect(line).toMatchObject({ rpc_method: "BeginAuthorization", err: { message: "inside" } });
    expect(description).toBe(`internal error ${line?.["error_id"]}`);
  });

  it("is answered to the client where the database fails after the client was read", async () => {
    await auth.context.database.query.schema.dropTable("session").execute();
    expect(await silently()).toMatchObject({ error: "server_error", state: "a state" });
  });

  it("is answered without a state that could not be echoed", async () => {
    fault = { limit: "authorize_account", error: new TypeError("inside") };
    const { step } = await application.begin(session, { prompt: "none", state: [] });
    expect(answerOf(step).has("state")).toBe(false);
  });

  it("is a failure of the call without prompt=none, which the gateway shows on a page", async () => {
    fault = { limit: "authorize_account", error: new ServiceError("unavailable", "inside") };
    await expect(application.begin(session)).rejects.toThrow("inside");
  });

  it("is a failure of the call before client and redirect URI are known to be right", async () => {
    fault = { limit: "authorize_address", error: new ServiceError("unavailable", "inside") };
    await expect(application.begin(session, { prompt: "none" })).rejects.toThrow("inside");
  });
});
