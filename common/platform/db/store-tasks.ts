import { Env } from "../config/env.ts";
import { migrationTasks, type Task } from "../lifecycle/main-arguments.ts";
import { createLogger, type Logger, logLevel } from "../log/log.ts";
import { awaitMigrations } from "./await-migrations.ts";

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
    opened(async (database, logger) => logger.info({ migrations: await migrate(database) }, "schema is up to date")),
    opened((database, logger) => awaitMigrations(() => missing(database), { logger })),
  );
}
