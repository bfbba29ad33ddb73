import { type Dialect, Kysely, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler } from "kysely";
import { createPool, format, type PoolOptions } from "mysql2";
import { Database } from "../database.ts";
import type { PoolUsage } from "../pool-usage.ts";
import type { DatabaseAttributes } from "../sql/statement-span.ts";
import { CoalescingMysqlDriver, type CoalescingMysqlDriverOptions } from "./coalescing/coalescing-mysql-driver.ts";
import { leadsElsewhere, mysqlDialect } from "./mysql-dialect.ts";
import type { MysqlOptions } from "./mysql-options.ts";
import { CONNECTION_COLLATION, sessionStatements } from "./mysql-session.ts";

/** The number of calls that may wait, for each connection of the pool. */
const QUEUED_PER_CONNECTION = 64;

/** Opens a pool. It connects at the first query. */
export function openMysql<Schema>(options: MysqlOptions): Database<Schema> {
  const usage = { size: options.poolSize, busy: 0, waiting: 0 };
  const dialect: Dialect = {
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => new CoalescingMysqlDriver(driverOptions(options, usage)),
    createIntrospector: (database) => new MysqlIntrospector(database),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  };
  return new Database(new Kysely<Schema>({ dialect }), mysqlDialect, { pool: usage });
}

function driverOptions(options: MysqlOptions, usage: PoolUsage): CoalescingMysqlDriverOptions {
  const { acquireTimeoutMs, statementTimeoutMs } = options;
  const pool = createPool(poolOptions(options));
  return {
    pool,
    usage,
    acquireTimeoutMs,
    statementTimeoutMs,
    showsUselessServer: leadsElsewhere,
    sessionStatements: sessionStatements(options),
    attributes: databaseAttributes(options),
  };
}

/** Returns what spans say about the database: nothing of the URL but its host, port and name. */
function databaseAttributes({ url }: MysqlOptions): DatabaseAttributes {
  const { hostname, port, pathname } = new URL(url);
  return {
    "db.system.name": mysqlDialect.name,
    "db.namespace": pathname.slice(1),
    "server.address": hostname,
    ...(port !== "" && { "server.port": Number(port) }),
  };
}

function poolOptions({ url, tls, poolSize }: MysqlOptions): PoolOptions {
  return {
    uri: url,
    ...(tls && { ssl: { ...tls, minVersion: "TLSv1.2" as const } }),
    connectionLimit: poolSize,
    maxIdle: poolSize,
    // Below any sensible `wait_timeout` of the server, which would close the connection.
    idleTimeout: 60_000,
    queueLimit: poolSize * QUEUED_PER_CONNECTION,
    connectTimeout: 5_000,
    enableKeepAlive: true,
    // 64-bit integers come back as text: none may pass through a JavaScript number.
    supportBigNumbers: true,
    bigNumberStrings: true,
    charset: CONNECTION_COLLATION,
    timezone: "Z",
    // Nothing is prepared, and a connection lays out its list beforehand: 0.6 MB with the 16,000 of mysql2's default.
    maxPreparedStatements: 1,
    // Independent statements travel in one message. All values are bound or written by `mysqlLiteral`.
    multipleStatements: true,
    // mysql2's own format searches texts of many kilobytes for placeholders that they don't have.
    queryFormat: (text, values) => (values.length === 0 ? text : format(text, values, true, "Z")),
    // Named placeholders, and objects expanded into `key = value` pairs, could let data become SQL.
    namedPlaceholders: false,
    stringifyObjects: true,
  };
}
