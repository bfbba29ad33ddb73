import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../log/log.ts";

const INTERVAL_MS = 2_000;

/** Knows whether the database answers, and has the schema: what a process is ready by. */
export class DatabaseWatch {
  readonly #look: () => Promise<unknown>;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;
  /** Why it doesn't answer; empty when it does. */
  #trouble = "has not answered yet";

  /** @param look reads a row of a table, whether there is one or not. */
  constructor(look: () => Promise<unknown>, logger: Logger) {
    this.#look = look;
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
      await this.#try();
      await wait(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #try(): Promise<void> {
    const before = this.#trouble;
    try {
      await this.#look();
      this.#trouble = "";
      if (before !== "") this.#logger.info("the database answers");
    } catch (error) {
      this.#trouble = "does not answer";
      if (before === "" || before === "has not answered yet")
        this.#logger.error({ err: error }, "the database doesn't answer");
    }
  }
}
