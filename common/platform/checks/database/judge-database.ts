import { CONNECTION_COLLATION, SQL_MODES, TIME_ZONE } from "../../db/mysql/mysql-session.ts";
import { certificateFinding } from "../certificate-end.ts";
import { about, failed, ok, type ProbeFinding, warning } from "../finding.ts";
import type { DatabaseFacts, Deviation } from "./database-facts.ts";

/** Use of a database by a process. */
export interface DatabaseUse {
  /** Whether its account changes tables: that of `--migrate`, or of a service with `MIGRATIONS=start`. */
  readonly changesTables: boolean;
  /** `MYSQL_POOL_SIZE`. */
  readonly poolSize: number;
}

const ROW_PRIVILEGES = ["SELECT", "INSERT", "UPDATE", "DELETE"];
const TABLE_PRIVILEGES = ["CREATE", "ALTER", "INDEX"];
/** The oldest MariaDB that all tests run on. */
const LEAST_MARIADB: readonly [number, number] = [10, 11];
/** Bits of `wsrep_sync_wait`: reads, changes, inserts. */
const SYNC_WAIT = 7;
/** Connections that aren't used stay open so long, in seconds. */
const IDLE_SECONDS = 60;

/** Judges facts of a database. @param nowMs milliseconds since 1970 */
export function judgeDatabase(facts: DatabaseFacts, use: DatabaseUse, nowMs: number): readonly ProbeFinding[] {
  return [
    ...about("database", serverFindings(facts, use)),
    ...about("database rights", rightsFindings(facts, use)),
    ...about("database session", sessionFindings(facts)),
    ...about("database collation", collationFindings(facts)),
    ...about("database TLS", tlsFindings(facts, nowMs)),
  ];
}

function serverFindings({ variables, database, otherEngines }: DatabaseFacts, { poolSize }: DatabaseUse) {
  const version = variables.get("version") ?? "of an unknown version";
  return [
    ok(`answers, version ${version}, database ${database}`),
    ...(isOldMariaDb(version)
      ? [warning(`the version is older than any that is tested`, "use MariaDB 10.11 or later")]
      : []),
    ...(isOn(variables.get("read_only"))
      ? [
          warning(
            "the server has read_only, so it is a replica or was replaced as the primary",
            "set MYSQL_URL to the primary; an account that may write all the same needs nothing",
          ),
        ]
      : []),
    ...binlogFindings(variables),
    ...clusterFindings(variables),
    ...connectionFindings(variables, poolSize),
    ...otherEngines.map(({ name, value }) =>
      failed(
        `table ${name} has the engine ${value}, which has no row locks or transactions`,
        `ALTER TABLE ${name} ENGINE = InnoDB`,
      ),
    ),
  ];
}

/** READ COMMITTED can't be logged by statement: every change would fail. */
function binlogFindings(variables: DatabaseFacts["variables"]): readonly ProbeFinding[] {
  const isRefused = isOn(variables.get("log_bin")) && variables.get("binlog_format") === "STATEMENT";
  if (!isRefused) return [];
  const text = "binlog_format is STATEMENT, by which the server refuses every change under READ COMMITTED";
  return [failed(text, "set binlog_format to ROW or MIXED")];
}

function clusterFindings(variables: DatabaseFacts["variables"]): readonly ProbeFinding[] {
  const waits = Number(variables.get("wsrep_sync_wait") ?? SYNC_WAIT);
  if (!isOn(variables.get("wsrep_on")) || waits === SYNC_WAIT) return [];
  const text = `wsrep_sync_wait is ${waits}, so a read may miss what was committed at another server of the cluster`;
  return [failed(text, `set wsrep_sync_wait = ${SYNC_WAIT} on every server`)];
}

function connectionFindings(variables: DatabaseFacts["variables"], poolSize: number): readonly ProbeFinding[] {
  const most = Number(variables.get("max_connections") ?? Number.NaN);
  const idle = Number(variables.get("wait_timeout") ?? Number.NaN);
  return [
    ...(most < poolSize
      ? [
          warning(
            `max_connections is ${most}, below MYSQL_POOL_SIZE, which is ${poolSize}`,
            "raise the one or lower the other; the pools of all processes count together",
          ),
        ]
      : []),
    ...(idle < IDLE_SECONDS
      ? [
          warning(
            `wait_timeout is ${idle} s, so the server closes connections that a process still keeps`,
            `set it to ${IDLE_SECONDS} s or more`,
          ),
        ]
      : []),
  ];
}

