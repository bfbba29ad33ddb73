import { type Kysely, sql } from "kysely";
import { type Grants, grantsOn } from "./grants.ts";

/** A column, or a table, that compares or stores otherwise than Tidemark's do. */
export interface Deviation {
  /** `table`, or `table.column`. */
  readonly name: string;
  /** Its collation, or its storage engine. */
  readonly value: string;
}

/** Facts of a database of the MySQL family, as a connection of the service sees them. */
export interface DatabaseFacts {
  readonly database: string;
  /** Variables of the session, by name. A server lacks those that it doesn't know. */
  readonly variables: ReadonlyMap<string, string>;
  readonly grants: Grants;
  /** Columns of text that aren't compared exactly, the first ones. */
  readonly otherCollations: readonly Deviation[];
  /** Tables without row locks and transactions, the first ones. */
  readonly otherEngines: readonly Deviation[];
  /** Encryption of the connection. Empty for none. */
  readonly cipher: string;
  /** The end of the server's certificate, in milliseconds since 1970. Undefined without TLS, or where the server doesn't say. */
  readonly certificateUntilMs: number | undefined;
}

/** Deviations that are named. */
const MAX_DEVIATIONS = 3;

const VARIABLES = [
  "autocommit",
  "binlog_format",
  "character_set_client",
  "character_set_connection",
  "character_set_results",
  "collation_connection",
  "collation_database",
  "log_bin",
  "max_connections",
  "read_only",
  "sql_mode",
  "time_zone",
  "transaction_isolation",
  "tx_isolation",
  "version",
  "wait_timeout",
  "wsrep_on",
  "wsrep_sync_wait",
];

/** Reads the facts. It changes nothing. @throws whatever the database answers */
export async function readDatabaseFacts<Schema>(query: Kysely<Schema>): Promise<DatabaseFacts> {
  const { rows: names } = await sql<{ name: string | null }>`select database() as name`.execute(query);
  const database = names[0]?.name ?? "";
  const status = await readPairs(query, "status", ["Ssl_cipher", "Ssl_server_not_after"]);
  return {
    database,
    variables: await readPairs(query, "variables", VARIABLES),
    grants: grantsOn(database, await readGrants(query)),
    otherCollations: await readOtherCollations(query),
    otherEngines: await readOtherEngines(query),
    cipher: status.get("ssl_cipher") ?? "",
    certificateUntilMs: timeOf(status.get("ssl_server_not_after")),
  };
}

async function readPairs<Schema>(
  query: Kysely<Schema>,
  kind: "variables" | "status",
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const list = sql.join(names.map((name) => sql.lit(name)));
  const { rows } = await sql`show session ${sql.raw(kind)} where variable_name in (${list})`.execute(query);
  return new Map(rows.map((row) => pairOf(Object.values(row as object))));
}

function pairOf([name, value]: readonly unknown[]): readonly [string, string] {
  return [String(name).toLowerCase(), String(value)];
}

async function readGrants<Schema>(query: Kysely<Schema>): Promise<readonly string[]> {
  const { rows } = await sql`show grants`.execute(query);
  return rows.map((row) => String(Object.values(row as object)[0]));
}

/** The migrator's own tables are left out: nothing compares by them. */
async function readOtherCollations<Schema>(query: Kysely<Schema>): Promise<readonly Deviation[]> {
  const { rows } = await sql<Deviation>`
    select concat(table_name, '.', column_name) as name, collation_name as value
    from information_schema.columns
    where table_schema = database() and collation_name not in ('utf8mb4_bin', 'ascii_bin')
      and table_name not like '%\\_migration' and table_name not like '%\\_migration\\_lock'
    order by table_name, column_name limit ${sql.lit(MAX_DEVIATIONS)}`.execute(query);
  return rows;
}

async function readOtherEngines<Schema>(query: Kysely<Schema>): Promise<readonly Deviation[]> {
  const { rows } = await sql<Deviation>`
    select table_name as name, engine as value
    from information_schema.tables
    where table_schema = database() and table_type = 'BASE TABLE' and engine <> 'InnoDB'
    order by table_name limit ${sql.lit(MAX_DEVIATIONS)}`.execute(query);
  return rows;
}

/** Reads a time as OpenSSL prints it, such as `Apr 20 08:01:52 2027 GMT`. */
function timeOf(text = ""): number | undefined {
  const ms = text === "" ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
