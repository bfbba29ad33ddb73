import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { sampleClient } from "../../services/auth/testing/sample-application.ts";
import { type AuthGateway, authorizePath, CLIENT_ID, startAuthGateway } from "../testing/auth-gateway.ts";
import { exchange } from "../testing/raw-connection.ts";

let gateway: AuthGateway;
beforeAll(async () => {
  gateway = await startAuthGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.auth.faults.reset());

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
/** Documents and figures that are the same for everybody. */
const PUBLIC_PATHS = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
  "/.well-known/jwks.json",
  "/openapi.json",
  "/svc/v1/public/read-commitment-data",
  `/svc/v1/public/sales/${randomUUID()}/commitment-data`,
];

function post(path: string, body: string, headers: Record<string, string> = { "content-type": FORM }) {
  return fetch(gateway.origin + path, { method: "POST", body, headers });
}

describe("POST /oauth/token", () => {
  it("passes a form's parameters on as they were sent, and answers the tokens", async () => {
    const { code, codeVerifier } = await gateway.application.code(await gateway.auth.signIn());
    const form = new URLSearchParams({ grant_type: "authorization_code", code, code_verifier: codeVerifier });
    const answer = await post("/oauth/token", `${form}&empty=`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toStrictEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: "Bearer",
      expires_in: 900,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: "read_entities sale_eligibility_check contact_email",
    });
    expect(gateway.auth.faults.asked("IssueTokens")[0]).toMatchObject({
      parameters: [
        { name: "grant_type", value: "authorization_code" },
        { name: "code", value: code },
        { name: "code_verifier", value: codeVerifier },
        { name: "empty", value: "" },
      ],
      peer: { address: "127.0.0.1" },
    });
  });

  it("passes on what is doubled, and decodes what is encoded", async () => {
    await post("/oauth/token", "grant_type=authorization_code&code=a%2Bb&code=c+d");
    expect(gateway.auth.faults.asked("IssueTokens")[0]).toMatchObject({
      parameters: [
        { name: "grant_type", value: "authorization_code" },
        { name: "code", value: "a+b" },
        { name: "code", value: "c d" },
      ],
    });
  });

  it("takes JSON with the same names, and leaves the query alone", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    await post("/oauth/token?code=query", JSON.stringify({ grant_type: "refresh_token", refresh_token: "r" }), headers);
    expect(gateway.auth.faults.asked("IssueTokens")[0]).toMatchObject({
      parameters: [
        { name: "grant_type", value: "refresh_token" },
        { name: "refresh_token", value: "r" },
      ],
    });
  });

  it.each([
    ["no content type", "a=b", "", 415],
    ["another content type", "a=b", "text/plain", 415],
    ["no JSON", "{", JSON_TYPE, 400],
    ["a JSON array", "[]", JSON_TYPE, 400],
    ["a JSON number", '{"code":1}', JSON_TYPE, 400],
    ["a JSON name twice", '{"code":"a","\\u0063ode":"b"}', JSON_TYPE, 400],
    ["a JSON name twice, the first no string", '{"code":{},"code":"b"}', JSON_TYPE, 400],
    ["a lone surrogate", '{"code":"\\ud800"}', JSON_TYPE, 400],
    ["too many parameters", "a=b&".repeat(65), FORM, 400],
    ["a value that is too long", `a=${"x".repeat(8193)}`, FORM, 400],
    ["a body that is too large", `a=${"x".repeat(16_384)}`, FORM, 413],
  ])("refuses %s with invalid_request", async (_, body, contentType, status) => {
    const answer = await post("/oauth/token", body, { "content-type": contentType });
    expect([answer.status, await answer.json()]).toMatchObject([status, { error: "invalid_request" }]);
    expect(gateway.auth.faults.calls).toStrictEqual([]);
  });

  it("refuses a chunked body as soon as it is too large", async () => {
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 20; i++) controller.enqueue(new TextEncoder().encode("a".repeat(1024)));
        controller.close();
      },
    });
    const init = { method: "POST", body, headers: { "content-type": FORM }, duplex: "half" } as const;
    expect((await fetch(`${gateway.origin}/oauth/token`, init)).status).toBe(413);
  });

  it("answers the auth service's errors", async () => {
    const body = `grant_type=refresh_token&refresh_token=r&client_id=${CLIENT_ID}`;
    const answer = await post("/oauth/token", body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toStrictEqual({ error: "invalid_grant", error_description: expect.any(String) });
    for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/introspect"]) {
      const refused = await post(path, `${body.slice(0, -1)}0&token=t`);
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, null]);
    }
  });

  it("refuses a client secret, but not a stray bearer token", async () => {
    const answer = await post("/oauth/token", "a=b", { "content-type": FORM, authorization: "Basic eDp5" });
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: "invalid_client" }]);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
    expect((await post("/oauth/token", "a=b", { "content-type": FORM, authorization: "Bearer x" })).status).toBe(400);
  });

  it.each([
    [Code.ResourceExhausted, 429, "temporarily_unavailable", "7"],
    [Code.Unavailable, 503, "temporarily_unavailable", "1"],
    [Code.DeadlineExceeded, 503, "temporarily_unavailable", "1"],
    [Code.InvalidArgument, 400, "invalid_request", null],
    [Code.Internal, 500, "server_error", null],
    [Code.PermissionDenied, 500, "server_error", null],
  ])("answers a call that failed with code %s", async (code, status, error, retryAfter) => {
    gateway.auth.faults.failure = new ConnectError("inside", code, { "retry-after": "7" });
    const answer = await post("/oauth/token", "a=b");
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([status, { error }]);
    expect(answer.headers.get("retry-after")).toBe(retryAfter);
    expect(text).not.toContain("inside");
  });

  it("answers other methods with 405", async () => {
    const answer = await fetch(`${gateway.origin}/oauth/token`);
    expect([answer.status, answer.headers.get("allow")]).toStrictEqual([405, "POST, OPTIONS"]);
    expect(await answer.json()).toMatchObject({ error: "invalid_request" });
  });
});

