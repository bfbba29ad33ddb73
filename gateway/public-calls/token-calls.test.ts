import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AuthGateway, startAuthGateway } from "../testing/auth-gateway.ts";

const EXCHANGE = "/oauth.ExchangeAuthorizationCodeV2";
const REFRESH = "/oauth.RefreshAccessToken";
const VERIFIER = "v".repeat(43);
const CODE = { code: "c", code_verifier: VERIFIER, redirect_uri: "https://app.example/callback" };
const TOKENS = {
  access_token: expect.any(String),
  refresh_token: expect.any(String),
  token_type: "Bearer",
  expires_in: 900,
};

let gateway: AuthGateway;
beforeAll(async () => {
  gateway = await startAuthGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.auth.faults.reset());

function send(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const all = { "content-type": "application/json", ...headers };
  return fetch(gateway.origin + path, { method: "POST", body: JSON.stringify(body), headers: all });
}

it("a code is exchanged without client and grant type", async () => {
  const { code, codeVerifier } = await gateway.application.code(await gateway.auth.signIn());
  const entered = { ...CODE, code, code_verifier: codeVerifier };
  const answer = await send(EXCHANGE, { ...entered, client_id: "ignored", grant_type: "refresh_token" });
  expect([answer.status, await answer.json()]).toStrictEqual([200, TOKENS]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(gateway.auth.faults.asked("IssueTokens")[0]).toMatchObject({
    parameters: [
      { name: "grant_type", value: "authorization_code" },
      { name: "code", value: code },
      { name: "code_verifier", value: codeVerifier },
      { name: "redirect_uri", value: CODE.redirect_uri },
    ],
    peer: { address: "127.0.0.1" },
  });
});

it("a refresh lets the token tell the client, which the token endpoint doesn't", async () => {
  const { refreshToken } = await gateway.application.tokens(await gateway.auth.signIn());
  const answer = await send(REFRESH, { refresh_token: refreshToken, scope: "ignored" });
  expect(await answer.json()).toStrictEqual(TOKENS);
  await send("/oauth/token", { grant_type: "refresh_token", refresh_token: refreshToken });
  const [standard, own] = gateway.auth.faults.asked("IssueTokens");
  const parameters = [
    { name: "grant_type", value: "refresh_token" },
    { name: "refresh_token", value: refreshToken },
  ];
  expect(own).toMatchObject({ clientOptional: true, parameters });
  expect(standard).toMatchObject({ clientOptional: false, parameters });
});

it.each([EXCHANGE, REFRESH])("%s ignores any authorization header, and never answers 401", async (path) => {
  for (const authorization of ["api:Bearer expired", "Bearer expired", "Basic eDp5", "nonsense"]) {
    gateway.auth.faults.answers.set("IssueTokens", { result: { case: "tokens", value: { accessToken: "access" } } });
    expect((await send(path, { ...CODE, refresh_token: "r" }, { authorization })).status).toBe(200);
  }
  for (const error of ["invalid_grant", "invalid_client", "invalid_request", "invalid_scope"]) {
    const value = { error, errorDescription: "refused" };
    gateway.auth.faults.answers.set("IssueTokens", { result: { case: "error", value } });
    const answer = await send(path, { ...CODE, refresh_token: "r" }, { authorization: "api:Bearer expired" });
    const body = { code: "invalid_argument", message: "refused", details: { error } };
    expect([answer.status, await answer.json()]).toStrictEqual([400, body]);
  }
});

describe("a request that is refused", () => {
  it.each([
    [EXCHANGE, {}, "code required"],
    [EXCHANGE, { ...CODE, code: "" }, "code string.min_len"],
    [EXCHANGE, { ...CODE, code_verifier: 1 }, "code_verifier string"],
    [EXCHANGE, { code: "c", code_verifier: VERIFIER }, "redirect_uri required"],
    [EXCHANGE, { ...CODE, code: "c".repeat(8193) }, "code string.max_len"],
    [REFRESH, {}, "refresh_token required"],
    [REFRESH, { refresh_token: null }, "refresh_token string"],
    [REFRESH, { refresh_token: "\udfff" }, "refresh_token string.well_formed"],
  ])("%s with %o names the field", async (path, body, violation) => {
    const answer = await send(path, body);
    const { code, details } = await answer.json();
    const { field, rule } = details.violations[0];
    expect([answer.status, code, `${field} ${rule}`]).toEqual([400, "invalid_argument", violation]);
  });

  it.each([
    [Code.ResourceExhausted, 429, "resource_exhausted", "60"],
    [Code.Unavailable, 503, "unavailable", "1"],
    [Code.DeadlineExceeded, 504, "deadline_exceeded", null],
    [Code.Internal, 500, "internal", null],
    [Code.Unauthenticated, 500, "internal", null],
  ])("because of code %s has status %s", async (failure, status, code, retryAfter) => {
    gateway.auth.faults.failure = new ConnectError("inside", failure);
    const answer = await send(REFRESH, { refresh_token: "r" });
    const text = await answer.text();
    expect([answer.status, JSON.parse(text).code, answer.headers.get("retry-after")]).toEqual([
      status,
      code,
      retryAfter,
    ]);
    expect(text).not.toContain("inside");
  });

  it("can be read by pages of registered origins", async () => {
    const answer = await send(REFRESH, {}, { origin: "https://app.example" });
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example");
  });
});
