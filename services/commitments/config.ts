import { join } from "node:path";
import { checkDependentSettings } from "../../common/platform/config/dependent-settings.ts";
import type { Env } from "../../common/platform/config/env.ts";
import { issuerOf } from "../../common/platform/config/issuer.ts";
import { type MysqlOptions, mysqlOptions } from "../../common/platform/db/mysql/mysql-options.ts";
import { AUTH_AUDIENCE, ENTITIES_AUDIENCE, INDEXER_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { type CallerProof, readCallerProof } from "../../common/platform/rpc/identity/caller-keys.ts";
import { readRpcCa } from "../../common/platform/rpc/identity/rpc-tls.ts";
import type { Retention } from "./base/expiry.ts";
import { type WebhookConfig, webhookConfig } from "./webhooks/sending/webhook-config.ts";

/** The database of the commitments: MySQL, or an SQLite file. */
export type StoreConfig = { readonly mysql: MysqlOptions } | { readonly sqliteFile: string };

/** Settings of the commitments service, embedded or in its own process. */
export interface CommitmentsConfig {
  /** `MYSQL_URL` and the settings beside it; without it, `commitments.sqlite` in `DATA_DIR` (`data`). */
  readonly store: StoreConfig;
  /** `MIGRATIONS`: `start` brings the schema up to date at each start; `off` leaves that to `--migrate`. */
  readonly migrateAtStart: boolean;
  /** `APPLY_MAX_ROWS`, 5,000: upserts and removals in one `ApplyCommitments`. */
  readonly applyMaxRows: number;
  /** `RPC_MAX_REQUEST`, 32 MiB: one request message. */
  readonly maxRequestBytes: number;
  readonly retention: Retention;
  /**
   * `OUTBOX_POLL_INTERVAL`, 250 ms: the time between two reads of the outbox when nothing wakes the relay, up to three seconds while it finds
   * nothing; or two tries to take its lease.
   */
  readonly outboxPollMs: number;
  /** `WATCH_MAX_STREAMS`, 1,000: concurrent `WatchCommitmentData` calls. */
  readonly watchMaxStreams: number;
  /** `EXPORT_MAX_STREAMS`, 4: concurrent `ExportCommitments` calls. Each holds a connection: half of `MYSQL_POOL_SIZE` at most. */
  readonly exportMaxStreams: number;
  /** `EXPORT_MAX_TIME`, 15 min: the longest export. In milliseconds. */
  readonly exportMaxMs: number;
  /** `EXPIRY_INTERVAL`, 10 min: the time between two deletions of expired rows. In milliseconds. */
  readonly expiryIntervalMs: number;
  readonly webhooks: WebhookConfig;
}

/** @throws ConfigError naming the variable. */
export function commitmentsConfig(env: Env): CommitmentsConfig {
  const mysql = mysqlOptions(env);
  return Object.freeze({
    store: mysql === undefined ? { sqliteFile: join(env.string("DATA_DIR", "data"), "commitments.sqlite") } : { mysql },
    migrateAtStart: env.choice("MIGRATIONS", ["start", "off"], "start") === "start",
    applyMaxRows: env.integer("APPLY_MAX_ROWS", { default: 5_000, min: 1, max: 20_000 }),
    maxRequestBytes: env.bytes("RPC_MAX_REQUEST", { default: "32MiB", min: "1MiB", max: "256MiB" }),
    retention: retention(env),
    outboxPollMs: env.duration("OUTBOX_POLL_INTERVAL", { default: "250ms", min: "10ms", max: "60s" }),
    watchMaxStreams: env.integer("WATCH_MAX_STREAMS", { default: 1_000, min: 1, max: 100_000 }),
    exportMaxStreams: exportMaxStreams(env, mysql?.poolSize),
    exportMaxMs: env.duration("EXPORT_MAX_TIME", { default: "15m", min: "1s", max: "55m" }),
    expiryIntervalMs: env.duration("EXPIRY_INTERVAL", { default: "10m", min: "1s", max: "24h" }),
    webhooks: webhookConfig(env),
  });
}

/** Limits exports to half of the database's connections: they last long, and everything else needs the others. */
function exportMaxStreams(env: Env, poolSize: number | undefined): number {
  const chosen = env.integer("EXPORT_MAX_STREAMS", { default: 4, min: 1, max: 100 });
  return poolSize === undefined ? chosen : Math.max(1, Math.min(chosen, Math.floor(poolSize / 2)));
}

function retention(env: Env): Retention {
  const kept = (name: string, standard: string, min: string) =>
    BigInt(env.duration(name, { default: standard, min, max: "100000h" }));
  return {
    requestsMillis: kept("REQUEST_RETENTION", "24h", "24h"),
    outboxMillis: kept("OUTBOX_RETENTION", "72h", "1h"),
    // Above the day for which a delivery is attempted.
    webhooksMillis: kept("WEBHOOK_RETENTION", "720h", "48h"),
    historyMillis: [
      kept("HISTORY_SECONDS_RETENTION", "1h", "10m"),
      kept("HISTORY_MINUTES_RETENTION", "168h", "6h"),
      kept("HISTORY_HOURS_RETENTION", "43800h", "24h"),
    ],
  };
}

/** Settings for calls to the auth service. */
export interface AuthUpstreamConfig {
  /** `AUTH_RPC_URL`, `INDEXER_URL` or `ENTITIES_URL`: its processes. */
  readonly url: readonly string[];
  /** `CALLER_NAME` and `CALLER_KEY`. */
  readonly caller: CallerProof;
  /** `RPC_CA`: the certificate authorities that may have issued its certificate. */
  readonly ca: string | undefined;
  /** `AUTH_URL`: the issuer of actor tokens. */
  readonly issuer: string;
}

/** Settings for calls to the indexer. */
export type IndexerUpstreamConfig = Omit<AuthUpstreamConfig, "issuer">;

/** Reads the settings; undefined without `INDEXER_URL`, when contracts aren't checked. @throws ConfigError */
export function indexerUpstreamConfig(env: Env): IndexerUpstreamConfig | undefined {
  const url = env.optionalUrls("INDEXER_URL", { protocols: ["http:", "https:"] });
  if (url === undefined) return undefined;
  return { url, caller: readCallerProof(env, INDEXER_AUDIENCE), ca: readRpcCa(env) };
}

/** Settings for calls to the entities service. */
export type EntitiesUpstreamConfig = Omit<AuthUpstreamConfig, "issuer">;

/** Reads the settings; undefined without `ENTITIES_URL`, when no sale has permits. @throws ConfigError */
export function entitiesUpstreamConfig(env: Env): EntitiesUpstreamConfig | undefined {
  const url = env.optionalUrls("ENTITIES_URL", { protocols: ["http:", "https:"] });
  if (url === undefined) return undefined;
  return { url, caller: readCallerProof(env, ENTITIES_AUDIENCE), ca: readRpcCa(env) };
}

/** Reads the settings; undefined without `AUTH_RPC_URL`, when only operators decide about sales. @throws ConfigError */
export function authUpstreamConfig(env: Env): AuthUpstreamConfig | undefined {
  const url = env.optionalUrls("AUTH_RPC_URL", { protocols: ["http:", "https:"] });
  checkDependentSettings(env, "AUTH_RPC_URL", ["AUTH_URL"]);
  if (url === undefined) return undefined;
  return { url, caller: readCallerProof(env, AUTH_AUDIENCE), ca: readRpcCa(env), issuer: issuerOf(env) };
}