describe("POST /oauth/par", () => {
  it("passes a form on, and answers 201 with a request_uri that nobody may store (RFC 9126 section 2.2)", async () => {
    const request = authorizePath().split("?")[1] ?? "";
    const answer = await post("/oauth/par", request);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([201, "no-store"]);
    expect(answer.headers.get("content-type")).toBe("application/json");
    const request_uri = expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/);
    expect(await answer.json()).toStrictEqual({ request_uri, expires_in: 60 });
    await post("/oauth/par", "client_id=c&scope=a+b&scope=");
    expect(gateway.auth.faults.asked("PushAuthorizationRequest")[0]).toMatchObject({
      parameters: [
        { name: "client_id", value: "c" },
        { name: "scope", value: "a b" },
        { name: "scope", value: "" },
      ],
      peer: { address: "127.0.0.1" },
    });
  });

  it.each([
    ["JSON", '{"client_id":"c"}', JSON_TYPE, 415],
    ["no content type", "a=b", "", 415],
    ["too many parameters", "a=b&".repeat(65), FORM, 400],
    ["a body that is too large", `a=${"x".repeat(16_384)}`, FORM, 413],
  ])("refuses %s with invalid_request", async (_, body, contentType, status) => {
    const answer = await post("/oauth/par", body, { "content-type": contentType });
    expect([answer.status, await answer.json()]).toMatchObject([status, { error: "invalid_request" }]);
    expect(gateway.auth.faults.calls).toStrictEqual([]);
  });

  it("refuses other methods, secrets, and clients that the auth service refuses", async () => {
    const get = await fetch(`${gateway.origin}/oauth/par`);
    expect([get.status, get.headers.get("allow")]).toStrictEqual([405, "POST, OPTIONS"]);
    const secret = await post("/oauth/par", "a=b", { "content-type": FORM, authorization: "Basic eDp5" });
    expect([secret.status, secret.headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Basic /)]);
    for (const [error, status, changes] of [
      ["invalid_client", 401, { client_id: "x" }],
      ["invalid_scope", 400, { scope: "other\t" }],
    ] as const) {
      const answer = await post("/oauth/par", authorizePath(changes).split("?")[1] ?? "");
      expect([answer.status, await answer.json()]).toEqual([status, { error, error_description: expect.any(String) }]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });
});

describe("POST /oauth/revoke", () => {
  it("answers nothing where it is done, and errors as they are", async () => {
    const done = await post("/oauth/revoke", "token=t");
    expect([done.status, await done.text()]).toStrictEqual([200, ""]);
    expect((await post("/oauth/revoke", "")).status).toBe(400);
  });
});

