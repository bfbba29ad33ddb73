import { describe, expect, it } from "vitest";
import { natsConfig } from "../common/platform/bus/config.ts";
import { ConfigError, Env } from "../common/platform/config/env.ts";
import { logLevel } from "../common/platform/log/log.ts";
import { readKnownCallers } from "../common/platform/rpc/identity/caller-config.ts";
import { generateCallerKey } from "../common/platform/rpc/identity/caller-keys.ts";
import { tracingConfig } from "../common/platform/tracing/otlp/tracing-config.ts";
import { commitmentsUpstreamConfig, gatewayConfig } from "../gateway/config.ts";
import { statusPortConfig } from "../gateway/status-port.ts";
import { entitiesUpstreamConfig, authUpstreamConfig as gatewayAuth } from "../gateway/web/sessions/auth-config.ts";
import { readStablecoins } from "../gateway/web/sessions/stablecoins-config.ts";
import { authConfig } from "../services/auth/base/config.ts";
import { cliConfig } from "../services/cli/config.ts";
import {
  authUpstreamConfig as commitmentsAuth,
  commitmentsConfig,
  entitiesUpstreamConfig as commitmentsEntities,
} from "../services/commitments/config.ts";
import { embeddedConfig } from "../services/embedded/config.ts";
import { entitiesConfig } from "../services/entities/base/config.ts";
import { indexerConfig } from "../services/indexer/config.ts";
import { codeSpans, tableRows } from "../test/support/repository/markdown.ts";
import { readRepository } from "../test/support/repository/repository.ts";

type Variables = Readonly<Record<string, string>>;

/** Settings that the main files read. test/integration/configuration.test.ts starts the processes with wrong values of them. */
const SETTINGS_OF_MAIN = [
  "HOST",
  "ADMIN_PORT",
  "DRAIN_DELAY",
  "COMMITMENTS_PORT",
  "INDEXER_PORT",
  "AUTH_PORT",
  "ENTITIES_PORT",
  "APPLY_TIMEOUT",
  "DATA_DIR",
  "MAIL_DIR",
  "RPC_TLS_CERT",
  "RPC_TLS_KEY",
  "RPC_CA",
];

const key = generateCallerKey().text;
const nowhere = "http://127.0.0.1:1";
const caller = { COMMITMENTS_URL: nowhere, CALLER_NAME: "any", CALLER_KEY: key };
const callerKeys = { CALLER_KEYS: `operator=${key}` };
const nats = { NATS_URL: "nats://127.0.0.1:1" };
const mysql = { MYSQL_URL: "mysql://root@127.0.0.1:1/tidemark" };
const issuer = {
  CALLER_TOKEN_ISSUER: "https://issuer.example",
  CALLER_SUBJECTS: "gateway=system:gateway",
  CALLER_TOKEN_JWKS: '{"keys":[]}',
};
const issuerByUrl = { ...issuer, CALLER_TOKEN_JWKS: "", CALLER_TOKEN_JWKS_URL: "https://issuer.example/keys" };
const vendor = {
  IDENTITY_PROVIDER: "webhook",
  IDENTITY_START_URL: "https://vendor.example",
  IDENTITY_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
};
const otlp = { OTEL_EXPORTER_OTLP_ENDPOINT: nowhere };

interface Component {
  /** Reads all settings of the component, except those that its main file reads. */
  readonly read: (env: Env) => unknown;
  /** Valid settings. */
  readonly good: Variables;
  /** A wrong value for each variable. If a value is wrong only together with others, all of them. */
  readonly bad: Readonly<Record<string, string | Variables>>;
}

