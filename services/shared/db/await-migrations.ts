import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../log/log.ts";

export interface AwaitMigrationsOptions {
  readonly logger: Logger;
  /** Between two looks, in milliseconds; 1 s by default. */
  readonly pauseMs?: number;
  /** Looks until it gives up; 600 by default. */
  readonly maxLooks?: number;
}

/**
 * Waits until no migration is missing, which another process sees to. A database that can't be reached is waited for, too.
 *
 * @param missing the names of those that are missing
 * @throws Error when it gives up
 */
export async function awaitMigrations(
  missing: () => Promise<readonly string[]>,
  { logger, pauseMs = 1_000, maxLooks = 600 }: AwaitMigrationsOptions,
): Promise<void> {
  let last: unknown;
  for (let look = 0; look < maxLooks; look++) {
    if (look > 0) await delay(pauseMs);
    try {
      const names = await missing();
      if (names.length === 0) return logger.info("schema is up to date");
      last = new Error(`${names.length} migrations are missing, the first is ${names[0]}`);
    } catch (error) {
      last = error;
    }
    if (look === 0) logger.info({ err: last }, "waiting for the schema");
  }
  throw new Error("the schema is still not up to date", { cause: last });
}
