import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { ConfigError } from "../config/config-error.ts";
import type { Logger } from "../log/log.ts";
import { configErrorOf, type Database } from "./database.ts";

/** The time between two looks at a database that answers. Calls notice at once that it is away. */
const INTERVAL_MS = 5_000;
/** The time between two looks at one that doesn't: the process is ready again soon. */
const RETRY_MS = 2_000;

/** Checks regularly that the database answers and has the schema, for the readiness of a process. */
export class DatabaseWatch {
  readonly #probe: () => Promise<unknown>;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;
  /** The reason why the database isn't ready. Empty if it is. */
  #trouble = "has not answered yet";

  /** @param probe reads a row of a table, which may be empty */
  constructor(probe: () => Promise<unknown>, logger: Logger) {
    this.#probe = probe;
    this.#logger = logger;
    this.#done = this.#run();
  }

  /** The result for a readiness check. */
  status(): true | string {
    return this.#trouble === "" || this.#trouble;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#try();
      await wait(this.#trouble === "" ? INTERVAL_MS : RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #try(): Promise<void> {
    const before = this.#trouble;
    try {
      await this.#probe();
      this.#trouble = "";
      if (before !== "") this.#logger.info("the database answers");
    } catch (error) {
      this.#trouble = error instanceof ConfigError ? error.message : "does not answer";
      if (before === "" || before === "has not answered yet")
        this.#logger.error({ err: error }, "the database doesn't answer");
    }
  }
}

/** Returns a probe of a table: it fails if the database doesn't answer or hasn't the table; with a ConfigError if it refuses the account. */
export function tableProbe<Schema>(
  { query, dialect }: Pick<Database<Schema>, "query" | "dialect">,
  table: keyof Schema & string,
): () => Promise<unknown> {
  return () =>
    sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(query).catch((error: unknown) => {
      throw configErrorOf(dialect, error) ?? error;
    });
}
