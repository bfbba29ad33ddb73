import { setTimeout as delay } from "node:timers/promises";
import { ConfigError } from "../config/config-error.ts";
import { Env } from "../config/env.ts";
import { migrationTasks, type Task } from "../lifecycle/main-arguments.ts";
import { createLogger, type Logger, logLevel } from "../log/log.ts";
import { migrateWithinMinute } from "./when-database-answers.ts";

/** The database of a service, as its tasks use it. */
export interface MigratedStore<Database> {
  readonly service: string;
  /** The environment of the process. */
  readonly variables: ConstructorParameters<typeof Env>[0];
  /** @throws ConfigError */
  readonly open: (env: Env) => Promise<Database>;
  /** Brings the schema up to date. @returns the names of the migrations that it ran */
  readonly migrate: (database: Database) => Promise<readonly string[]>;
  /** Returns the names of the migrations that the database lacks. */
  readonly missing: (database: Database) => Promise<readonly string[]>;
}

/** Returns the tasks `--migrate` and `--await-migrations` of a service, each of which opens its database and closes it. */
export function storeTasks<Database extends { close(): Promise<void> }>({
  service,
  variables,
  open,
  migrate,
  missing,
}: MigratedStore<Database>): readonly Task[] {
  const opened = (work: (database: Database, logger: Logger) => Promise<void>) => async () => {
    const env = new Env(variables);
    const logger = createLogger({ service, level: logLevel(env) });
    const database = await open(env);
    await work(database, logger).finally(() => database.close());
  };
  return migrationTasks(
    opened(async (database, logger) => {
      const migrations = await migrateWithinMinute(() => migrate(database), { logger });
      logger.info({ migrations }, "schema is up to date");
    }),
    opened((database, logger) => awaitMigrations(() => missing(database), { logger })),
  );
}

interface AwaitMigrationsOptions {
  readonly logger: Logger;
  /** The time between two checks, in milliseconds. 1 s by default. */
  readonly intervalMs?: number;
  /** The number of checks before it gives up. 600 by default. */
  readonly maxChecks?: number;
}

/**
 * Waits until another process has run all migrations. It also waits for a database that can't be reached.
 *
 * @param missing returns the names of the migrations that are missing
 * @throws Error when it gives up; ConfigError at once, as waiting mends no setting
 */
export async function awaitMigrations(
  missing: () => Promise<readonly string[]>,
  { logger, intervalMs = 1_000, maxChecks = 600 }: AwaitMigrationsOptions,
): Promise<void> {
  let last: unknown;
  for (let check = 0; check < maxChecks; check++) {
    if (check > 0) await delay(intervalMs);
    try {
      const names = await missing();
      if (names.length === 0) return logger.info("schema is up to date");
      last = new Error(`${names.length} migrations are missing, the first is ${names[0]}`);
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      last = error;
    }
    if (check === 0) logger.info({ err: last }, "waiting for the schema");
  }
  throw new Error("the schema is still not up to date", { cause: last });
}
