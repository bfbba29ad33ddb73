import { describe, expect, it } from "vitest";
import { type ConfigError, Env } from "../../config/env.ts";
import { mysqlOptions } from "./mysql-options.ts";

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
      ca: "PEM",
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

  it("never show the password", () => {
    expect(() => optionsOf({ MYSQL_URL: "mysqlx://tidemark:secret@db" })).toThrow(/^MYSQL_URL: (?!.*secret)/);
  });
});
