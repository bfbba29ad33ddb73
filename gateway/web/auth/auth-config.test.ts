import { describe, expect, it } from "vitest";
import { Env } from "../../../services/shared/config/env.ts";
import { authSurfaceConfig, authUpstreamConfig } from "./auth-config.ts";

const AUTH_URL = "https://auth.example";

describe("authSurfaceConfig", () => {
  it("takes one origin for everything by default", () => {
    expect(authSurfaceConfig(new Env({ AUTH_URL }))).toMatchObject({ authUrl: AUTH_URL, publicBaseUrl: AUTH_URL });
    const PUBLIC_BASE_URL = "https://api.example/";
    expect(authSurfaceConfig(new Env({ AUTH_URL, PUBLIC_BASE_URL })).publicBaseUrl).toBe("https://api.example");
    expect(authSurfaceConfig(new Env({}), { authUrl: "http://localhost:8080" }).authUrl).toBe("http://localhost:8080");
  });

  it.each([
    ["AUTH_URL", {}],
    ["AUTH_URL", { AUTH_URL: "http://auth.example" }],
    ["AUTH_URL", { AUTH_URL: "https://auth.example/path" }],
    ["PUBLIC_BASE_URL", { AUTH_URL, PUBLIC_BASE_URL: "https://api.example/svc" }],
    ["TRUSTED_PROXIES", { AUTH_URL, TRUSTED_PROXIES: "somebody" }],
  ])("refuses a wrong %s: %j", (variable, variables) => {
    expect(() => authSurfaceConfig(new Env(variables))).toThrow(new RegExp(`^${variable}: `));
  });
});

describe("authUpstreamConfig", () => {
  it("is there where AUTH_RPC_URL is", () => {
    expect(authUpstreamConfig(new Env({}))).toBeUndefined();
    const variables = { AUTH_RPC_URL: "http://auth:8083", CALLER_NAME: "gateway", CALLER_KEY: "A".repeat(43) };
    expect(authUpstreamConfig(new Env(variables))).toMatchObject({
      url: "http://auth:8083/",
      caller: { name: "gateway", audience: "tidemark.auth" },
      timeoutMs: 10_000,
    });
  });
});
