import { setTimeout as wait } from "node:timers/promises";
import { ConfigError } from "../config/config-error.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Lifecycle } from "../lifecycle/lifecycle.ts";
import type { Logger } from "../log/log.ts";

/** The wait after a failure. */
const RETRY_MS = 1_000;
/** The time for which a task waits: a new pod's first connections may come before the policies that allow them. */
const TASK_WAIT_MS = 60_000;

/**
 * Runs a step of a process's start that needs the database, again until it succeeds: a database may come up after its clients, and
 * a migration may still run. The process is alive and not ready meanwhile. Once it stops, the step has no outcome any more.
 *
 * @param what the step does, for the log
 * @param isPassing recognises the errors after which it runs again; by default all but those that name a setting
 * @throws whatever else the step throws
 */
export async function whenDatabaseAnswers<Result>(
  what: string,
  step: () => Promise<Result>,
  { lifecycle, logger }: { readonly lifecycle: Pick<Lifecycle, "stopping">; readonly logger: Logger },
  isPassing: (error: unknown) => boolean = (error) => !(error instanceof ConfigError),
): Promise<Result> {
  const { stopping } = lifecycle;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      // Whatever fails then may fail because the database is closed.
      if (stopping.aborted) return new Promise(() => {});
      if (!isPassing(error)) throw error;
      logger.warn({ err: error }, `waiting for the database to ${what}`);
    }
    await wait(RETRY_MS, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return new Promise(() => {});
  }
}

/** Migrates as a step of a process's start. @throws Error if the schema is one that this version can't migrate */
export async function migrateWhenAnswered(
  migrate: () => Promise<readonly string[]>,
  options: { readonly lifecycle: Pick<Lifecycle, "stopping">; readonly logger: Logger },
): Promise<void> {
  const migrations = await whenDatabaseAnswers("migrate it", migrate, options, isUnavailable);
  options.logger.info({ migrations }, "schema is up to date");
}

/**
 * Migrates as the only work of a process, which waits for a minute for a database that can't be reached.
 *
 * @param now a clock in milliseconds
 * @returns the names of the migrations that ran
 * @throws whatever `migrate` throws at last
 */
export function migrateWithinMinute(
  migrate: () => Promise<readonly string[]>,
  { logger, now = () => performance.now() }: { readonly logger: Logger; readonly now?: () => number },
): Promise<readonly string[]> {
  const end = now() + TASK_WAIT_MS;
  const lifecycle = { stopping: new AbortController().signal };
  const isPassing = (error: unknown) => isUnavailable(error) && now() < end;
  return whenDatabaseAnswers("migrate it", migrate, { lifecycle, logger }, isPassing);
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "unavailable";
}
