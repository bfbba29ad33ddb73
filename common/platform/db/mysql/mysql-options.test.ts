import { describe, expect, it } from "vitest";
import { type ConfigError, Env } from "../../config/env.ts";
import { captureLog } from "../../testing/log-capture.ts";
import { mysqlOptions, warnOfTls } from "./mysql-options.ts";

const URL = "mysql://tidemark:secret@db:3306/tidemark";
const optionsOf = (variables: Record<string, string>) => mysqlOptions(new Env(variables));

describe("mysqlOptions", () => {
  it("are absent without a URL", () => {
    expect(optionsOf({})).toBeUndefined();
    expect(() => optionsOf({ MYSQL_POOL_SIZE: "5" })).toThrow("MYSQL_POOL_SIZE: expected only together with MYSQL_URL");
  });

  it("have defaults for all but the URL", () => {
    expect(optionsOf({ MYSQL_URL: URL })).toEqual({
      url: URL,
      poolSize: 10,
      lockWaitSeconds: 10,
      acquireTimeoutMs: 5_000,
      statementTimeoutMs: 60_000,
    });
    expect(Object.isFrozen(optionsOf({ MYSQL_URL: URL }))).toBe(true);
  });

  it("take what is set; a lock is waited for in whole seconds, upwards", () => {
    const variables = { MYSQL_CA: "PEM", MYSQL_POOL_SIZE: "3", MYSQL_LOCK_WAIT: "1500ms" };
    expect(optionsOf({ MYSQL_URL: URL, ...variables })).toEqual({
      url: URL,
      tls: { ca: "PEM", verifyIdentity: true },
      poolSize: 3,
      lockWaitSeconds: 2,
      acquireTimeoutMs: 5_000,
      statementTimeoutMs: 60_000,
    });
  });

  it.each([
    ["MYSQL_URL", "http://db/tidemark"],
    ["MYSQL_POOL_SIZE", "0"],
    ["MYSQL_POOL_SIZE", "1001"],
    ["MYSQL_LOCK_WAIT", "999ms"],
    ["MYSQL_LOCK_WAIT", "61s"],
    ["MYSQL_CA_FILE", "/nowhere/ca.pem"],
    ["MYSQL_ACQUIRE_TIMEOUT", "0ms"],
    ["MYSQL_STATEMENT_TIMEOUT", "999ms"],
  ])("refuse %s=%s and name it", (variable, value) => {
    const options = () => optionsOf({ MYSQL_URL: URL, [variable]: value });
    expect(options).toThrow(expect.objectContaining({ variable }) as ConfigError);
  });

  it.each<[string, Record<string, string>, object | undefined]>([
    ["", {}, undefined],
    ["?ssl-mode=DISABLED", {}, undefined],
    ["", { MYSQL_CA: "PEM" }, { ca: "PEM", verifyIdentity: true }],
    ["?ssl-mode=VERIFY_IDENTITY", {}, { verifyIdentity: true }],
    ["?ssl-mode=verify_identity", { MYSQL_CA: "PEM" }, { ca: "PEM", verifyIdentity: true }],
    ["?ssl-mode=VERIFY_CA", { MYSQL_CA: "PEM" }, { ca: "PEM", verifyIdentity: false }],
  ])("take TLS from %j and %j", (query, variables, tls) => {
    const options = optionsOf({ MYSQL_URL: URL + query, ...variables });
    expect([options?.tls, options?.url]).toEqual([tls, URL]);
  });

  const ONLY_SSL_MODE = "MYSQL_URL: expected no parameter but ssl-mode=DISABLED, VERIFY_CA or VERIFY_IDENTITY";
  it.each<[string, Record<string, string>, string]>([
    [`${URL}?ssl=true`, {}, ONLY_SSL_MODE],
    [`${URL}?ssl={"rejectUnauthorized":false}`, { MYSQL_CA: "PEM" }, ONLY_SSL_MODE],
    [`${URL}?ssl-mode=REQUIRED`, {}, ONLY_SSL_MODE],
    [`${URL}?ssl-mode=PREFERRED`, {}, ONLY_SSL_MODE],
    [`${URL}?ssl-mode=VERIFY_CA&ssl-mode=DISABLED`, { MYSQL_CA: "PEM" }, ONLY_SSL_MODE],
    [`${URL}?multipleStatements=false`, {}, ONLY_SSL_MODE],
    [
      `${URL}?ssl-mode=DISABLED`,
      { MYSQL_CA: "PEM" },
      "MYSQL_URL: expected no ssl-mode=DISABLED together with MYSQL_CA",
    ],
    [`${URL}?ssl-mode=VERIFY_CA`, {}, "MYSQL_CA: expected the authority for ssl-mode=VERIFY_CA"],
    ["mysql://u:secret@10.0.0.1/x", { MYSQL_CA: "PEM" }, "MYSQL_URL: expected a host name, which the certificate must"],
    ["mysql://u:secret@[::1]/x?ssl-mode=VERIFY_IDENTITY", {}, "MYSQL_URL: expected a host name"],
  ])("refuse %s with %j, in one line", (url, variables, message) => {
    const options = () => optionsOf({ MYSQL_URL: url, ...variables });
    expect(options).toThrow(message);
    expect(options).toThrow(/^(?!.*secret).*$/);
  });

  it("warn if the name of the certificate isn't checked", () => {
    const { logger, lines } = captureLog();
    for (const tls of [undefined, { verifyIdentity: true }]) warnOfTls({ ...(tls && { tls }) }, logger);
    expect(lines).toEqual([]);
    warnOfTls({ tls: { ca: "PEM", verifyIdentity: false } }, logger);
    expect(lines).toMatchObject([{ level: "warn", msg: expect.stringContaining("ssl-mode=VERIFY_CA") }]);
  });

  it("never show the password", () => {
    expect(() => optionsOf({ MYSQL_URL: "mysqlx://tidemark:secret@db" })).toThrow(/^MYSQL_URL: (?!.*secret)/);
  });
});