const COMPONENTS: Readonly<Record<string, Component>> = {
  commitments: {
    read: (env) => [
      commitmentsConfig(env),
      readKnownCallers(env),
      commitmentsAuth(env),
      commitmentsEntities(env),
      natsConfig(env),
      tracingConfig(env, "any"),
      logLevel(env),
    ],
    good: { ...callerKeys },
    bad: {
      LOG_LEVEL: "loud",
      CALLER_KEYS: "operator=short",
      CALLER_TOKEN_ISSUER: { CALLER_SUBJECTS: "gateway=system:gateway" },
      CALLER_SUBJECTS: { ...issuer, CALLER_SUBJECTS: "gateway" },
      CALLER_TOKEN_JWKS: { ...issuer, CALLER_TOKEN_JWKS: "keys" },
      CALLER_TOKEN_JWKS_URL: { ...issuerByUrl, CALLER_TOKEN_JWKS_URL: "http://issuer.example/keys" },
      CALLER_TOKEN_CA: { ...issuerByUrl, CALLER_TOKEN_CA: "no certificate" },
      CALLER_TOKEN_JWKS_BEARER: { ...issuer, CALLER_TOKEN_JWKS_BEARER: "token" },
      MYSQL_URL: "postgres://127.0.0.1/x",
      MYSQL_CA: "without MYSQL_URL",
      MYSQL_POOL_SIZE: { ...mysql, MYSQL_POOL_SIZE: "0" },
      MYSQL_ACQUIRE_TIMEOUT: { ...mysql, MYSQL_ACQUIRE_TIMEOUT: "1ms" },
      MYSQL_LOCK_WAIT: { ...mysql, MYSQL_LOCK_WAIT: "2m" },
      MYSQL_STATEMENT_TIMEOUT: { ...mysql, MYSQL_STATEMENT_TIMEOUT: "2h" },
      MIGRATIONS: "sometimes",
      APPLY_MAX_ROWS: "20001",
      RPC_MAX_REQUEST: "1KiB",
      WATCH_MAX_STREAMS: "0",
      EXPORT_MAX_STREAMS: "-1",
      EXPORT_MAX_TIME: "1ms",
      REQUEST_RETENTION: "1h",
      OUTBOX_RETENTION: "1m",
      WEBHOOK_RETENTION: "24h",
      WEBHOOK_TIMEOUT: "1m",
      WEBHOOK_DISABLE_AFTER: "1h",
      KEY_ENCRYPTION_KEY: "c2hvcnQ",
      KEY_ENCRYPTION_KEY_OTHER: "c2hvcnQ",
      OUTBOUND_LOOPBACK: "yes",
      OUTBOX_POLL_INTERVAL: "1ms",
      HISTORY_SECONDS_RETENTION: "1m",
      HISTORY_MINUTES_RETENTION: "1h",
      HISTORY_HOURS_RETENTION: "1h",
      EXPIRY_INTERVAL: "25h",
      NATS_URL: "http://127.0.0.1:1",
      NATS_CA: "without NATS_URL",
      NATS_CREDS: { ...nats, NATS_CREDS: "creds", NATS_TOKEN: "token" },
      NATS_USER: "without NATS_URL",
      NATS_PASSWORD: { ...nats, NATS_USER: "somebody" },
      NATS_TOKEN: "without NATS_URL",
      NATS_STREAM_MAX_BYTES: { ...nats, NATS_STREAM_MAX_BYTES: "1KiB" },
      NATS_STREAM_MAX_AGE: { ...nats, NATS_STREAM_MAX_AGE: "1m" },
      NATS_STREAM_REPLICAS: { ...nats, NATS_STREAM_REPLICAS: "6" },
      OTEL_EXPORTER_OTLP_ENDPOINT: "127.0.0.1:4318",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "ftp://127.0.0.1",
      OTEL_EXPORTER_OTLP_HEADERS: { ...otlp, OTEL_EXPORTER_OTLP_HEADERS: "name" },
      OTEL_EXPORTER_OTLP_PROTOCOL: { ...otlp, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      OTEL_EXPORTER_OTLP_TIMEOUT: { ...otlp, OTEL_EXPORTER_OTLP_TIMEOUT: "10s" },
      OTEL_TRACES_SAMPLER: { ...otlp, OTEL_TRACES_SAMPLER: "xray" },
      OTEL_TRACES_SAMPLER_ARG: { ...otlp, OTEL_TRACES_SAMPLER_ARG: "0.5" },
      OTEL_SERVICE_NAME: { ...otlp, OTEL_SERVICE_NAME: "two words" },
      OTEL_RESOURCE_ATTRIBUTES: { ...otlp, OTEL_RESOURCE_ATTRIBUTES: "name" },
      OTEL_SDK_DISABLED: { ...otlp, OTEL_SDK_DISABLED: "perhaps" },
      AUTH_URL: "https://without.auth.rpc.url",
      ENTITIES_URL: "127.0.0.1:8084",
    },
  },
  gateway: {
    read: (env) => [
      gatewayConfig(env),
      commitmentsUpstreamConfig(env),
      gatewayAuth(env),
      entitiesUpstreamConfig(env),
      readStablecoins(env),
      statusPortConfig(env),
    ],
    good: { ...caller },
    bad: {
      GATEWAY_PORT: "http",
      GATEWAY_RPC_PORT: { ...callerKeys, GATEWAY_RPC_PORT: "70000" },
      PUBLIC_PATH_PREFIX: "a/b",
      COMMITMENTS_URL: "http://127.0.0.1:1,https://127.0.0.1:2",
      CALLER_NAME: "Gateway",
      CALLER_KEY: "short",
      CALLER_TOKEN_DIR: { CALLER_TOKEN_DIR: "/nowhere" },
      COMMITMENTS_TIMEOUT: "1ms",
      COMMITMENTS_MAX_RESPONSE: "1KiB",
      AUTH_RPC_URL: "127.0.0.1:8083",
      AUTH_TIMEOUT: "10s",
      ENTITIES_URL: "http://127.0.0.1:8084",
      PUBLIC_BASE_URL: "https://sale.example/path",
      TRUSTED_PROXIES: "somewhere",
      STABLECOINS: "USDC",
      CACHE_MAX_STALE: "1ms",
      CACHE_MAX_AGE: { CACHE_MAX_AGE: "1s", CACHE_MAX_STALE: "2s" },
      CACHE_IDLE: "1ms",
      CACHE_MAX_BYTES: "1MiB",
      CACHE_MAX_SALES: "0",
      CACHE_MAX_LOADS: "0",
      NEGATIVE_CACHE_TTL: "1ms",
      NEGATIVE_CACHE_SIZE: "0",
      PUBLIC_READ_MAX_BODY: "1",
      POSITION_MAX_READS: "0",
      POSITION_MAX_PER_ADDRESS: "0",
      IDENTITY_CALLBACKS: { IDENTITY_CALLBACKS: "perhaps", AUTH_RPC_URL: nowhere, ENTITIES_URL: nowhere },
      HTTP_HEADERS_TIMEOUT: "1ms",
      HTTP_REQUEST_TIMEOUT: { HTTP_REQUEST_TIMEOUT: "1s", HTTP_HEADERS_TIMEOUT: "2s" },
      HTTP_KEEP_ALIVE: "1ms",
      HTTP_SOCKET_TIMEOUT: "1ms",
      HTTP_WRITE_TIMEOUT: "1ms",
      HTTP_MAX_HEADER_BYTES: "1KiB",
      HTTP_MAX_CONNECTIONS: "0",
      HTTP_MAX_PER_ADDRESS: "0",
      ACCESS_LOG: "2",
      ACCESS_LOG_SLOW: "0ms",
      STREAM_MAX: "-1",
      STREAM_MAX_PER_ADDRESS: "0",
      STREAM_MAX_BUFFER: "1KiB",
    },
  },
  indexer: {
    read: (env) => [indexerConfig(env), readKnownCallers(env)],
    good: { ...caller, ...callerKeys },
    bad: {
      CHAINS: '{"earth":{"kind":"flat"}}',
      SALES_INTERVAL: "1ms",
      LEASE_DURATION: "10m",
      MAX_CONCURRENT_READS: "0",
    },
  },
  auth: {
    read: (env) => authConfig(env),
    good: {
      ...caller,
      ...callerKeys,
      AUTH_URL: "https://auth.example",
      KEY_ENCRYPTION_KEY: key,
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "sale@example.com",
    },
    bad: {
      KEY_ENCRYPTION_KEY: "c2hvcnQ",
      KEY_ENCRYPTION_KEY_OTHER: "c2hvcnQ",
      KEY_ROTATION: "1m",
      ACCESS_TOKEN_TTL: "2h",
      ACCESS_TOKEN_AUDIENCE: "two words",
      FOUNDERS: "everybody",
      SMTP_URL: "http://127.0.0.1:1",
      MAIL_FROM: "nobody",
      AUTH_RATE_LIMITS: "few",
      AUDIT_RETENTION: "1h",
    },
  },
  entities: {
    read: (env) => entitiesConfig(env),
    good: { ...caller, ...callerKeys, AUTH_URL: "https://auth.example", KEY_ENCRYPTION_KEY: key },
    bad: {
      KEY_ENCRYPTION_KEY: "c2hvcnQ",
      KEY_ENCRYPTION_KEY_OTHER: "c2hvcnQ",
      OUTBOUND_LOOPBACK: "yes",
      PERMIT_SIGNER_URL: "127.0.0.1:8099",
      PERMIT_SIGNER_SECRET: "without PERMIT_SIGNER_URL",
      IDENTITY_PROVIDER: "nobody",
      REVIEWERS: "reviewer@example.com, nobody",
      REVIEW_CHECK_URL: "http://check.example/{entity}",
      APPROVAL_LIFETIME: "4000d",
      IDENTITY_PROTOCOL: { ...vendor, IDENTITY_PROTOCOL: "carrier-pigeon" },
      IDENTITY_START_URL: { ...vendor, IDENTITY_START_URL: "http://vendor.example" },
      IDENTITY_WEBHOOK_SECRET: { ...vendor, IDENTITY_WEBHOOK_SECRET: "whsec_c2hvcnQ=" },
    },
  },
  cli: {
    read: (env) => cliConfig(env),
    good: caller,
    bad: {
      INDEXER_URL: "127.0.0.1:8082",
      ENTITIES_URL: "127.0.0.1:8084",
      GATEWAY_RPC_URL: "127.0.0.1:8085",
      GATEWAY_CALLER_KEY: { GATEWAY_RPC_URL: "http://127.0.0.1:8085", GATEWAY_CALLER_KEY: "short" },
      CONNECT_RETRY: "60s",
    },
  },
  "npm start": {
    read: (env) => [embeddedConfig(env), natsConfig(env), tracingConfig(env, "any")],
    good: { DEMO: "off" },
    bad: {
      DEMO: "perhaps",
      DEMO_CHAIN: "perhaps",
      DEMO_CHAIN_PORT: "70000",
      DEMO_APP_PORT: "70000",
      MAIL_PAGE: "perhaps",
      MAIL_PAGE_PORT: "70000",
      DEMO_BID_INTERVAL: "1ms",
      OTEL_SDK_DISABLED: "perhaps",
      NATS_TOKEN: "without NATS_URL",
    },
  },
};

const rows = Object.entries(COMPONENTS).flatMap(([name, { read, good, bad }]) =>
  Object.entries(bad).map(([variable, value]) => {
    const wrong = typeof value === "string" ? { [variable]: value } : value;
    return [variable, name, read, { ...good, ...wrong }] as const;
  }),
);

it("every setting of docs/operating.md is tested with a wrong value", () => {
  const documented = tableRows(readRepository("docs/operating.md"), "variable").flatMap(([name = ""]) =>
    codeSpans(name),
  );
  const tried = [...new Set([...SETTINGS_OF_MAIN, ...rows.map(([variable]) => variable)])];
  expect(tried.toSorted()).toEqual(documented.toSorted());
});

describe.each(Object.entries(COMPONENTS))("%s", (_, { read, good }) => {
  it("accepts valid settings", () => {
    expect(() => read(new Env(good))).not.toThrow();
  });
});

/** Reads settings. @returns the error that rejects them @throws Error if they are accepted */
function rejection(read: (env: Env) => unknown, settings: Variables): ConfigError {
  try {
    read(new Env(settings));
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("the settings are accepted");
}

describe("a wrong, missing or contradictory", () => {
  it.each(rows)("%s of %s is rejected with one line that names it", (variable, _, read, settings) => {
    const { message } = rejection(read, settings);
    expect(message).toMatch(new RegExp(`^${variable}: (?:[\\w.]+: )?expected [^\\n]+$`));
    expect(message).not.toContain(key);
  });
});
