import type { CompiledQuery } from "kysely";

/** The approximate length of one message; a single statement may be longer. Well below any `max_allowed_packet`. */
const MESSAGE_CHARACTERS = 512 * 1024;

/** The statements of a change whose results it doesn't need. They are sent together, the last ones with the commit. */
export class PendingWrites {
  readonly #whenFull: (statements: readonly CompiledQuery[]) => Promise<unknown>;
  #statements: CompiledQuery[] = [];
  #characters = 0;

  /** @param whenFull called with the statements when they fill one message */
  constructor(whenFull: (statements: readonly CompiledQuery[]) => Promise<unknown>) {
    this.#whenFull = whenFull;
  }

  /** Adds statements. Each is taken, and so built, when there is room for it. */
  async add(statements: Iterable<CompiledQuery>): Promise<void> {
    for (const statement of statements) {
      this.#statements.push(statement);
      this.#characters += statement.sql.length;
      if (this.#characters >= MESSAGE_CHARACTERS) await this.#whenFull(this.take());
    }
  }

  /** Removes the pending statements and returns them. */
  take(): readonly CompiledQuery[] {
    const statements = this.#statements;
    this.#statements = [];
    this.#characters = 0;
    return statements;
  }
}
