import { Kysely, MysqlDialect } from "kysely";
import { createPool, format, type PoolOptions } from "mysql2";
import { Database } from "../database.ts";
import { BoundedMysqlPool } from "./bounded-mysql-pool.ts";
import { mysqlDialect } from "./mysql-dialect.ts";
import type { MysqlOptions } from "./mysql-options.ts";

/** Waiting for a connection: calls in the queue for each connection of the pool. */
const QUEUED_PER_CONNECTION = 64;

/** Opens a pool; nothing is connected before the first query. */
export function openMysql<Schema>(options: MysqlOptions): Database<Schema> {
  const pool = new BoundedMysqlPool(createPool(poolOptions(options)), {
    acquireTimeoutMs: options.acquireTimeoutMs,
    statementTimeoutMs: options.statementTimeoutMs,
    sessionStatements: sessionStatements(options),
  });
  const query = new Kysely<Schema>({ dialect: new MysqlDialect({ pool }) });
  return new Database<Schema>(query, mysqlDialect, { transact: (message) => pool.transact(message) });
}

function poolOptions({ url, ca, poolSize }: MysqlOptions): PoolOptions {
  return {
    uri: url,
    ...(ca === undefined ? {} : { ssl: { ca, minVersion: "TLSv1.2" as const } }),
    connectionLimit: poolSize,
    maxIdle: poolSize,
    // Below any sensible `wait_timeout` of the server, so that no pooled connection is one that it has closed.
    idleTimeout: 60_000,
    queueLimit: poolSize * QUEUED_PER_CONNECTION,
    connectTimeout: 5_000,
    enableKeepAlive: true,
    // 64-bit integers come back as text: none may pass through a JavaScript number.
    supportBigNumbers: true,
    bigNumberStrings: true,
    charset: "utf8mb4_bin",
    timezone: "Z",
    // Statements that need nothing of each other go in one message. Values are bound or literals (`mysqlLiteral`) throughout.
    multipleStatements: true,
    // mysql2's own would look for placeholders in texts of many kilobytes that have none.
    queryFormat: (text, values) => (values.length === 0 ? text : format(text, values, true, "Z")),
    // Named placeholders and objects expanded into `key = value` pairs are ways for data to become SQL.
    namedPlaceholders: false,
    stringifyObjects: true,
  };
}

function sessionStatements({ lockWaitSeconds }: MysqlOptions): readonly string[] {
  return [
    "set session transaction isolation level read committed",
    "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO'",
    // The clock is read as local time: it must not jump when somebody's summer ends.
    "set session time_zone = '+00:00'",
    `set session innodb_lock_wait_timeout = ${lockWaitSeconds}`,
  ];
}
