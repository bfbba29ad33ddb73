import { join } from "node:path";
import type { Env } from "../../shared/config/env.ts";
import { issuerOf } from "../../shared/config/issuer.ts";
import { keyEncryptionKey } from "../../shared/config/key-encryption-key.ts";
import { type MysqlOptions, mysqlOptions } from "../../shared/db/mysql/mysql-options.ts";

/** The store of entities, rules and permits: a MySQL database or an SQLite file. */
export type StoreConfig = { readonly mysql: MysqlOptions } | { readonly sqliteFile: string };

/** The settings of the entities service, as its own process or embedded. */
export interface EntitiesConfig {
  /** `MYSQL_URL` and its companions; without it, `entities.sqlite` in `DATA_DIR` (`data`). */
  readonly store: StoreConfig;
  /** `MIGRATIONS`, `start`: brings the schema up to date at each start; `off` leaves that to `--migrate`. */
  readonly migrateAtStart: boolean;
  /** `AUTH_URL`: the issuer of actor tokens, and the site that texts for wallets name. An origin without a trailing slash. */
  readonly issuer: string;
  /** `KEY_ENCRYPTION_KEY`: 32 bytes. */
  readonly keyEncryptionKey: Uint8Array;
  /** `EXPIRY_INTERVAL`, 10 min: the time between two deletions of expired rows. In milliseconds. */
  readonly expiryIntervalMs: number;
  /** `OUTBOUND_LOOPBACK`, `off`: whether screeners and vendors may be on this machine, for tests and development. */
  readonly outboundLoopback: boolean;
}

/** Defaults of the embedded process for settings that are otherwise required. */
export interface EntitiesDefaults {
  readonly issuer: string;
  /** Returns 32 bytes as base64url. It is called only if the setting is missing. */
  readonly keyEncryptionKey: () => string;
}

/** @throws ConfigError naming the variable. */
export function entitiesConfig(env: Env, defaults: Partial<EntitiesDefaults> = {}): EntitiesConfig {
  return Object.freeze({
    store: storeConfig(env),
    migrateAtStart: env.choice("MIGRATIONS", ["start", "off"], "start") === "start",
    issuer: issuerOf(env, defaults.issuer),
    expiryIntervalMs: env.duration("EXPIRY_INTERVAL", { default: "10m", min: "1s", max: "24h" }),
    outboundLoopback: env.choice("OUTBOUND_LOOPBACK", ["on", "off"], "off") === "on",
    // Last, because computing its default may create a key file.
    keyEncryptionKey: keyEncryptionKey(env, defaults.keyEncryptionKey),
  });
}

/** Reads the settings of the store alone, for a process that only migrates. @throws ConfigError naming the variable. */
export function storeConfig(env: Env): StoreConfig {
  const mysql = mysqlOptions(env);
  return mysql === undefined ? { sqliteFile: join(env.string("DATA_DIR", "data"), "entities.sqlite") } : { mysql };
}
