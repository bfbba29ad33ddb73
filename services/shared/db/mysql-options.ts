import type { Env } from "../config/env.ts";

export interface MysqlOptions {
  /** `mysql://user:password@host:port/database`. */
  readonly url: string;
  /** PEM file of the authority that signed the server's certificate; set, TLS is required. */
  readonly caFile?: string;
  /** Connections in the pool, at most. */
  readonly poolSize: number;
  /** How long a statement waits for a row lock before its transaction is tried again, in whole seconds. */
  readonly lockWaitSeconds: number;
}

/**
 * `MYSQL_URL`, `MYSQL_CA_FILE`, `MYSQL_POOL_SIZE` (10), `MYSQL_LOCK_WAIT` (10 s). Undefined where no URL is set.
 *
 * @throws ConfigError naming the variable.
 */
export function mysqlOptions(env: Env): MysqlOptions | undefined {
  const url = env.optionalUrl("MYSQL_URL", { protocols: ["mysql:"] });
  const caFile = env.optionalString("MYSQL_CA_FILE");
  if (url === undefined) return undefined;
  return Object.freeze({
    url: url.href,
    ...(caFile === undefined ? {} : { caFile }),
    poolSize: env.integer("MYSQL_POOL_SIZE", { default: 10, min: 1, max: 1_000 }),
    lockWaitSeconds: Math.ceil(env.duration("MYSQL_LOCK_WAIT", { default: "10s", min: "1s", max: "60s" }) / 1_000),
  });
}
