import type { CompiledQuery } from "kysely";

/** Text of statements sent at once, about; a single one may be longer. Well below any `max_allowed_packet`. */
const MESSAGE_CHARACTERS = 512 * 1024;

/** What a change writes and doesn't read again: sent together, the last of it with the commit. */
export class PendingWrites {
  readonly #whenFull: (statements: readonly CompiledQuery[]) => Promise<unknown>;
  #statements: CompiledQuery[] = [];
  #characters = 0;

  /** @param whenFull gets what is as long as one message may be */
  constructor(whenFull: (statements: readonly CompiledQuery[]) => Promise<unknown>) {
    this.#whenFull = whenFull;
  }

  /** Each statement is taken, and so put together, when there is place for it. */
  async add(statements: Iterable<CompiledQuery>): Promise<void> {
    for (const statement of statements) {
      this.#statements.push(statement);
      this.#characters += statement.sql.length;
      if (this.#characters >= MESSAGE_CHARACTERS) await this.#whenFull(this.take());
    }
  }

  /** What waits, and goes with the commit. */
  take(): readonly CompiledQuery[] {
    const statements = this.#statements;
    this.#statements = [];
    this.#characters = 0;
    return statements;
  }
}
