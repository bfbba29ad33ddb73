import { describe, expect, it } from "vitest";
import { type ConfigError, Env } from "../services/shared/config/env.ts";
import { generateCallerKey } from "../services/shared/rpc/callers.ts";
import { commitmentsUpstreamConfig, gatewayConfig } from "./config.ts";

const config = (variables: Record<string, string> = {}) => gatewayConfig(new Env(variables));

describe("gatewayConfig", () => {
  it("listens on the loopback by default, under the prefix svc, and is frozen", () => {
    expect(config()).toMatchObject({ host: "127.0.0.1", port: 8080, publicPathPrefix: "svc", maxRequestBytes: 16_384 });
    expect(config().cache).toMatchObject({ maxStaleMs: 1000, maxAgeMs: 60_000, maxBytes: 268_435_456 });
    expect(Object.isFrozen(config()) && Object.isFrozen(config().cache) && Object.isFrozen(config().http)).toBe(true);
  });

  it.each([
    ["PUBLIC_PATH_PREFIX", "a/b"],
    ["PUBLIC_PATH_PREFIX", ".."],
    ["PUBLIC_PATH_PREFIX", "a b"],
    ["PUBLIC_PATH_PREFIX", "%61"],
    ["GATEWAY_PORT", "65536"],
    ["CACHE_MAX_STALE", "10ms"],
    ["CACHE_MAX_BYTES", "1MiB"],
    ["PUBLIC_READ_MAX_BODY", "1"],
    ["HTTP_MAX_CONNECTIONS", "0"],
  ])("refuses %s=%s and names it", (name, value) => {
    expect(() => config({ [name]: value })).toThrow(expect.objectContaining({ variable: name }) as ConfigError);
  });

  it("refuses bounds that contradict each other", () => {
    expect(() => config({ CACHE_MAX_AGE: "1s", CACHE_MAX_STALE: "2s" })).toThrow(/^CACHE_MAX_AGE: /);
    expect(() => config({ HTTP_HEADERS_TIMEOUT: "20s" })).toThrow(/^HTTP_REQUEST_TIMEOUT: /);
  });
});

describe("commitmentsUpstreamConfig", () => {
  const complete = { COMMITMENTS_URL: "http://c:1", CALLER_NAME: "gateway", CALLER_KEY: generateCallerKey().text };

  it("wants an address, a name and a key", () => {
    expect(commitmentsUpstreamConfig(new Env(complete))).toMatchObject({
      url: "http://c:1/",
      caller: { name: "gateway", audience: "tidemark.commitments" },
    });
    for (const name of Object.keys(complete)) {
      expect(() => commitmentsUpstreamConfig(new Env({ ...complete, [name]: "" }))).toThrow(
        expect.objectContaining({ variable: name }) as ConfigError,
      );
    }
  });
});
