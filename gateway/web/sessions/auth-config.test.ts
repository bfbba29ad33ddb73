import { describe, expect, it } from "vitest";
import { Env } from "../../../common/platform/config/env.ts";
import { authSurfaceConfig, authUpstreamConfig, entitiesUpstreamConfig } from "./auth-config.ts";

const AUTH_URL = "https://auth.example";

describe("authSurfaceConfig", () => {
  it("takes one origin for everything by default", () => {
    expect(authSurfaceConfig(new Env({ AUTH_URL }))).toMatchObject({ authUrl: AUTH_URL, publicBaseUrl: AUTH_URL });
    const PUBLIC_BASE_URL = "https://api.example/";
    expect(authSurfaceConfig(new Env({ AUTH_URL, PUBLIC_BASE_URL })).publicBaseUrl).toBe("https://api.example");
    expect(authSurfaceConfig(new Env({}), { authUrl: "http://localhost:8080" }).authUrl).toBe("http://localhost:8080");
  });

  it("has stablecoins by chain, as addresses are compared; none by default", () => {
    const STABLECOINS = `{"base": ["0x${"Ab".repeat(20)}"]}`;
    const { stablecoins } = authSurfaceConfig(new Env({ AUTH_URL, STABLECOINS }));
    expect([...stablecoins]).toEqual([["base", [`0x${"ab".repeat(20)}`]]]);
    expect(authSurfaceConfig(new Env({ AUTH_URL })).stablecoins.size).toBe(0);
  });

  it.each([
    ["AUTH_URL", {}],
    ["AUTH_URL", { AUTH_URL: "http://auth.example" }],
    ["AUTH_URL", { AUTH_URL: "https://auth.example/path" }],
    ["PUBLIC_BASE_URL", { AUTH_URL, PUBLIC_BASE_URL: "https://api.example/svc" }],
    ["TRUSTED_PROXIES", { AUTH_URL, TRUSTED_PROXIES: "somebody" }],
    ["STABLECOINS", { AUTH_URL, STABLECOINS: "USDC" }],
    ["STABLECOINS", { AUTH_URL, STABLECOINS: "[]" }],
    ["STABLECOINS", { AUTH_URL, STABLECOINS: '{"Base": []}' }],
    ["STABLECOINS", { AUTH_URL, STABLECOINS: '{"base": ["USDC"]}' }],
    ["STABLECOINS", { AUTH_URL, STABLECOINS: '{"base": "0x"}' }],
  ])("refuses a wrong %s: %j", (variable, variables) => {
    expect(() => authSurfaceConfig(new Env(variables))).toThrow(new RegExp(`^${variable}: `));
  });
});

describe("authUpstreamConfig", () => {
  it("is there where AUTH_RPC_URL is", () => {
    expect(authUpstreamConfig(new Env({}))).toBeUndefined();
    const variables = {
      AUTH_RPC_URL: "http://auth:8083,http://auth2:8083",
      CALLER_NAME: "gateway",
      CALLER_KEY: "A".repeat(43),
    };
    expect(authUpstreamConfig(new Env(variables))).toMatchObject({
      url: ["http://auth:8083/", "http://auth2:8083/"],
      caller: { name: "gateway", audience: "tidemark.auth" },
      timeoutMs: 10_000,
    });
  });
});

describe("entitiesUpstreamConfig", () => {
  const caller = { CALLER_NAME: "gateway", CALLER_KEY: "A".repeat(43) };
  const ENTITIES_URL = "http://entities:8084,http://entities2:8084";

  it("is there where ENTITIES_URL is", () => {
    expect(entitiesUpstreamConfig(new Env(caller))).toBeUndefined();
    const variables = { AUTH_RPC_URL: "http://auth:8083", ENTITIES_URL, ...caller };
    expect(entitiesUpstreamConfig(new Env(variables))).toMatchObject({
      url: ["http://entities:8084/", "http://entities2:8084/"],
      caller: { name: "gateway", audience: "tidemark.entities" },
    });
  });

  it("is refused where nobody can sign in", () => {
    const read = () => entitiesUpstreamConfig(new Env({ ENTITIES_URL, ...caller }));
    expect(read).toThrow("ENTITIES_URL: expected only together with AUTH_RPC_URL, which is not set");
  });
});
