import { describe, expect, it } from "vitest";
import { beginSignIn, codeChallenge, exchangeCode, readCallback, refreshTokens, revokeToken } from "./sign-in.ts";
import { fakeFetch, json } from "./testing/fake-fetch.ts";

const APPLICATION = {
  issuer: "https://sign-in.example",
  clientId: "22222222-2222-4222-8222-222222222222",
  redirectUri: "https://app.example/oauth/callback",
};
const ATTEMPT = { state: "our state", codeVerifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" };

/** A callback's address, with these parameters in place of those of a success. */
function callback(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters = { code: "c", state: ATTEMPT.state, iss: APPLICATION.issuer, ...changes };
  const present = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${APPLICATION.redirectUri}?${new URLSearchParams(present)}`;
}

describe("beginSignIn", () => {
  it("makes a verifier with the challenge of RFC 7636, appendix B", async () => {
    expect(await codeChallenge(ATTEMPT.codeVerifier)).toBe("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  });

  it("leads to authorize with state and challenge, new ones each time", async () => {
    const { url, attempt } = await beginSignIn(APPLICATION, { scope: "read_entities contact_email", prompt: "none" });
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe("https://sign-in.example/oauth/authorize");
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: "code",
      client_id: APPLICATION.clientId,
      redirect_uri: APPLICATION.redirectUri,
      state: attempt.state,
      code_challenge: await codeChallenge(attempt.codeVerifier),
      code_challenge_method: "S256",
      scope: "read_entities contact_email",
      prompt: "none",
    });
    expect(attempt.codeVerifier).toMatch(/^[\w-]{43}$/);
    const { attempt: next } = await beginSignIn(APPLICATION);
    expect(new Set([attempt.state, attempt.codeVerifier, next.state, next.codeVerifier]).size).toBe(4);
  });
});

describe("readCallback", () => {
  it("returns the code, from an address, a URL or a query", () => {
    for (const answer of [callback(), new URL(callback()), new URL(callback()).search]) {
      expect(readCallback(APPLICATION, answer, ATTEMPT)).toBe("c");
    }
  });

  it.each([
    ["another state", callback({ state: "other" }), ATTEMPT],
    ["no state", callback({ state: undefined }), ATTEMPT],
    ["no attempt", callback({ state: undefined }), { state: "", codeVerifier: "" }],
    ["another issuer", callback({ iss: "https://evil.example" }), ATTEMPT],
    ["an issuer that begins alike", callback({ iss: `${APPLICATION.issuer}.evil.example` }), ATTEMPT],
    ["no issuer", callback({ iss: undefined }), ATTEMPT],
    ["an error of another issuer", callback({ iss: "https://evil.example", error: "access_denied" }), ATTEMPT],
    ["a code twice", `${callback()}&code=d`, ATTEMPT],
    ["no code", callback({ code: undefined }), ATTEMPT],
  ])("refuses a callback with %s", (_case, answer, attempt) => {
    expect(() => readCallback(APPLICATION, answer, attempt)).toThrow(
      expect.objectContaining({ name: "TidemarkError", code: "invalid_callback" }),
    );
  });

  it("throws the error that the user came back with", () => {
    const answer = callback({ code: undefined, error: "access_denied", error_description: "refused" });
    expect(() => readCallback(APPLICATION, answer, ATTEMPT)).toThrow(
      expect.objectContaining({ code: "access_denied", message: "refused", status: 0 }),
    );
  });
});

describe("the token calls", () => {
  it("send forms to the issuer", async () => {
    const { fetch, requests } = fakeFetch(json({ access_token: "a" }), json({ access_token: "b" }), new Response(""));
    const application = { ...APPLICATION, fetch };
    expect(await exchangeCode(application, "c", ATTEMPT)).toEqual({ access_token: "a" });
    expect(await refreshTokens(application, "r")).toEqual({ access_token: "b" });
    expect(await revokeToken(application, "r")).toBeUndefined();
    const sent = requests.map(({ url, body }) => [url, Object.fromEntries(new URLSearchParams(body))]);
    const client_id = APPLICATION.clientId;
    const exchange = { grant_type: "authorization_code", code: "c", code_verifier: ATTEMPT.codeVerifier };
    expect(sent).toEqual([
      ["https://sign-in.example/oauth/token", { ...exchange, redirect_uri: APPLICATION.redirectUri, client_id }],
      ["https://sign-in.example/oauth/token", { grant_type: "refresh_token", refresh_token: "r", client_id }],
      ["https://sign-in.example/oauth/revoke", { token: "r", client_id }],
    ]);
  });

  it("throw OAuth's errors", async () => {
    const { fetch } = fakeFetch(json({ error: "invalid_grant", error_description: "code is unknown" }, 400));
    await expect(exchangeCode({ ...APPLICATION, fetch }, "c", ATTEMPT)).rejects.toMatchObject({
      ...{ name: "TidemarkError", code: "invalid_grant", message: "code is unknown", status: 400, details: {} },
    });
  });
});
