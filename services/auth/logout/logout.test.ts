import { beforeEach, describe, expect, it } from "vitest";
import type { LogoutStep } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { updateClient } from "../applications/applications-store.ts";
import { type Application, parametersOf, type SentParameters, tokensIn } from "../testing/application.ts";
import { type AuthorizationClient, authorizationClient } from "../testing/authorization-client.ts";
import { sampleClient, sampleDefinition, sampleSecurity } from "../testing/sample-application.ts";

const RETURN = "https://app.example/signed-out";
const RETURNS = sampleDefinition({
  security: sampleSecurity({ idTokenSignedResponseAlg: "ES256", postLogoutRedirectUris: [RETURN, `${RETURN}?x=1`] }),
});
const OTHER = "55555555-5555-4555-8555-555555555555";

/** The user's answer, with the fields of the page. */
interface Answer {
  readonly clientUuid?: string;
  readonly postLogoutRedirectUri?: string;
  readonly state?: string;
  readonly endsClientTokens?: boolean;
  readonly endsAllTokens?: boolean;
}

describe("RP-initiated logout", () => {
  let auth: AuthorizationClient;
  let application: Application;
  let session: string;
  let clientId: string;
  beforeEach(async () => {
    auth = await authorizationClient();
    application = await auth.application({ definition: RETURNS });
    clientId = application.client.uuid;
    session = await auth.signIn();
  });

  const begin = async (sent: SentParameters, sessionToken = session): Promise<LogoutStep["step"]> => {
    const { step } = await auth.authorization.beginLogout({ parameters: parametersOf(sent), sessionToken });
    return step?.step ?? { case: undefined };
  };
  const complete = (change: Answer = {}) => auth.authorization.completeLogout({ sessionToken: session, ...change });
  const tokens = (sessionToken = session) => application.tokens(sessionToken, { scope: "openid" });
  const isSignedIn = async () => (await begin({})).case === "confirm";

  it("asks the user of the ID token, also of an expired one, and ends nothing before the answer", async () => {
    const { idToken } = await tokens();
    auth.context.time.advance(2 * 3_600_000);
    const step = await begin({ id_token_hint: idToken, post_logout_redirect_uri: RETURN, state: "s" });
    expect(step).toMatchObject({
      case: "confirm",
      value: {
        client: { clientUuid: clientId, redirectHost: "app.example" },
        postLogoutRedirectUri: RETURN,
        state: "s",
        email: "user@example.com",
        otherUser: false,
      },
    });
    expect(await isSignedIn()).toBe(true);
  });

  it("says that the hint is about another user than the one who has signed in", async () => {
    const { idToken } = await tokens();
    const other = await auth.signIn("other@example.com");
    const step = await begin({ id_token_hint: idToken }, other);
    expect(step).toMatchObject({ case: "confirm", value: { otherUser: true, email: "other@example.com" } });
  });

  it("asks also without a hint, or with a client_id only, and then returns to registered addresses only", async () => {
    expect(await begin({})).toMatchObject({ case: "confirm", value: { postLogoutRedirectUri: "" } });
    const named = await begin({ client_id: clientId, post_logout_redirect_uri: RETURN });
    expect(named).toMatchObject({ case: "confirm", value: { postLogoutRedirectUri: RETURN } });
  });

  it.each<[string, SentParameters]>([
    ["an unregistered address", { post_logout_redirect_uri: "https://evil.example/" }],
    ["a registered one with more", { post_logout_redirect_uri: `${RETURN}/` }],
    ["a registered one in other case", { post_logout_redirect_uri: "https://APP.example/signed-out" }],
    ["the redirect URI of sign-ins", { post_logout_redirect_uri: "https://app.example/callback" }],
    ["an address without a client", { client_id: [], post_logout_redirect_uri: RETURN }],
    ["a client that isn't known", { client_id: OTHER }],
    ["a client that is no UUID", { client_id: "portal" }],
    ["two addresses", { post_logout_redirect_uri: [RETURN, "https://evil.example/"] }],
    ["two clients", { client_id: [OTHER, OTHER] }],
    ["a state with a line break", { post_logout_redirect_uri: RETURN, state: "a\r\nb" }],
  ])("refuses %s, on a page without a way on (section 4)", async (_, change) => {
    for (const sessionToken of [session, ""]) {
      expect((await begin({ client_id: clientId, ...change }, sessionToken)).case).toBe("error");
    }
    expect(await isSignedIn()).toBe(true);
  });

  it("refuses a client_id that isn't the one of the ID token (section 2)", async () => {
    await auth.application({ uuid: OTHER, definition: RETURNS });
    const { idToken } = await tokens();
    const step = await begin({ id_token_hint: idToken, client_id: OTHER, post_logout_redirect_uri: RETURN });
    expect(step).toMatchObject({ case: "error", value: { error: "invalid_request" } });
  });

  it("refuses the address of another client than the hint's", async () => {
    const definition = sampleDefinition({
      security: sampleSecurity({ postLogoutRedirectUris: ["https://other.example/out"] }),
    });
    await auth.application({ uuid: OTHER, definition });
    const { idToken } = await tokens();
    const step = await begin({ id_token_hint: idToken, post_logout_redirect_uri: "https://other.example/out" });
    expect(step.case).toBe("error");
  });

  it("counts a hint that can't be verified as none: an access token, alg none, another issuer's", async () => {
    const { idToken, accessToken } = await tokens();
    const foreign = await authorizationClient();
    const others = await (await foreign.application({ definition: RETURNS })).tokens(await foreign.signIn(), {
      scope: "openid",
    });
    const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${idToken.split(".")[1]}.`;
    for (const hint of [accessToken, none, others.idToken, `${idToken}x`, "x"]) {
      expect(await begin({ id_token_hint: hint })).toMatchObject({ case: "confirm", value: { otherUser: false } });
      expect((await begin({ id_token_hint: hint, post_logout_redirect_uri: RETURN })).case).toBe("error");
    }
  });

  it("refuses a client that is disabled", async () => {
    const disabled = { ...application.client, status: "disabled" as const };
    await auth.context.database.write((transaction) => updateClient(transaction, disabled));
    expect((await begin({ client_id: clientId, post_logout_redirect_uri: RETURN })).case).toBe("error");
  });

  it("gives somebody who isn't signed in a link with the state, never a redirect", async () => {
    const { idToken } = await tokens();
    const sent = { id_token_hint: idToken, post_logout_redirect_uri: `${RETURN}?x=1`, state: "a b" };
    expect(await begin(sent, "")).toMatchObject({
      case: "signedOut",
      value: { returnUrl: `${RETURN}?x=1&state=a+b`, client: { name: "Portal" } },
    });
  });

  it("ends the session, and keeps tokens unless the user wants otherwise", async () => {
    const { accessToken } = await tokens();
    const done = await complete({ clientUuid: clientId, postLogoutRedirectUri: RETURN, state: "s" });
    expect(done).toMatchObject({ returnUrl: `${RETURN}?state=s`, tokensEnded: false });
    expect([await isSignedIn(), await application.isValid(accessToken)]).toEqual([false, true]);
  });

  it("ends the tokens and pending codes of the application alone, or of all", async () => {
    const other = await auth.application(sampleClient({ uuid: OTHER }));
    const [own, others] = [await tokens(), await other.tokens(session)];
    const pending = await application.code(session);
    expect(await complete({ clientUuid: clientId.toUpperCase(), endsClientTokens: true })).toMatchObject({
      tokensEnded: true,
      returnUrl: "",
    });
    expect([await application.isValid(own.accessToken), await other.isValid(others.accessToken)]).toEqual([
      false,
      true,
    ]);
    await expect(application.exchange(pending).then(tokensIn)).rejects.toThrow("invalid_grant");
    session = await auth.signIn();
    await complete({ endsAllTokens: true });
    expect(await other.isValid(others.accessToken)).toBe(false);
  });

  it("ends no tokens for a session that has ended", async () => {
    const { accessToken } = await tokens();
    await complete();
    expect(await complete({ endsAllTokens: true })).toMatchObject({ tokensEnded: false });
    expect(await application.isValid(accessToken)).toBe(true);
  });

  it("signs nobody out for an address that was removed meanwhile", async () => {
    const { definition, ...client } = application.client;
    const changed = { ...client, definition: sampleDefinition() };
    await auth.context.database.write((transaction) => updateClient(transaction, changed));
    const done = await complete({ clientUuid: clientId, postLogoutRedirectUri: RETURN });
    expect([done.error?.error, done.returnUrl, await isSignedIn()]).toEqual(["invalid_request", "", true]);
  });
});
