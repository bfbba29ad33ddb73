import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../log/log.ts";

export interface AwaitMigrationsOptions {
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
 * @throws Error when it gives up
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
      last = error;
    }
    if (check === 0) logger.info({ err: last }, "waiting for the schema");
  }
  throw new Error("the schema is still not up to date", { cause: last });
}
