import { join } from "node:path";
import { ConfigError, type Env } from "../../../common/platform/config/env.ts";
import { issuerOf } from "../../../common/platform/config/issuer.ts";
import { keyEncryptionKey, otherKeyEncryptionKey } from "../../../common/platform/config/key-encryption-key.ts";
import { type MysqlOptions, mysqlOptions } from "../../../common/platform/db/mysql/mysql-options.ts";
import { type Mailbox, parseMailbox } from "./mailer.ts";

/** The store of accounts, clients and tokens: a MySQL database or an SQLite file. */
export type StoreConfig = { readonly mysql: MysqlOptions } | { readonly sqliteFile: string };

/** The ways in which mails leave: by SMTP, as files in a folder, or both. At least one is set. */
export interface MailConfig {
  /** `MAIL_FROM`: the sender. */
  readonly from: Mailbox;
  /** `SMTP_URL`, with user and password if the server needs them. */
  readonly smtpUrl?: string;
  /** `MAIL_DIR`: the folder to which every mail is written. */
  readonly folder?: string;
}

/** The settings of the auth service, as its own process or embedded. */
export interface AuthConfig {
  /** `MYSQL_URL` and its companions; without it, `auth.sqlite` in `DATA_DIR` (`data`). */
  readonly store: StoreConfig;
  /** `MIGRATIONS`, `start`: brings the schema up to date at each start; `off` leaves that to `--migrate`. */
  readonly migrateAtStart: boolean;
  /** `AUTH_URL`: an origin without a trailing slash. */
  readonly issuer: string;
  /** `KEY_ENCRYPTION_KEY`: 32 bytes. */
  readonly keyEncryptionKey: Uint8Array;
  /** `KEY_ENCRYPTION_KEY_OTHER`: 32 bytes, while the key changes. */
  readonly otherKeyEncryptionKey: Uint8Array | undefined;
  /** `ACCESS_TOKEN_AUDIENCE`, the issuer by default: the `aud` of access tokens. */
  readonly accessTokenAudience: string;
  /** `ACCESS_TOKEN_TTL`, 15 min. In milliseconds. */
  readonly accessTokenTtlMs: number;
  /** `KEY_ROTATION`, 30 d: the time for which a key signs. In milliseconds. */
  readonly keyRotationMs: number;
  /** `FOUNDERS`, `invited`: only invited founders may create sales; `open` lets everyone. */
  readonly founders: "invited" | "open";
  readonly mail: MailConfig;
  /** `AUTH_RATE_LIMITS`, on. Switched off only for measurements. */
  readonly rateLimits: boolean;
  /** `AUDIT_RETENTION`, 400 d. In milliseconds. */
  readonly auditRetentionMs: number;
  /** `EXPIRY_INTERVAL`, 10 min: the time between two deletions of expired rows. In milliseconds. */
  readonly expiryIntervalMs: number;
}

/** Defaults of the embedded process for settings that are otherwise required. */
export interface AuthDefaults {
  readonly issuer: string;
  /** Returns 32 bytes as base64url. It is called only if the setting is missing. */
  readonly keyEncryptionKey: () => string;
  readonly founders: AuthConfig["founders"];
  /** The folder for mails where `SMTP_URL` isn't set. */
  readonly mailFolder: string;
}

const MAX_AUDIENCE_CHARACTERS = 200;

/** @throws ConfigError naming the variable. */
export function authConfig(env: Env, defaults: Partial<AuthDefaults> = {}): AuthConfig {
  const issuer = issuerOf(env, defaults.issuer);
  return Object.freeze({
    store: storeConfig(env),
    migrateAtStart: env.choice("MIGRATIONS", ["start", "off"], "start") === "start",
    issuer,
    accessTokenAudience: accessTokenAudience(env, issuer),
    accessTokenTtlMs: env.duration("ACCESS_TOKEN_TTL", { default: "15m", min: "1m", max: "60m" }),
    keyRotationMs: env.duration("KEY_ROTATION", { default: "30d", min: "1h", max: "3650d" }),
    founders: env.choice("FOUNDERS", ["invited", "open"], defaults.founders ?? "invited"),
    mail: mailConfig(env, defaults.mailFolder),
    rateLimits: env.boolean("AUTH_RATE_LIMITS", true),
    auditRetentionMs: env.duration("AUDIT_RETENTION", { default: "400d", min: "1d", max: "3650d" }),
    expiryIntervalMs: env.duration("EXPIRY_INTERVAL", { default: "10m", min: "1s", max: "24h" }),
    otherKeyEncryptionKey: otherKeyEncryptionKey(env),
    // Last, because computing its default may create a key file.
    keyEncryptionKey: keyEncryptionKey(env, defaults.keyEncryptionKey),
  });
}

/** Reads the settings of the store alone, for a process that only migrates. @throws ConfigError naming the variable. */
export function storeConfig(env: Env): StoreConfig {
  const mysql = mysqlOptions(env);
  return mysql === undefined ? { sqliteFile: join(env.string("DATA_DIR", "data"), "auth.sqlite") } : { mysql };
}

function accessTokenAudience(env: Env, issuer: string): string {
  const audience = env.optionalString("ACCESS_TOKEN_AUDIENCE") ?? issuer;
  if (audience.length <= MAX_AUDIENCE_CHARACTERS && /^[!-~]+$/.test(audience)) return audience;
  throw new ConfigError(
    "ACCESS_TOKEN_AUDIENCE",
    `expected at most ${MAX_AUDIENCE_CHARACTERS} printable ASCII characters`,
  );
}

function mailConfig(env: Env, defaultFolder: string | undefined): MailConfig {
  const smtpUrl = env.optionalUrl("SMTP_URL", { protocols: ["smtp:", "smtps:"], mayHaveCredentials: true })?.href;
  const folder = env.optionalString("MAIL_DIR") ?? (smtpUrl === undefined ? defaultFolder : undefined);
  if (smtpUrl === undefined && folder === undefined) {
    throw new ConfigError(
      "SMTP_URL",
      "expected a URL that begins with smtp: or smtps:, it is not set, nor is MAIL_DIR",
    );
  }
  return {
    from: mailFrom(smtpUrl === undefined ? env.string("MAIL_FROM", "tidemark@localhost") : env.string("MAIL_FROM")),
    ...(smtpUrl === undefined ? {} : { smtpUrl }),
    ...(folder === undefined ? {} : { folder }),
  };
}

function mailFrom(text: string): Mailbox {
  const mailbox = parseMailbox(text);
  if (mailbox !== undefined) return mailbox;
  throw new ConfigError("MAIL_FROM", "expected an address such as sale@example.com or The Sale <sale@example.com>");
}
