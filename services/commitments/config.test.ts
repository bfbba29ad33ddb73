import { describe, expect, it } from "vitest";
import { type ConfigError, Env } from "../../common/platform/config/env.ts";
import { authUpstreamConfig, commitmentsConfig, entitiesUpstreamConfig, indexerUpstreamConfig } from "./config.ts";

const configOf = (variables: Record<string, string> = {}) => commitmentsConfig(new Env(variables));
const HOUR = 3_600_000n;

describe("the configuration of the commitments service", () => {
  it("has defaults for everything", () => {
    expect(configOf()).toEqual({
      store: { sqliteFile: "data/commitments.sqlite" },
      migrateAtStart: true,
      applyMaxRows: 5_000,
      maxRequestBytes: 32 * 2 ** 20,
      retention: {
        requestsMillis: 24n * HOUR,
        outboxMillis: 72n * HOUR,
        webhooksMillis: 720n * HOUR,
        historyMillis: [HOUR, 168n * HOUR, 43_800n * HOUR],
      },
      exportMaxStreams: 4,
      exportMaxMs: 900_000,
      expiryIntervalMs: 600_000,
      outboxPollMs: 250,
      watchMaxStreams: 1_000,
      webhooks: {
        keyEncryptionKey: undefined,
        timeoutMs: 10_000,
        disableAfterMs: 432_000_000,
        outboundLoopback: false,
      },
    });
  });

  it("can't be changed", () => {
    expect(Object.isFrozen(configOf())).toBe(true);
  });

  it("takes MySQL where its URL is set, else a file in DATA_DIR", () => {
    expect(configOf({ DATA_DIR: "elsewhere" }).store).toEqual({ sqliteFile: "elsewhere/commitments.sqlite" });
    expect(configOf({ MYSQL_URL: "mysql://db/tidemark", DATA_DIR: "elsewhere" }).store).toMatchObject({
      mysql: { url: "mysql://db/tidemark" },
    });
  });

  it("leaves migrations to the operator with MIGRATIONS=off", () => {
    expect(configOf({ MIGRATIONS: "off" }).migrateAtStart).toBe(false);
  });

  it.each([
    ["MYSQL_URL", "postgres://db/tidemark"],
    ["MIGRATIONS", "never"],
    ["APPLY_MAX_ROWS", "0"],
    ["APPLY_MAX_ROWS", "20001"],
    ["RPC_MAX_REQUEST", "1023KiB"],
    ["REQUEST_RETENTION", "23h"],
    ["OUTBOX_RETENTION", "59m"],
    ["WEBHOOK_RETENTION", "47h"],
    ["KEY_ENCRYPTION_KEY", "c2hvcnQ"],
    ["HISTORY_SECONDS_RETENTION", "9m"],
    ["HISTORY_MINUTES_RETENTION", "5h"],
    ["HISTORY_HOURS_RETENTION", "23h"],
    ["EXPIRY_INTERVAL", "999ms"],
  ])("refuses %s=%s and names it", (variable, value) => {
    expect(() => configOf({ [variable]: value })).toThrow(expect.objectContaining({ variable }) as ConfigError);
  });
});

describe("the way to the auth service", () => {
  const key = Buffer.alloc(32, 7);
  const variables = {
    AUTH_RPC_URL: "http://auth:8083,http://auth2:8083",
    AUTH_URL: "https://auth.example",
    CALLER_NAME: "commitments",
    CALLER_KEY: key.toString("base64url"),
  };

  it("is none where it isn't set", () => {
    expect(authUpstreamConfig(new Env({}))).toBeUndefined();
  });

  it("has the address, the issuer and credentials for auth", () => {
    expect(authUpstreamConfig(new Env(variables))).toEqual({
      url: ["http://auth:8083/", "http://auth2:8083/"],
      issuer: "https://auth.example",
      caller: { name: "commitments", key, audience: "tidemark.auth" },
    });
  });

  it.each([
    ["the indexer", "INDEXER_URL", indexerUpstreamConfig],
    ["the entities service", "ENTITIES_URL", entitiesUpstreamConfig],
  ])("takes several of %s, too", (_, name, read) => {
    const env = new Env({ ...variables, [name]: "http://a:1, http://b:1" });
    expect(read(env)?.url).toEqual(["http://a:1/", "http://b:1/"]);
    expect(read(new Env(variables))).toBeUndefined();
  });

  it.each(["AUTH_URL", "CALLER_NAME", "CALLER_KEY"])("wants %s then", (variable) => {
    const env = new Env({ ...variables, [variable]: "" });
    expect(() => authUpstreamConfig(env)).toThrow(expect.objectContaining({ variable }) as ConfigError);
  });
});

it("leaves half of the database's connections to what isn't an export", () => {
  const streams = (env: Record<string, string>) =>
    commitmentsConfig(new Env({ MYSQL_URL: "mysql://root@127.0.0.1:3306/tidemark", ...env })).exportMaxStreams;
  expect(streams({})).toBe(4);
  expect(streams({ EXPORT_MAX_STREAMS: "100" })).toBe(5);
  expect(streams({ MYSQL_POOL_SIZE: "4" })).toBe(2);
  expect(streams({ MYSQL_POOL_SIZE: "1" })).toBe(1);
});
