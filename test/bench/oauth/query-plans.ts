import { createConnection, type RowDataPacket } from "mysql2/promise";
import type { MariaDb } from "../../support/databases/mariadb.ts";

const DATA = /^(select|insert|update|delete) /i;
/** Between the statements of a message, which the log shows as one. */
const BETWEEN = /; (?=(?:select|insert|update|delete|commit)\b)/;
const SHOWN_CHARACTERS = 60;

/** Returns the query plans of the statements that `work` sends to a database, one line each, in order. */
export async function queryPlans(mariaDb: MariaDb, database: string, work: () => Promise<unknown>): Promise<string[]> {
  const connection = await createConnection(`${mariaDb.url}/${database}`);
  try {
    await connection.query("set global log_output = 'TABLE', global general_log = on");
    await work();
    await connection.query("set global general_log = off");
    const [rows] = await connection.query<RowDataPacket[]>(
      "select argument from mysql.general_log where command_type = 'Query' and thread_id <> connection_id() order by event_time",
    );
    await connection.query("truncate table mysql.general_log");
    const statements = rows
      .flatMap(({ argument }) => String(argument).split(BETWEEN))
      .filter((statement) => DATA.test(statement));
    const plans: string[] = [];
    for (const statement of statements) plans.push(`${shortened(statement)}: ${await planOf(connection, statement)}`);
    return plans;
  } finally {
    await connection.end();
  }
}

type Connection = Awaited<ReturnType<typeof createConnection>>;

async function planOf(connection: Connection, statement: string): Promise<string> {
  const [rows] = await connection.query<RowDataPacket[]>(`explain ${statement}`);
  const steps = rows.map(({ table, type, key, rows: count }) =>
    key === null ? `${table} ${type}` : `${table} ${type} by ${key} (${count})`,
  );
  return steps.join(", ");
}

/** The verb and the table of a statement, without the secrets that it contains. */
function shortened(statement: string): string {
  const table = /(?:from|into|update) `?(\w+)`?/i.exec(statement)?.[1] ?? "";
  return `${statement.slice(0, 6)} ${table}`.slice(0, SHOWN_CHARACTERS);
}
