import type { MysqlOptions } from "../../../common/platform/db/mysql/mysql-options.ts";

/** Options of a service for a test's MySQL database. The times only end what hangs. */
export function mysqlOf(url: string): MysqlOptions {
  return { url, poolSize: 8, lockWaitSeconds: 10, acquireTimeoutMs: 30_000, statementTimeoutMs: 60_000 };
}
