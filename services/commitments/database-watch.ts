import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../shared/log.ts";
import type { CommitmentsDatabase } from "./store/schema.ts";

const INTERVAL_MS = 2_000;

/** Knows whether the database answers, and has the schema: what a process is ready by. */
export class DatabaseWatch {
  readonly #database: CommitmentsDatabase;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;
  /** Why it doesn't answer; empty when it does. */
  #trouble = "has not answered yet";

  constructor(database: CommitmentsDatabase, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
    this.#done = this.#run();
  }

  /** For a readiness check. */
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
      await this.#look();
      await wait(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const before = this.#trouble;
    try {
      await this.#database.query.selectFrom("sale_state").select("revision").limit(1).execute();
      this.#trouble = "";
      if (before !== "") this.#logger.info("the database answers");
    } catch (error) {
      this.#trouble = "does not answer";
      if (before === "" || before === "has not answered yet")
        this.#logger.error({ err: error }, "the database doesn't answer");
    }
  }
}
