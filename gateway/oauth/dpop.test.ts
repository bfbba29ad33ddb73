import { request } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it } from "vitest";
import { testProver } from "../../common/platform/testing/test-prover.ts";
import { type FullGateway, harbourPortal, startFullGateway } from "../testing/auth-gateway.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const DPOP_NONCE = /^[\w-]{43,}$/;
const UUID = /^[0-9a-f-]{36}$/;

let gateway: FullGateway;
beforeEach(async () => {
  const settings = { PUBLIC_BASE_URL: "https://api.example", AUTH_URL: "https://auth.example" };
  gateway = await startFullGateway(settings);
  await harbourPortal(gateway.auth);
});
afterEach(() => gateway.stop());

const post = (path: string, headers: Readonly<Record<string, string>>, host = "auth.example") =>
  send(path, { ...FORM, ...headers, host });

/** Sends headers as they are, `host` and repeated ones included. */
function send(
  path: string,
  headers: Readonly<Record<string, string | string[]>>,
): Promise<{ readonly status: number | undefined; readonly headers: NodeJS.Dict<string | string[]> }> {
  return new Promise((resolve, reject) => {
    const options = { port: gateway.port, path, method: "POST", headers };
    const sent = request(options, (answer) => {
      answer.resume().once("end", () => resolve({ status: answer.statusCode, headers: answer.headers }));
    });
    sent.once("error", reject).end("{}");
  });
}

it.each([
  ["/oauth/token", "IssueTokens"],
  ["/oauth/par", "PushAuthorizationRequest"],
])("%s gives auth the proof with the configured URI, and the application a nonce", async (path, method) => {
  const answer = await post(path, { dpop: "p.r.f" });
  expect(answer.headers["dpop-nonce"]).toMatch(DPOP_NONCE);
  const dpop = { proof: "p.r.f", method: "POST", uri: `https://auth.example${path}` };
  expect(gateway.auth.faults.asked(method)[0]).toMatchObject({
    dpop: { ...dpop, requestId: expect.stringMatching(UUID) },
  });
});

it("userinfo has a proof for the scheme DPoP only", async () => {
  await post("/oauth/userinfo", { authorization: "dpop a.b.c", dpop: "p.r.f" });
  const uri = "https://auth.example/oauth/userinfo";
  expect(gateway.auth.faults.asked("GetUserInfo")[0]).toMatchObject({
    accessToken: "a.b.c",
    dpop: { proof: "p.r.f", uri },
  });
  await post("/oauth/userinfo", { authorization: "DPoP a.b.c" });
  expect(gateway.auth.faults.asked("GetUserInfo")[0]).toMatchObject({ dpop: { proof: "" } });
  await post("/oauth/userinfo", { authorization: "Bearer a.b.c", dpop: "p.r.f" });
  expect(gateway.auth.faults.asked("GetUserInfo")[0]).not.toHaveProperty("dpop");
});

it("calls for a user have the URI of their own host", async () => {
  const headers = { "content-type": "application/json", authorization: "DPoP access", dpop: "p.r.f" };
  gateway.entities.faults.answers.set("GetProfile", { email: "alice@example.org" });
  const answer = await send("/svc/v1/my-profile?a=b", { ...headers, host: "api.example" });
  const dpop = { proof: "p.r.f", method: "POST", uri: "https://api.example/svc/v1/my-profile" };
  expect(gateway.entities.faults.asked("GetProfile")).toMatchObject([{ access: { dpop } }]);
  expect([answer.status, answer.headers["dpop-nonce"]]).toEqual([200, expect.stringMatching(DPOP_NONCE)]);
});

it("several proofs stay several", async () => {
  await send("/oauth/token", { ...FORM, host: "auth.example", dpop: ["one", "two"] });
  expect(gateway.auth.faults.asked("IssueTokens")[0]).toMatchObject({ dpop: { proof: "one, two" } });
});

it("one nonce is asked for many proofs, and none without one", async () => {
  await post("/oauth/token", {});
  expect(gateway.auth.faults.asked("IssueTokens")[0]).not.toHaveProperty("dpop");
  expect(gateway.auth.faults.asked("GetDpopNonce")).toEqual([]);
  for (let round = 0; round < 3; round += 1) await post("/oauth/token", { dpop: "p.r.f" });
  expect(gateway.auth.faults.asked("GetDpopNonce")).toHaveLength(1);
});

it("an answer without a nonce is better than none", async () => {
  gateway.auth.faults.failures.set("GetDpopNonce", new ConnectError("away", Code.Unavailable));
  const answer = await post("/oauth/token", { dpop: "p.r.f" });
  expect([answer.status, answer.headers["dpop-nonce"]]).toEqual([400, undefined]);
});

it("a challenge is 400 at the token endpoint, 401 with its scheme at userinfo, and both have a nonce", async () => {
  const { prove } = await testProver();
  const htu = "https://auth.example/oauth/token";
  const withoutNonce = await prove({ htm: "POST", htu, iat: Math.floor(Date.now() / 1_000) });
  const token = await post("/oauth/token", { dpop: withoutNonce });
  expect([token.status, token.headers["dpop-nonce"]]).toEqual([400, expect.stringMatching(DPOP_NONCE)]);
  const error = { error: "use_dpop_nonce", errorDescription: "a nonce" };
  gateway.auth.faults.answers.set("GetUserInfo", { result: { case: "error", value: error } });
  const userInfo = await post("/oauth/userinfo", { authorization: "DPoP a.b.c", dpop: "p.r.f" });
  expect([userInfo.status, userInfo.headers["dpop-nonce"]]).toEqual([401, expect.stringMatching(DPOP_NONCE)]);
  expect(userInfo.headers["www-authenticate"]).toBe(
    'DPoP realm="tidemark", error="use_dpop_nonce", error_description="a nonce", algs="ES256 RS256 PS256 EdDSA Ed25519"',
  );
});

it.each(["/oauth.ExchangeAuthorizationCodeV2", "/oauth.RefreshAccessToken"])(
  "%s takes no proof, and says where to send it",
  async (path) => {
    const headers = { "content-type": "application/json", host: "api.example" };
    expect((await send(path, { ...headers, dpop: "p.r.f" })).status).toBe(400);
    expect(gateway.auth.faults.asked("IssueTokens")).toEqual([]);
  },
);

it("pages of registered origins may read nonces and challenges", async () => {
  const { headers } = await post("/oauth/token", { dpop: "p.r.f", origin: "https://app.example" });
  expect(headers["access-control-expose-headers"]).toBe("WWW-Authenticate, Retry-After, DPoP-Nonce");
});