describe("/oauth/userinfo", () => {
  const get = (headers: Record<string, string> = {}) => fetch(`${gateway.origin}/oauth/userinfo`, { headers });

  it.each(["Bearer", "bearer"])("answers a token with %s", async (scheme) => {
    const { accessToken } = await gateway.application.tokens(await gateway.auth.signIn());
    const answer = await get({ authorization: `${scheme} ${accessToken}` });
    expect(await answer.json()).toStrictEqual({
      sub: expect.any(String),
      email: "alice@example.org",
      email_verified: true,
    });
    expect(gateway.auth.faults.asked("GetUserInfo")[0]).toMatchObject({ accessToken });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("leaves the address out that isn't shared, also for a POST", async () => {
    const session = await gateway.auth.signIn({ email: "bob@example.org" });
    const { accessToken } = await gateway.application.tokens(session, { scope: "read_entities" });
    const answer = await post("/oauth/userinfo", "", { authorization: `Bearer ${accessToken}` });
    expect(await answer.json()).toStrictEqual({ sub: expect.any(String) });
  });

  it.each([
    ["no token", {}, 401, 'Bearer realm="tidemark"'],
    ["another scheme", { authorization: "Basic eDp5" }, 401, 'Bearer realm="tidemark"'],
    ["a malformed header", { authorization: "Bearer a b" }, 400, 'Bearer realm="tidemark", error="invalid_request"'],
    [
      "a huge token",
      { authorization: `Bearer ${"x".repeat(8193)}` },
      401,
      'Bearer realm="tidemark", error="invalid_token"',
    ],
  ])("refuses %s", async (_, headers: Record<string, string>, status, challenge) => {
    const answer = await get(headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("www-authenticate")).toMatch(new RegExp(`^${challenge}(,|$)`));
    expect(await answer.json()).toMatchObject({ error: expect.any(String), error_description: expect.any(String) });
    expect(gateway.auth.faults.calls).toStrictEqual([]);
  });

  it("challenges for a token that is refused", async () => {
    const answer = await get({ authorization: "Bearer t" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token", error_description="');
  });

  it("answers 403 for a token whose user no longer grants enough (RFC 6750 section 3.1)", async () => {
    const error = { error: "insufficient_scope", errorDescription: "no longer" };
    gateway.auth.faults.answers.set("GetUserInfo", { result: { case: "error", value: error } });
    const answer = await get({ authorization: "Bearer t" });
    expect([answer.status, await answer.json()]).toMatchObject([403, { error: "insufficient_scope" }]);
    expect(answer.headers.get("www-authenticate")).toContain('Bearer realm="tidemark", error="insufficient_scope"');
  });
});

it.each([
  ["/oauth/token", "IssueTokens"],
  ["/oauth/par", "PushAuthorizationRequest"],
  ["/oauth/revoke", "RevokeToken"],
  ["/oauth/introspect", "IntrospectOwnToken"],
] as const)(
  "a request to %s doesn't come from where it says, without a proxy that is trusted (RFC 9700 section 4.13)",
  async (path, method) => {
    const forged = { "x-forwarded-for": "203.0.113.9", "x-real-ip": "203.0.113.9", forwarded: "for=203.0.113.9" };
    await post(path, "a=b", { "content-type": FORM, ...forged });
    expect(gateway.auth.faults.asked(method)[0]).toMatchObject({ peer: { address: "127.0.0.1" } });
  },
);

describe("CORS", () => {
  const ORIGIN = "https://app.example";

  it("lets registered origins read answers and errors, and asks for them once", async () => {
    for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/par"]) {
      const answer = await post(path, "a=b", { "content-type": FORM, origin: ORIGIN });
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toStrictEqual([400, ORIGIN]);
      expect(answer.headers.get("vary")).toBe("Origin");
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
    expect(gateway.auth.faults.asked("CheckOrigin")).toHaveLength(1);
  });

  it.each(["https://other.example", "null", "https://app.example:444", "http://app.example"])(
    "refuses %s",
    async (origin) => {
      const answer = await post("/oauth/token", "a=b", { "content-type": FORM, origin });
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toStrictEqual([400, null]);
      expect(answer.headers.get("vary")).toBe("Origin");
    },
  );

  it("doesn't even ask for what is no origin", async () => {
    for (const origin of [
      "https://caf\u00e9.example",
      "https://app.example/",
      "https://u@app.example",
      "ftp://app.example",
    ]) {
      await post("/oauth/token", "a=b", { "content-type": FORM, origin });
    }
    expect(gateway.auth.faults.asked("CheckOrigin")).toHaveLength(0);
  });

  it("answers preflights", async () => {
    const ask = (origin: string) =>
      fetch(`${gateway.origin}/oauth/userinfo`, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "GET" },
      });
    const allowed = await ask(ORIGIN);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(allowed.headers.get("access-control-allow-methods")).toBe("GET, POST");
    expect(allowed.headers.get("access-control-allow-headers")).toBe("authorization, content-type, dpop");
    expect((await ask("https://other.example")).headers.get("access-control-allow-origin")).toBeNull();
  });

  it.each(PUBLIC_PATHS)("lets any page ask for %s with any header, as scripts that trace requests do", async (path) => {
    const answer = await fetch(gateway.origin + path, {
      method: "OPTIONS",
      headers: {
        origin: "https://stranger.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization,traceparent,x-requested-with",
      },
    });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(answer.headers.get("access-control-allow-headers")).toBe("*, Authorization");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  });

  it("lets any page read the errors of a published document, too", async () => {
    const answer = await post("/.well-known/jwks.json", "a=b");
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([405, "*"]);
  });

  it("lets nobody in while origins can't be checked, but still answers", async () => {
    // What is known about an origin is kept for a while, so this one is asked for the first time.
    const origin = "https://another.example";
    const { definition } = sampleClient();
    const ids = { uuid: randomUUID(), saleUuid: randomUUID() };
    await gateway.auth.application({ ...ids, definition: { ...definition, redirectUris: [`${origin}/callback`] } });
    gateway.auth.faults.failure = new ConnectError("away", Code.Unavailable);
    const answer = await post("/oauth/token", "a=b", { "content-type": FORM, origin });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toStrictEqual([503, null]);
    gateway.auth.faults.failure = undefined;
    const again = await post("/oauth/token", "a=b", { "content-type": FORM, origin });
    expect(again.headers.get("access-control-allow-origin")).toBe(origin);
  });
});

describe("what is published", () => {
  it("has the endpoints at the issuer, whatever the Host", async () => {
    const answer = await fetch(`${gateway.origin}/.well-known/oauth-authorization-server`);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const metadata = await answer.json();
    expect(metadata).toMatchObject({
      issuer: "http://localhost:8080",
      token_endpoint: "http://localhost:8080/oauth/token",
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    });
    for (const [name, url] of Object.entries(metadata)) {
      if (!/_endpoint$|_uri$/.test(name)) continue;
      const path = String(url).replace("http://localhost:8080", gateway.origin);
      expect((await fetch(path, { redirect: "manual" })).status, name).not.toBe(404);
    }
  });

  it("has the keys, and keeps them while the auth service is away", async () => {
    const get = () => fetch(`${gateway.origin}/.well-known/jwks.json`);
    const { keys } = await (await get()).json();
    expect(keys).toContainEqual(expect.objectContaining({ alg: "ES256", kid: expect.any(String) }));
    gateway.auth.faults.failure = new ConnectError("away", Code.Unavailable);
    const answer = await get();
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toStrictEqual([200, "*"]);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
  });
});

describe("hosts", () => {
  const getFrom = ({ port }: AuthGateway, path: string, host: string) =>
    exchange(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const get = (path: string, host: string) => getFrom(gateway, path, host);
  const METADATA = "/.well-known/oauth-authorization-server";
  const SALE = "/svc/v1/public/sales/11111111-1111-4111-8111-111111111111/commitment-data";

  it("answers everything at any host where there is only one", async () => {
    expect(await get(METADATA, "anything.example")).toMatchObject([{ status: 200 }]);
  });

  it("answers each path at its own host where they differ", async () => {
    const settings = { AUTH_URL: "https://auth.example", PUBLIC_BASE_URL: "https://api.example" };
    const hosts = await startAuthGateway(settings);
    onTestFinished(() => hosts.stop());
    const get = (path: string, host: string) => getFrom(hosts, path, host);
    expect(await get(METADATA, "auth.example")).toMatchObject([{ status: 200 }]);
    expect(await get(METADATA, "api.example")).toMatchObject([{ status: 404 }]);
    expect((await get(SALE, "auth.example"))[0]?.body).toContain("nothing at this path");
    expect((await get(SALE, "api.example"))[0]?.body).not.toContain("nothing at this path");
  });

  it.each(["/oauth/%74oken", "/oauth/token/", "//oauth/token", "/OAuth/token", "/oauth/tokens"])(
    "knows nothing of %s",
    async (path) => {
      const [answer] = await get(path, "x");
      expect([answer?.status, JSON.parse(answer?.body ?? "")]).toMatchObject([404, { code: "not_found" }]);
    },
  );

  it("refuses a Host that is none", async () => {
    const [answer] = await get(METADATA, "a b@c/d");
    expect(answer?.status).toBe(400);
  });
});
