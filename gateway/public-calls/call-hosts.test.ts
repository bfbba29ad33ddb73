import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startAuthGateway } from "../testing/auth-gateway.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { PublicCallsSite } from "../testing/public-calls-site.ts";
import { asUser, CALLS, CHECK, PURCHASE, sendCall } from "../testing/sample-calls.ts";
import { OPERATIONS, pathsOf } from "./operations.ts";

const ORIGIN = "https://app.example";

let site: PublicCallsSite;
beforeAll(async () => {
  site = await PublicCallsSite.start();
});
afterAll(() => site.stop());
beforeEach(() => site.reset());

const send = (path: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
  sendCall(site, path, body, headers);

describe("CORS", () => {
  it("lets pages of registered origins read answers and errors", async () => {
    for (const [headers, status] of [
      [asUser(site), 200],
      [{}, 401],
    ] as const) {
      const answer = await send(CHECK, PURCHASE, { ...headers, origin: ORIGIN });
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([status, ORIGIN]);
      expect(answer.headers.get("access-control-expose-headers")).toContain("Retry-After");
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      expect(answer.headers.get("vary")).toContain("Origin");
    }
    const other = await send(CHECK, PURCHASE, { ...asUser(site), origin: "https://other.example" });
    expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });

  it("answers the preflight of every path", async () => {
    for (const path of OPERATIONS.flatMap((operation) => pathsOf(operation, "svc"))) {
      const asked = { origin: ORIGIN, "access-control-request-method": "POST" };
      const answer = await fetch(site.gateway.origin + path, { method: "OPTIONS", headers: asked });
      expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
        204,
        {
          "access-control-allow-origin": ORIGIN,
          "access-control-allow-methods": "POST",
          "access-control-allow-headers": "authorization, content-type, dpop",
        },
      ]);
    }
  });
});

describe("with two hosts", () => {
  const PUBLIC = "api.sale.example";
  const AUTH = "sign-in.example";
  let both: PublicCallsSite;
  beforeAll(async () => {
    const hosts = { AUTH_URL: `https://${AUTH}`, PUBLIC_BASE_URL: `https://${PUBLIC}`, PUBLIC_PATH_PREFIX: "sonar" };
    both = await PublicCallsSite.start(hosts);
  });
  afterAll(() => both.stop());

  function ask(host: string, method: string, path: string, body = ""): Promise<{ status: number; location?: string }> {
    const headers = { host, ...asUser(both), "content-type": "application/json" };
    return new Promise((resolve, reject) => {
      request({ host: "127.0.0.1", port: both.gateway.port, method, path, headers }, (response) => {
        const { location } = response.headers;
        response
          .resume()
          .once("end", () => resolve({ status: response.statusCode ?? 0, ...(location && { location }) }));
      })
        .on("error", reject)
        .end(body);
    });
  }

  it("answers the calls on the public one only", async () => {
    for (const [segment, root, body] of CALLS) {
      for (const path of [`/sonar/v1/${segment}`, root]) {
        expect(await ask(PUBLIC, "POST", path, JSON.stringify(body))).toEqual({ status: 200 });
        expect(await ask(AUTH, "POST", path, JSON.stringify(body))).toEqual({ status: 404 });
      }
    }
    const refresh = JSON.stringify({ refresh_token: "r" });
    expect(await ask(PUBLIC, "POST", "/oauth.RefreshAccessToken", refresh)).toEqual({ status: 400 });
    expect(await ask(AUTH, "POST", "/oauth.RefreshAccessToken", refresh)).toEqual({ status: 404 });
  });

  it("leads the links of existing applications to pages, on the one for sign-in", async () => {
    for (const [path, location] of [
      [`/sonar/${SALE}`, "/account"],
      [`/sonar/${SALE.toUpperCase()}/home?from=app`, "/account"],
      ["/founder", "/dashboard"],
    ] as const) {
      expect(await ask(AUTH, "GET", path)).toEqual({ status: 303, location });
      expect(await ask(PUBLIC, "GET", path)).toEqual({ status: 404 });
    }
    expect(await ask(AUTH, "GET", "/sonar/other")).toEqual({ status: 404 });
  });

  it("leads founders to their account where there is no dashboard", async () => {
    const without = await startAuthGateway();
    const answer = await fetch(`${without.origin}/founder`, { redirect: "manual" });
    await without.stop();
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/account"]);
  });
});
