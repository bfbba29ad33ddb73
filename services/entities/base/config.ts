import { join } from "node:path";
import { ConfigError } from "../../../common/platform/config/config-error.ts";
import { checkDependentSettings } from "../../../common/platform/config/dependent-settings.ts";
import type { Env } from "../../../common/platform/config/env.ts";
import { issuerOf } from "../../../common/platform/config/issuer.ts";
import { keyEncryptionKey, otherKeyEncryptionKey } from "../../../common/platform/config/key-encryption-key.ts";
import { type MysqlOptions, mysqlOptions } from "../../../common/platform/db/mysql/mysql-options.ts";
import { type IdentityConfig, identityConfig } from "./identity-config.ts";

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
  /** `KEY_ENCRYPTION_KEY_OTHER`: 32 bytes, while the key changes. */
  readonly otherKeyEncryptionKey: Uint8Array | undefined;
  readonly identity: IdentityConfig;
  /** `EXPIRY_INTERVAL`, 10 min: the time between two deletions of expired rows. In milliseconds. */
  readonly expiryIntervalMs: number;
  /** `AUDIT_RETENTION`, 400 days: how long reviewers' decisions are kept. In milliseconds. */
  readonly auditRetentionMs: number;
  /** `OUTBOUND_LOOPBACK`, `off`: whether screeners and vendors may be on this machine, for tests and development. */
  readonly outboundLoopback: boolean;
  /** `PERMIT_SIGNER_URL` and `PERMIT_SIGNER_SECRET`: who holds the keys that sign permits. Undefined: the database does. */
  readonly permitSigner: RemoteSignerConfig | undefined;
}

/** A server that holds the keys of permits. */
export interface RemoteSignerConfig {
  readonly url: string;
  /** Proves to it who asks: 24 to 64 bytes. */
  readonly secret: Uint8Array;
}

/** Defaults of the embedded process for settings that are otherwise required. */
export interface EntitiesDefaults {
  readonly issuer: string;
  /** Returns 32 bytes as base64url. It is called only if the setting is missing. */
  readonly keyEncryptionKey: () => string;
  readonly identityProvider: IdentityConfig["provider"];
}

/** @throws ConfigError naming the variable. */
export function entitiesConfig(env: Env, defaults: Partial<EntitiesDefaults> = {}): EntitiesConfig {
  return Object.freeze({
    store: storeConfig(env),
    migrateAtStart: env.choice("MIGRATIONS", ["start", "off"], "start") === "start",
    issuer: issuerOf(env, defaults.issuer),
    identity: identityConfig(env, defaults.identityProvider ?? "review"),
    expiryIntervalMs: env.duration("EXPIRY_INTERVAL", { default: "10m", min: "1s", max: "24h" }),
    auditRetentionMs: env.duration("AUDIT_RETENTION", { default: "400d", min: "1d", max: "3650d" }),
    outboundLoopback: env.choice("OUTBOUND_LOOPBACK", ["on", "off"], "off") === "on",
    permitSigner: permitSigner(env),
    otherKeyEncryptionKey: otherKeyEncryptionKey(env),
    // Last, because computing its default may create a key file.
    keyEncryptionKey: keyEncryptionKey(env, defaults.keyEncryptionKey),
  });
}

/** Reads the settings of the store alone, for a process that only migrates. @throws ConfigError naming the variable. */
export function storeConfig(env: Env): StoreConfig {
  const mysql = mysqlOptions(env);
  return mysql === undefined ? { sqliteFile: join(env.string("DATA_DIR", "data"), "entities.sqlite") } : { mysql };
}

const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/;
const SECRET_BYTES = { min: 24, max: 64 };

function permitSigner(env: Env): RemoteSignerConfig | undefined {
  const url = env.optionalUrl("PERMIT_SIGNER_URL", { protocols: ["http:", "https:"] });
  checkDependentSettings(env, "PERMIT_SIGNER_URL", ["PERMIT_SIGNER_SECRET"]);
  if (url === undefined) return undefined;
  const secret = Buffer.from(SECRET.exec(env.secret("PERMIT_SIGNER_SECRET"))?.[1] ?? "", "base64");
  if (secret.length >= SECRET_BYTES.min && secret.length <= SECRET_BYTES.max) return { url: url.href, secret };
  throw new ConfigError("PERMIT_SIGNER_SECRET", "expected 24 to 64 bytes as base64, with whsec_ before it or without");
}