function rightsFindings({ grants, database }: DatabaseFacts, { changesTables }: DatabaseUse): readonly ProbeFinding[] {
  const needed = changesTables ? [...ROW_PRIVILEGES, ...TABLE_PRIVILEGES] : ROW_PRIVILEGES;
  const missing = needed.filter((privilege) => !grants.privileges.has(privilege));
  if (missing.length === 0) return [ok(`the account may ${needed.join(", ")}`)];
  const remedy = `GRANT ${missing.join(", ")} ON ${quoted(database)}.* to the account`;
  if (grants.hasOthers) {
    return [
      warning(
        `the account has ${missing.join(", ")} on single tables or by a role, if at all: that can't be told from here`,
        remedy,
      ),
    ];
  }
  return [failed(`the account lacks ${missing.join(", ")}`, remedy)];
}

/** A proxy between may give each statement another session, or one whose settings it doesn't pass on. */
function sessionFindings({ variables }: DatabaseFacts): readonly ProbeFinding[] {
  const modes = new Set((variables.get("sql_mode") ?? "").split(","));
  const isolation = variables.get("transaction_isolation") ?? variables.get("tx_isolation") ?? "";
  const wrong = [
    ...expect("time_zone", variables.get("time_zone"), TIME_ZONE),
    ...expect("isolation", isolation, "READ-COMMITTED"),
    ...SQL_MODES.filter((mode) => !modes.has(mode)).map((mode) => `sql_mode lacks ${mode}`),
    ...["NO_BACKSLASH_ESCAPES", "ANSI_QUOTES"].filter((mode) => modes.has(mode)).map((mode) => `sql_mode has ${mode}`),
    ...expect("autocommit", variables.get("autocommit"), "ON"),
    ...["character_set_client", "character_set_connection", "character_set_results"].flatMap((name) =>
      expect(name, variables.get(name), "utf8mb4"),
    ),
    ...expect("collation_connection", variables.get("collation_connection"), CONNECTION_COLLATION),
  ];
  if (wrong.length === 0) return [ok("UTC, READ COMMITTED, strict, utf8mb4")];
  const text = `each new connection is set up otherwise, but the session has it so: ${wrong.join("; ")}`;
  return [failed(text, "look for a proxy or init_connect between that changes sessions or shares them")];
}

function expect(name: string, value: string | undefined, expected: string): readonly string[] {
  return value === undefined || value === expected ? [] : [`${name} is ${value}, not ${expected}`];
}

function collationFindings({ variables, database, otherCollations }: DatabaseFacts): readonly ProbeFinding[] {
  if (otherCollations.length > 0) return otherCollations.map((each) => wrongCollation(each));
  const collation = variables.get("collation_database") ?? "";
  if (collation === CONNECTION_COLLATION) return [ok(`texts are compared exactly (${collation})`)];
  const text = `the database's own collation is ${collation}; Tidemark's tables have another one, those of other makers may not`;
  return [warning(text, `ALTER DATABASE ${quoted(database)} CHARACTER SET utf8mb4 COLLATE ${CONNECTION_COLLATION}`)];
}

function wrongCollation({ name, value }: Deviation): ProbeFinding {
  const text = `column ${name} has the collation ${value}, under which different texts may count as the same`;
  return failed(
    text,
    "convert the column back to utf8mb4_bin or ascii_bin, as the migration made it; is the database Tidemark's alone?",
  );
}

function tlsFindings({ cipher, certificateUntilMs }: DatabaseFacts, nowMs: number): readonly ProbeFinding[] {
  if (cipher === "") return [ok("the connection isn't encrypted, as MYSQL_URL and MYSQL_CA say")];
  const encrypted = ok(`the connection is encrypted (${cipher})`);
  if (certificateUntilMs === undefined) return [encrypted];
  return [encrypted, certificateFinding({ untilMs: certificateUntilMs }, nowMs)];
}

function isOldMariaDb(version: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)\.\d+-MariaDB/.exec(version) ?? [];
  if (major === undefined) return false;
  const [leastMajor, leastMinor] = LEAST_MARIADB;
  return Number(major) < leastMajor || (Number(major) === leastMajor && Number(minor) < leastMinor);
}

function isOn(value = ""): boolean {
  return value === "ON" || value === "1";
}

function quoted(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}
