import { describe, expect, it } from "vitest";
import { ConfigError, Env } from "../config/env.ts";
import { natsConfig } from "./config.ts";

const configOf = (variables: Record<string, string>) => natsConfig(new Env(variables));

describe("the configuration of NATS", () => {
  it("is absent without a URL", () => {
    expect(configOf({})).toBeUndefined();
    expect(() => configOf({ NATS_USER: "u" })).toThrow(
      "NATS_USER: expected only together with NATS_URL, which is not set",
    );
  });

  it("has defaults for all but the servers", () => {
    expect(configOf({ NATS_URL: "nats://one, nats://two:5222" })).toEqual({
      servers: ["one:4222", "two:5222"],
      tls: false,
      credentials: { kind: "none" },
      stream: { maxBytes: 2 ** 30, maxAgeMs: 86_400_000, replicas: 1 },
    });
  });

  it("asks for TLS where a URL or an authority does", () => {
    expect(configOf({ NATS_URL: "tls://one" })?.tls).toBe(true);
    expect(configOf({ NATS_URL: "nats://one", NATS_CA: "PEM" })).toMatchObject({ tls: true, ca: "PEM" });
  });

  it.each([
    [{ NATS_CREDS: "file" }, { kind: "creds", creds: "file" }],
    [
      { NATS_USER: "me", NATS_PASSWORD: "secret" },
      { kind: "password", user: "me", password: "secret" },
    ],
    [{ NATS_TOKEN: "secret" }, { kind: "token", token: "secret" }],
  ])("takes credentials from %j", (variables, credentials) => {
    expect(configOf({ NATS_URL: "nats://one", ...variables })?.credentials).toEqual(credentials);
  });

  it.each<[string, Record<string, string>]>([
    ["NATS_URL", { NATS_URL: "http://one" }],
    ["NATS_URL", { NATS_URL: "one:4222" }],
    ["NATS_URL", { NATS_URL: "nats://one," }],
    ["NATS_URL", { NATS_URL: "nats://me:secret@one" }],
    ["NATS_URL", { NATS_URL: Array.from({ length: 17 }, () => "nats://one").join() }],
    ["NATS_CREDS", { NATS_URL: "nats://one", NATS_CREDS: "file", NATS_TOKEN: "secret" }],
    ["NATS_PASSWORD", { NATS_URL: "nats://one", NATS_USER: "me" }],
    ["NATS_PASSWORD", { NATS_URL: "nats://one", NATS_PASSWORD: "secret" }],
    ["NATS_STREAM_REPLICAS", { NATS_URL: "nats://one", NATS_STREAM_REPLICAS: "6" }],
  ])("names %s in an error, and no secret", (name, variables) => {
    expect(() => configOf(variables)).toThrow(ConfigError);
    expect(() => configOf(variables)).toThrow(name);
    expect(() => configOf(variables)).not.toThrow("secret");
  });
});
