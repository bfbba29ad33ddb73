import { checkDependentSettings } from "../../config/dependent-settings.ts";
import type { Env } from "../../config/env.ts";

export interface MysqlOptions {
  /** `mysql://user:password@host:port/database`. */
  readonly url: string;
  /** PEM of the authority of the server's certificate. If set, TLS is required. */
  readonly ca?: string;
  /** The most connections in the pool. */
  readonly poolSize: number;
  /** The time that a statement waits for a row lock before its transaction is tried again, in whole seconds. */
  readonly lockWaitSeconds: number;
  /** The time that a call waits for a connection of the pool, in milliseconds. */
  readonly acquireTimeoutMs: number;
  /** The time limit of a statement, in milliseconds. Its connection is closed then. */
  readonly statementTimeoutMs: number;
}

const DEPENDENT_SETTINGS = [
  "MYSQL_CA",
  "MYSQL_POOL_SIZE",
  "MYSQL_LOCK_WAIT",
  "MYSQL_ACQUIRE_TIMEOUT",
  "MYSQL_STATEMENT_TIMEOUT",
];

/**
 * `MYSQL_URL`, `MYSQL_CA` (or `MYSQL_CA_FILE`), `MYSQL_POOL_SIZE` (10), `MYSQL_LOCK_WAIT` (10 s), `MYSQL_ACQUIRE_TIMEOUT` (5 s),
 * `MYSQL_STATEMENT_TIMEOUT` (60 s), with their defaults. Undefined if no URL is set.
 *
 * @throws ConfigError naming the variable.
 */
export function mysqlOptions(env: Env): MysqlOptions | undefined {
  const url = env.optionalUrl("MYSQL_URL", { protocols: ["mysql:"] });
  checkDependentSettings(env, "MYSQL_URL", DEPENDENT_SETTINGS);
  if (url === undefined) return undefined;
  const ca = env.optionalSecret("MYSQL_CA");
  return Object.freeze({
    url: url.href,
    ...(ca === undefined ? {} : { ca }),
    poolSize: env.integer("MYSQL_POOL_SIZE", { default: 10, min: 1, max: 1_000 }),
    lockWaitSeconds: Math.ceil(env.duration("MYSQL_LOCK_WAIT", { default: "10s", min: "1s", max: "60s" }) / 1_000),
    acquireTimeoutMs: env.duration("MYSQL_ACQUIRE_TIMEOUT", { default: "5s", min: "100ms", max: "60s" }),
    statementTimeoutMs: env.duration("MYSQL_STATEMENT_TIMEOUT", { default: "60s", min: "1s", max: "1h" }),
  });
}
