import { describe, expect, it } from "vitest";
import { type ConfigError, Env } from "../../../common/platform/config/env.ts";
import { authConfig } from "./config.ts";

const KEY = Buffer.alloc(32, 9);
const required = {
  AUTH_URL: "https://auth.example",
  KEY_ENCRYPTION_KEY: KEY.toString("base64url"),
  MAIL_DIR: "mails",
};
const configOf = (variables: Record<string, string> = {}) => authConfig(new Env({ ...required, ...variables }));

describe("the configuration of the auth service", () => {
  it("has defaults for optional settings", () => {
    expect(configOf()).toEqual({
      store: { sqliteFile: "data/auth.sqlite" },
      migrateAtStart: true,
      issuer: "https://auth.example",
      keyEncryptionKey: KEY,
      accessTokenAudience: "https://auth.example",
      accessTokenTtlMs: 900_000,
      keyRotationMs: 30 * 86_400_000,
      founders: "invited",
      mail: { from: { name: "", address: "tidemark@localhost" }, folder: "mails" },
      rateLimits: true,
      auditRetentionMs: 400 * 86_400_000,
      expiryIntervalMs: 600_000,
    });
  });

  it("uses the defaults of the embedded process", () => {
    const config = authConfig(new Env({}), {
      issuer: "http://localhost:8080",
      keyEncryptionKey: () => KEY.toString("base64url"),
      founders: "open",
      mailFolder: "data/mail",
    });
    expect(config).toMatchObject({
      issuer: "http://localhost:8080",
      keyEncryptionKey: KEY,
      founders: "open",
      mail: { folder: "data/mail" },
    });
  });

  it("makes no key if one is set", () => {
    const keyEncryptionKey = () => {
      throw new Error("a key was made");
    };
    expect(authConfig(new Env(required), { keyEncryptionKey }).keyEncryptionKey).toEqual(KEY);
  });

  it("writes mails to the default folder only if there is no mail server", () => {
    const env = new Env({
      ...required,
      MAIL_DIR: "",
      SMTP_URL: "smtps://u:p@mail.example",
      MAIL_FROM: "S <s@mail.example>",
    });
    expect(authConfig(env, { mailFolder: "data/mail" }).mail).toEqual({
      smtpUrl: "smtps://u:p@mail.example",
      from: { name: "S", address: "s@mail.example" },
    });
  });

  it.each(["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080", "https://auth.example:8443"])(
    "takes the issuer %s, with a slash or without",
    (issuer) => {
      expect(configOf({ AUTH_URL: issuer }).issuer).toBe(issuer);
      expect(configOf({ AUTH_URL: `${issuer}/` }).issuer).toBe(issuer);
    },
  );

  it.each([
    ["AUTH_URL", ""],
    ["AUTH_URL", "http://auth.example"],
    ["AUTH_URL", "http://localhost.example"],
    ["AUTH_URL", "https://auth.example/path"],
    ["AUTH_URL", "https://auth.example/?query"],
    ["AUTH_URL", "https://user@auth.example"],
    ["AUTH_URL", "https://auth.example/#fragment"],
    ["KEY_ENCRYPTION_KEY", ""],
    ["KEY_ENCRYPTION_KEY", Buffer.alloc(31).toString("base64url")],
    ["KEY_ENCRYPTION_KEY", Buffer.alloc(33).toString("base64url")],
    ["KEY_ENCRYPTION_KEY", KEY.toString("base64")],
    ["ACCESS_TOKEN_TTL", "59s"],
    ["ACCESS_TOKEN_TTL", "61m"],
    ["ACCESS_TOKEN_AUDIENCE", "two words"],
    ["ACCESS_TOKEN_AUDIENCE", "x".repeat(201)],
    ["KEY_ROTATION", "59m"],
    ["FOUNDERS", "everybody"],
    ["SMTP_URL", "http://mail.example"],
    ["MAIL_FROM", "nobody"],
    ["AUTH_RATE_LIMITS", "maybe"],
    ["AUDIT_RETENTION", "1h"],
    ["EXPIRY_INTERVAL", "999ms"],
    ["MIGRATIONS", "never"],
  ])("refuses %s=%s and names it", (variable, value) => {
    expect(() => configOf({ [variable]: value })).toThrow(expect.objectContaining({ variable }) as ConfigError);
  });
});
