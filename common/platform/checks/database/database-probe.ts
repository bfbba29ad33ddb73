import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { requireWritableFolder } from "../../config/writable-folder.ts";
import { configErrorOf, type Database } from "../../db/database.ts";
import { databaseTime } from "../../db/database-clock.ts";
import type { MysqlOptions } from "../../db/mysql/mysql-options.ts";
import { openSqliteToRead } from "../../db/sqlite/open-sqlite.ts";
import { countUnreadable } from "../../rewrap/rewrap-batch.ts";
import type { WrappedKind } from "../../rewrap/wrapped-kind.ts";
import { clockFinding } from "../clock-finding.ts";
import { about, failed, ok, type ProbeFinding } from "../finding.ts";
import type { Probe } from "../run-probes.ts";
import { readDatabaseFacts } from "./database-facts.ts";
import { judgeDatabase } from "./judge-database.ts";

/** A MySQL database or an SQLite file. */
export type CheckedStore = { readonly mysql: MysqlOptions } | { readonly sqliteFile: string };

/** How a service uses its database. Each function throws ConfigError for a wrong setting. */
export interface StoreUse<Schema> {
  readonly store: () => CheckedStore;
  /** Returns the names of the migrations that the database lacks. */
  readonly missing: (database: Database<Schema>) => Promise<readonly string[]>;
  /** Whether the process brings the tables up to date itself. */
  readonly migrates: () => boolean;
  /** Returns the secrets that `KEY_ENCRYPTION_KEY` wraps; none for a process that reads none. */
  readonly secrets: (database: Database<Schema>) => readonly WrappedKind[];
}

/** Below the probe's own deadline, so that a connection that can't be opened has its reason. */
const WAIT_MS = 10_000;

/** A check of a database: reach, rights, session, collations, certificate, clock, schema and keys. */
export function databaseProbe<Schema>(use: StoreUse<Schema>): Probe {
  return {
    subject: "database",
    async run({ nowMs }) {
      const store = use.store();
      if ("sqliteFile" in store && !existsSync(store.sqliteFile)) return [newFile(store.sqliteFile)];
      const database = await openToCheck<Schema>(store);
      if (database === undefined)
        return [ok("the file is there; the start takes in its log, and only then it can be read")];
      try {
        return await findingsOf(database, store, use, nowMs);
      } catch (error) {
        throw configErrorOf(database.dialect, error) ?? error;
      } finally {
        await database.close();
      }
    },
  };
}

/** @throws ConfigError */
function newFile(path: string): ProbeFinding {
  requireWritableFolder("DATA_DIR", dirname(path));
  return ok(`the start makes the file ${path}`);
}

/** Returns undefined for a file that only a start can read. */
async function openToCheck<Schema>(store: CheckedStore): Promise<Database<Schema> | undefined> {
  if ("sqliteFile" in store) return openSqliteToRead<Schema>(store.sqliteFile);
  // Imported here, so that a process on SQLite doesn't load mysql2 (16 MB).
  const { openMysql } = await import("../../db/mysql/open-mysql.ts");
  return openMysql<Schema>({ ...store.mysql, poolSize: 1, acquireTimeoutMs: WAIT_MS, statementTimeoutMs: WAIT_MS });
}

async function findingsOf<Schema>(
  database: Database<Schema>,
  store: CheckedStore,
  use: StoreUse<Schema>,
  nowMs: () => number,
): Promise<readonly ProbeFinding[]> {
  const facts =
    "mysql" in store
      ? await serverFindings(database, store.mysql, use.migrates(), nowMs)
      : [ok("the file can be read and written")];
  const missing = await use.missing(database);
  const keys = missing.length === 0 ? await keyFindings(use.secrets(database)) : [];
  return [
    ...facts,
    ...about("database schema", [schemaFinding(missing, use.migrates())]),
    ...about("stored keys", keys),
  ];
}

async function serverFindings<Schema>(
  database: Database<Schema>,
  { poolSize }: MysqlOptions,
  changesTables: boolean,
  nowMs: () => number,
): Promise<readonly ProbeFinding[]> {
  const facts = await readDatabaseFacts(database.query);
  const readOther = databaseTime(database);
  const clock = readOther === undefined ? [] : [await clockFinding("database", readOther, nowMs)];
  return [...judgeDatabase(facts, { poolSize, changesTables }, nowMs()), ...about("database clock", clock)];
}

function schemaFinding(missing: readonly string[], migrates: boolean): ProbeFinding {
  if (missing.length === 0) return ok("has all migrations of this version");
  const text = `${missing.length} migrations are missing, the first is ${missing[0]}`;
  return migrates ? ok(`${text}: the start runs them`) : failed(text, "run --migrate of this version");
}

async function keyFindings(kinds: readonly WrappedKind[]): Promise<readonly ProbeFinding[]> {
  if (kinds.length === 0) return [];
  const unreadable = await Promise.all(
    kinds.map(async (kind) => ({ kind: kind.kind, count: await countUnreadable(kind) })),
  );
  const wrong = unreadable.filter(({ count }) => count > 0);
  if (wrong.length === 0) return [ok("KEY_ENCRYPTION_KEY opens all of them")];
  return wrong.map(({ kind, count }) =>
    failed(
      `KEY_ENCRYPTION_KEY doesn't open ${count} of ${kind}`,
      "set the key with which they were wrapped; KEY_ENCRYPTION_KEY_OTHER may be it, too",
    ),
  );
}
