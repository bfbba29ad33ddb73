import { readFileSync } from "node:fs";
import { CompiledQuery, type DatabaseConnection, Kysely, MysqlDialect } from "kysely";
import { createPool, type PoolOptions } from "mysql2";
import { Database } from "./database.ts";
import { mysqlDialect } from "./dialect.ts";
import type { MysqlOptions } from "./mysql-options.ts";

/** Opens a pool; nothing is connected before the first query. */
export function openMysql<Schema>(options: MysqlOptions): Database<Schema> {
  const dialect = new MysqlDialect({
    pool: createPool(poolOptions(options)),
    onCreateConnection: (connection) => prepareSession(connection, options),
  });
  return new Database<Schema>(new Kysely<Schema>({ dialect }), mysqlDialect);
}

function poolOptions({ url, caFile, poolSize }: MysqlOptions): PoolOptions {
  return {
    uri: url,
    ...(caFile === undefined ? {} : { ssl: { ca: readFileSync(caFile), minVersion: "TLSv1.2" as const } }),
    connectionLimit: poolSize,
    maxIdle: poolSize,
    // Below any sensible `wait_timeout` of the server, so that no pooled connection is one that it has closed.
    idleTimeout: 60_000,
    queueLimit: poolSize * 64,
    connectTimeout: 5_000,
    enableKeepAlive: true,
    // 64-bit integers come back as text: none may pass through a JavaScript number.
    supportBigNumbers: true,
    bigNumberStrings: true,
    charset: "utf8mb4_bin",
    timezone: "Z",
    multipleStatements: false,
    // Named placeholders and objects expanded into `key = value` pairs are ways for data to become SQL.
    namedPlaceholders: false,
    stringifyObjects: true,
  };
}

async function prepareSession(connection: DatabaseConnection, { lockWaitSeconds }: MysqlOptions): Promise<void> {
  const statements = [
    "set session transaction isolation level read committed",
    "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO'",
    `set session innodb_lock_wait_timeout = ${lockWaitSeconds}`,
  ];
  for (const statement of statements) await connection.executeQuery(CompiledQuery.raw(statement));
}
