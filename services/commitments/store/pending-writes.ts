import type { CompiledQuery } from "kysely";
import type { SqlDialect } from "../../shared/db/dialect.ts";
import { executeAndCommit, executeTogether } from "../../shared/db/together.ts";
import type { Writes } from "./locked-sale.ts";
import type { Tx } from "./sale-rows.ts";

/** Text of statements sent at once, about; a single one may be longer. Well below any `max_allowed_packet`. */
export const MESSAGE_CHARACTERS = 512 * 1024;

/** The writes of a transaction: sent together, the last of them with the commit. */
export class PendingWrites implements Writes {
  readonly #dialect: SqlDialect;
  readonly #transaction: Tx;
  #statements: CompiledQuery[] = [];
  #characters = 0;

  constructor(dialect: SqlDialect, transaction: Tx) {
    this.#dialect = dialect;
    this.#transaction = transaction;
  }

  async add(statements: Iterable<CompiledQuery>): Promise<void> {
    for (const statement of statements) {
      this.#statements.push(statement);
      this.#characters += statement.sql.length;
      if (this.#characters >= MESSAGE_CHARACTERS) await executeTogether(this.#transaction, this.#dialect, this.#take());
    }
  }

  /** The end of the transaction's work. */
  async commit(): Promise<void> {
    await executeAndCommit(this.#transaction, this.#dialect, this.#take());
  }

  #take(): readonly CompiledQuery[] {
    const statements = this.#statements;
    this.#statements = [];
    this.#characters = 0;
    return statements;
  }
}
