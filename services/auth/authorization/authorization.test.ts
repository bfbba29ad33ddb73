import { beforeEach, describe, expect, it } from "vitest";
import { ErrorReason } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { updateClient } from "../applications/applications-store.ts";
import { type Application, answerOf, newToken } from "../testing/application.ts";
import { type AuthorizationClient, signedInUser } from "../testing/authorization-client.ts";
import { LOOPBACK_CLIENT, sampleClient, sampleDefinition } from "../testing/sample-application.ts";
import { ISSUER } from "../testing/test-auth-config.ts";

const CALLBACK = "https://app.example/callback";
const ALL = ["read_entities", "sale_eligibility_check", "contact_email"];
describe("an authorization", () => {
  let auth: AuthorizationClient;
  let application: Application;
  let session: string;
  beforeEach(async () => {
    ({ auth, application, session } = await signedInUser());
  });

  /** The only row of its table; undefined if there is none. */
  const consent = () => auth.context.database.query.selectFrom("consent").selectAll().executeTakeFirst();
  /** The names in alphabetical order. */
  const events = async () => {
    const rows = await auth.context.database.query.selectFrom("audit").select("event").execute();
    return rows
      .map(({ event }) => event)
      .filter((event) => event !== "account.created")
      .toSorted();
  };

  describe("where nobody has signed in", () => {
    it("names the client, signs the user in, and goes on in the same browser", async () => {
      const attempt = await application.begin("");
      expect(attempt.step).toMatchObject({
        case: "signIn",
        value: { client: { name: "Portal", saleName: "Sale", redirectHost: "app.example", loopbackRedirect: false } },
      });
      expect(await application.continue(attempt, session)).toMatchObject({ case: "consent" });
      expect(await application.continue(attempt, "no session")).toMatchObject({ case: "signIn" });
    });

    it("shows an error on a page with a link to go on (RFC 9700 section 4.11.2)", async () => {
      const { step } = await application.begin("", { response_type: "token" });
      expect(step).toMatchObject({
        case: "error",
        value: {
          reason: ErrorReason.REFUSED,
          error: { error: "unsupported_response_type" },
          client: { name: "Portal", redirectHost: "app.example" },
        },
      });
      const url = new URL(step.case === "error" ? step.value.redirectUrl : "");
      expect(`${url.origin}${url.pathname}`).toBe(CALLBACK);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({ error: "unsupported_response_type", iss: ISSUER });
    });

    it("redirects with prompt=none, for an error too", async () => {
      const silent = await application.begin("", { prompt: "none" });
      expect(answerOf(silent.step).get("error")).toBe("login_required");
      const wrong = await application.begin("", { prompt: "none", response_type: "token" });
      expect(answerOf(wrong.step).get("error")).toBe("unsupported_response_type");
    });
  });

  describe("by somebody who has signed in", () => {
    it("is redirected with an error, state and issuer", async () => {
      const { step } = await application.begin(session, { scope: "read\tentities" });
      expect(Object.fromEntries(answerOf(step))).toEqual({
        error: "invalid_scope",
        error_description: expect.stringMatching(/^scope must/),
        state: "a state",
        iss: ISSUER,
      });
    });

    it("never repeats a state that can't be trusted", async () => {
      for (const state of ["a\nb", "s".repeat(2_001), ["a", "b"]]) {
        const { step } = await application.begin(session, { state });
        expect([answerOf(step).get("error"), answerOf(step).get("state")]).toEqual(["invalid_request", null]);
      }
    });

    it.each([
      ["no client", { client_id: [] }, "invalid_request"],
      ["an unknown client", { client_id: "99999999-2222-4222-8222-222222222222" }, "invalid_client"],
      ["a doubled client", { client_id: [sampleClient().uuid, sampleClient().uuid] }, "invalid_request"],
      ["another redirect URI", { redirect_uri: "https://evil.example/callback" }, "invalid_request"],
      ["a doubled redirect URI", { redirect_uri: [CALLBACK, CALLBACK] }, "invalid_request"],
    ])("gets a page without a link with %s, also with prompt=none", async (_, changes, error) => {
      for (const prompt of [[], "none"]) {
        const { step } = await application.begin(session, { ...changes, prompt });
        expect(step).toMatchObject({
          case: "error",
          value: { reason: ErrorReason.UNTRUSTED, error: { error }, redirectUrl: "" },
        });
      }
    });

    it("gets a page without a link for a disabled client", async () => {
      await auth.context.database.write((transaction) =>
        updateClient(transaction, sampleClient({ status: "disabled" })),
      );
      const { step } = await application.begin(session);
      expect(step).toMatchObject({
        case: "error",
        value: { error: { error: "unauthorized_client" }, redirectUrl: "" },
      });
    });

    it("is asked once only", async () => {
      const attempt = await application.begin(session);
      expect(attempt.step).toMatchObject({ case: "consent", value: { email: "user@example.com" } });
      const answer = answerOf(await application.decide(attempt, session));
      expect(Object.fromEntries(answer)).toEqual({
        code: expect.stringMatching(/^[\w-]{43}$/),
        state: "a state",
        iss: ISSUER,
      });
      expect(await events()).toEqual(["code.issued", "consent.granted"]);
      const again = await application.begin(session, { prompt: "none" });
      expect(answerOf(again.step).has("code")).toBe(true);
    });

    it("remembers declined scopes, and asks again only if it must", async () => {
      const attempt = await application.begin(session);
      await application.decide(attempt, session, { scopes: ["read_entities", "sale_eligibility_check"] });
      expect(await consent()).toMatchObject({ declined: "contact_email" });
      expect((await application.begin(session)).step.case).toBe("redirect");
      const requested = await application.begin(session, { prompt: "consent" });
      expect(requested.step).toMatchObject({
        value: {
          scopes: [
            { scope: "read_entities", required: true, granted: true },
            { scope: "sale_eligibility_check", required: true, granted: true },
            { scope: "contact_email", required: false, granted: false },
          ],
        },
      });
    });

    it("gets consent_required with prompt=none if nothing was decided", async () => {
      const { step } = await application.begin(session, { prompt: "none" });
      expect(answerOf(step).get("error")).toBe("consent_required");
    });

    it("signs in again with prompt=login, and is asked only once", async () => {
      await application.tokens(session);
      auth.context.time.advance(1_000);
      const attempt = await application.begin(session, { prompt: "login" });
      expect(attempt.step.case).toBe("signIn");
      expect(await application.continue(attempt, session)).toMatchObject({ case: "signIn" });
      auth.context.time.advance(1_000);
      const fresh = await auth.signIn();
      expect(await application.continue(attempt, fresh)).toMatchObject({ case: "redirect" });
    });
  });

  describe("to a loopback URI", () => {
    it("always asks, on any port, and allows the redirect", async () => {
      const native = await auth.application(LOOPBACK_CLIENT);
      const redirect_uri = "http://127.0.0.1:49152/callback";
      for (const _ of [1, 2]) {
        const attempt = await native.begin(session, { redirect_uri });
        expect(attempt.step).toMatchObject({
          case: "consent",
          value: { client: { redirectHost: "127.0.0.1:49152", loopbackRedirect: true, testTenancy: true } },
        });
        const step = await native.decide(attempt, session);
        expect(step).toMatchObject({ case: "redirect", value: { url: expect.stringContaining(redirect_uri) } });
      }
      const { step } = await native.begin(session, { redirect_uri, prompt: "none" });
      expect(answerOf(step).get("error")).toBe("consent_required");
    });
  });

  describe("the answer to the consent page", () => {
    it("of another browser is refused", async () => {
      const attempt = { ...(await application.begin(session)), browserToken: newToken() };
      for (const step of [await application.decide(attempt, session), await application.continue(attempt, session)]) {
        expect(step).toMatchObject({ case: "error", value: { reason: ErrorReason.OTHER_BROWSER, redirectUrl: "" } });
      }
      expect(await consent()).toBeUndefined();
    });

    it("is accepted once: a browser that goes back gets a link to go on", async () => {
      const attempt = await application.begin(session);
      await application.decide(attempt, session);
      for (const step of [
        await application.decide(attempt, session),
        await application.decide(attempt, session, { approve: false }),
        await application.continue(attempt, session),
      ]) {
        expect(step).toMatchObject({
          case: "error",
          value: {
            reason: ErrorReason.ANSWERED,
            redirectUrl: expect.stringMatching(/^https:\/\/app\.example\/callback\?/),
          },
        });
      }
      expect(await events()).toEqual(["code.issued", "consent.granted"]);
    });

    it("is separate in each of two tabs", async () => {
      const [one, two] = [await application.begin(session), await application.begin(session)];
      const codes = [await application.decide(one, session), await application.decide(two, session)].map((step) =>
        answerOf(step).get("code"),
      );
      expect(new Set(codes).size).toBe(2);
    });

    it("is refused after 30 minutes", async () => {
      const attempt = await application.begin(session);
      auth.context.time.advance(30 * 60_000);
      for (const step of [await application.decide(attempt, session), await application.continue(attempt, session)]) {
        expect(step).toMatchObject({
          case: "error",
          value: { reason: ErrorReason.EXPIRED, client: { name: "Portal", redirectHost: "app.example" } },
        });
        const { redirectUrl } = step.value as { readonly redirectUrl: string };
        const back = Object.fromEntries(new URL(redirectUrl).searchParams);
        expect(back).toMatchObject({ error: "access_denied", state: "a state", iss: expect.any(String) });
      }
      const stranger = await application.continue({ ...attempt, browserToken: newToken() }, session);
      expect(stranger).toMatchObject({ value: { reason: ErrorReason.OTHER_BROWSER, redirectUrl: "" } });
    });

    it("is access_denied for a cancel, also after the session has ended", async () => {
      for (const sessionToken of [session, ""]) {
        const attempt = await application.begin(session);
        const step = await application.decide(attempt, sessionToken, { approve: false });
        expect([answerOf(step).get("error"), answerOf(step).get("state")]).toEqual(["access_denied", "a state"]);
      }
      expect(await consent()).toBeUndefined();
      // Nobody who has signed in has refused the second one: strangers can begin and cancel as often as they like.
      expect(await events()).toEqual(["consent.denied"]);
    });

    it("needs a sign-in first without a session", async () => {
      const attempt = await application.begin(session);
      expect(await application.decide(attempt, "")).toMatchObject({ case: "signIn" });
    });

    it("from another account than the page has asked shows the page again", async () => {
      const attempt = await application.begin(session);
      const other = await auth.signIn("other@example.com");
      await application.tokens(other);
      const step = await application.decide(attempt, other);
      expect(step).toMatchObject({ case: "consent", value: { email: "other@example.com" } });
    });

    it.each([
      ["a required scope is missing", ["read_entities", "contact_email"]],
      ["a scope isn't asked for", [...ALL, "admin"]],
    ])("is refused where %s, and the page stays usable", async (_, scopes) => {
      const attempt = await application.begin(session);
      await expect(application.decide(attempt, session, { scopes })).rejects.toThrow(/scopes: must/);
      expect(answerOf(await application.decide(attempt, session)).has("code")).toBe(true);
    });

    it("gets no link if the client has changed its redirect URI since", async () => {
      const attempt = await application.begin(session);
      const definition = sampleDefinition({ redirectUris: ["https://app.example/new"] });
      await auth.context.database.write((transaction) => updateClient(transaction, sampleClient({ definition })));
      const step = await application.decide(attempt, session);
      expect(step).toMatchObject({ case: "error", value: { reason: ErrorReason.UNTRUSTED, redirectUrl: "" } });
    });

    it("is access_denied if it grants nothing", async () => {
      const definition = sampleDefinition({ scopes: [{ scope: "contact_email", required: false }] });
      const optional = await auth.application({ uuid: "33333333-2222-4222-8222-222222222222", definition });
      const attempt = await optional.begin(session);
      const step = await optional.decide(attempt, session, { scopes: [] });
      expect(answerOf(step).get("error")).toBe("access_denied");
      expect(await consent()).toBeUndefined();
    });
  });
});
